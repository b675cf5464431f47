/**
 * Estimators of Spark's MLlib that train in one stage: import one in place of MLlib's.
 *
 * <p>They have MLlib's parameters, stand in pipelines and cross validation, are saved and loaded,
 * and return MLlib's own models. All of a training is one barrier stage: ranks read their rows
 * once, sum up means and deviations, and iterate, with MLlib's own objective and Breeze's own
 * optimiser on every rank.
 */
@NullMarked
package org.sparkcollectives.ml;

import org.jspecify.annotations.NullMarked;
