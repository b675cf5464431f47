/** Tests of the examples. */
@NullMarked
package org.sparkcollectives.examples;

import org.jspecify.annotations.NullMarked;
