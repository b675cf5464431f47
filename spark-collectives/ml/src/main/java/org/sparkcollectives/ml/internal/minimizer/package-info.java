/** Breeze's optimisers on every rank, and those whose vectors are divided among ranks. */
@NullMarked
package org.sparkcollectives.ml.internal.minimizer;

import org.jspecify.annotations.NullMarked;
