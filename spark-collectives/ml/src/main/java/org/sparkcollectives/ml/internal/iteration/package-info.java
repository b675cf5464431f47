/**
 * Trainings whose iterations each take all ranks from one state to the next: centres, mixtures,
 * word vectors.
 */
@NullMarked
package org.sparkcollectives.ml.internal.iteration;

import org.jspecify.annotations.NullMarked;
