/** The optimisation of MLlib's objectives on all ranks of one barrier stage. */
@NullMarked
package org.sparkcollectives.ml.internal.training;

import org.jspecify.annotations.NullMarked;
