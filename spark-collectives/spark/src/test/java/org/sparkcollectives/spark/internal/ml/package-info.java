/** Collectives and MLlib. */
@NullMarked
package org.sparkcollectives.ml;

import org.jspecify.annotations.NullMarked;
