/**
 * Estimators of Spark's MLlib that train in one stage: import one in place of MLlib's. And a
 * trainer for objectives of one's own.
 *
 * <p>The estimators have MLlib's parameters, stand in pipelines and cross validation, are saved and
 * loaded, and return MLlib's own models. What iterates is one barrier stage, in which ranks read
 * their rows once:
 *
 * <ul>
 *   <li>Regressions and the support vector machine sum up means and deviations, and minimise
 *       MLlib's own objective by Breeze's own optimiser on every rank or, where vectors are long,
 *       by one that computes a part of each vector on every rank.
 *   <li>Factorization machines take the steps of MLlib's gradient descent, by mini batches.
 *   <li>{@link KMeans} takes MLlib's first centres, and moves them by Lloyd's iterations.
 * </ul>
 *
 * <p>A {@link Trainer} minimises an {@link Objective} by the same optimisers or by mini batches,
 * and returns a {@link Minimum}. By a {@link ConnectBackend} clients of Spark Connect get the
 * estimators, too.
 */
@NullMarked
package org.sparkcollectives.ml;

import org.jspecify.annotations.NullMarked;
