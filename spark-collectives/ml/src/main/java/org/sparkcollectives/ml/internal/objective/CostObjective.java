package org.sparkcollectives.ml.internal.objective;

import java.util.List;
import org.apache.spark.mllib.linalg.Vector;
import org.apache.spark.mllib.linalg.Vectors;
import org.apache.spark.mllib.optimization.Gradient;
import org.apache.spark.mllib.optimization.Updater;
import org.sparkcollectives.Communicator;
import scala.Tuple2;

/**
 * The mean of rows' losses and a penalty, as {@code mllib.optimization.LBFGS} has it: the updater
 * knows the penalty, and its gradient as the step that it takes without another gradient.
 */
public final class CostObjective extends RankObjective {
  /** The class of MLlib's own, which it keeps to itself. */
  public static final String MLLIB = "org.apache.spark.mllib.optimization.LBFGS$CostFun";

  private final List<Tuple2<Object, Vector>> rows;
  private final Gradient gradient;
  private final Updater updater;
  private final double regParam;
  private final long examples;

  /**
   * An objective.
   *
   * @param communicator the ranks
   * @param rows this rank's rows, a label and features each
   * @param gradient of one row
   * @param updater knows the penalty
   * @param regParam the strength of the penalty
   * @param examples how many rows all ranks have
   */
  public CostObjective(
      Communicator communicator,
      List<Tuple2<Object, Vector>> rows,
      Gradient gradient,
      Updater updater,
      double regParam,
      long examples) {
    super(communicator);
    this.rows = rows;
    this.gradient = gradient;
    this.updater = updater;
    this.regParam = regParam;
    this.examples = examples;
  }

  @Override
  Sums own(double[] x) {
    return RowGradients.sums(gradient, rows.iterator(), Vectors.dense(x));
  }

  @Override
  double value(Sums all) {
    return all.value() / examples;
  }

  @Override
  double finish(double[] x, int first, double[] gradient, double weight) {
    Vector weights = Vectors.dense(x);
    Vector zeros = Vectors.zeros(x.length);
    double[] stepped = updater.compute(weights, zeros, 1, 1, regParam)._1().toArray();
    for (int i = 0; i < x.length; i++) {
      gradient[i] = x[i] - stepped[i] + gradient[i] / examples;
    }
    return (double) updater.compute(weights, zeros, 0, 1, regParam)._2();
  }
}
