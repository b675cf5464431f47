/** What is to become least: a value and a gradient, summed over all ranks. */
@NullMarked
package org.sparkcollectives.ml.internal.objective;

import org.jspecify.annotations.NullMarked;
