package org.sparkcollectives.ml.internal.training;

import breeze.linalg.DenseVector;
import breeze.optimize.DiffFunction;
import breeze.optimize.FirstOrderMinimizer;
import org.apache.spark.broadcast.Broadcast;
import org.apache.spark.ml.feature.InstanceBlock;
import org.apache.spark.ml.linalg.Vector;
import org.apache.spark.ml.optim.aggregator.DifferentiableLossAggregator;
import org.apache.spark.ml.optim.loss.L2Regularization;
import scala.Function1;
import scala.Option;

/**
 * What an estimator minimises, and how.
 *
 * @param aggregators MLlib's aggregator for given coefficients
 * @param penalty MLlib's regularisation, or none
 * @param minimizer Breeze's optimiser, as MLlib sets it up
 * @param initial the coefficients of scaled features where it starts
 * @param sets how many of them each feature has, one after the other, before what belongs to none
 * @param <A> the aggregator
 */
@SuppressWarnings("ArrayRecordComponent") // never compared
public record MinimizationProblem<A extends DifferentiableLossAggregator<InstanceBlock, A>>(
    Function1<Broadcast<Vector>, A> aggregators,
    Option<L2Regularization> penalty,
    FirstOrderMinimizer<DenseVector<Object>, DiffFunction<DenseVector<Object>>> minimizer,
    double[] initial,
    int sets) {}
