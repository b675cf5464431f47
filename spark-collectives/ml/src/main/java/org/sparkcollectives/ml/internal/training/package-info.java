/** Programs of ranks that train in one barrier stage, and their start at the driver. */
@NullMarked
package org.sparkcollectives.ml.internal.training;

import org.jspecify.annotations.NullMarked;
