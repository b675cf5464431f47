/** The proof's sweep: which problems of every algorithm are verified, by tests and by hand. */
@NullMarked
package org.sparkcollectives.internal.conformance;

import org.jspecify.annotations.NullMarked;
