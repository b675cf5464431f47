package org.sparkcollectives.ml.internal.objective;

import java.util.Iterator;
import java.util.Set;
import org.apache.spark.TaskContext;
import org.apache.spark.ml.regression.AdamWUpdater;
import org.apache.spark.mllib.linalg.Vector;
import org.apache.spark.mllib.linalg.Vectors;
import org.apache.spark.mllib.optimization.Gradient;
import org.apache.spark.mllib.optimization.Updater;
import scala.Tuple2;

/** MLlib's gradients of single rows, and the updaters that take steps with their sums. */
public final class RowGradients {
  private static final String MLLIB = "org.apache.spark.mllib.optimization.";
  private static final String MACHINES = "org.apache.spark.ml.regression.";
  private static final String NETWORKS = "org.apache.spark.ml.ann.";

  private static final Set<String> GRADIENTS =
      Set.of(
          MLLIB + "LogisticGradient",
          MLLIB + "LeastSquaresGradient",
          MLLIB + "HingeGradient",
          MACHINES + "LogisticFactorizationMachinesGradient",
          MACHINES + "MSEFactorizationMachinesGradient",
          NETWORKS + "ANNGradient");

  /** Those whose step depends on nothing but what they are given. */
  private static final Set<String> UPDATERS =
      Set.of(
          MLLIB + "SimpleUpdater",
          MLLIB + "L1Updater",
          MLLIB + "SquaredL2Updater",
          NETWORKS + "ANNUpdater");

  private RowGradients() {}

  /**
   * Whether they are MLlib's own: what others do is not known.
   *
   * @param gradient of one row
   * @param updater takes the steps
   * @return whether both are known here
   */
  public static boolean known(Gradient gradient, Updater updater) {
    return GRADIENTS.contains(gradient.getClass().getName())
        && (remembers(updater) || UPDATERS.contains(updater.getClass().getName()));
  }

  /**
   * Whether each step of an updater depends on those before.
   *
   * @param updater takes the steps
   * @return true for {@code AdamWUpdater} alone
   */
  public static boolean remembers(Updater updater) {
    return updater.getClass() == AdamWUpdater.class;
  }

  /**
   * An updater whose steps do not change the given one.
   *
   * @param updater takes the steps
   * @return a copy of one that remembers its steps; any other itself
   */
  public static Updater apart(Updater updater) {
    if (!(updater instanceof AdamWUpdater adam)) {
      return updater;
    }
    AdamWUpdater copy = new AdamWUpdater(adam.m().length());
    copy(adam.m(), copy.m());
    copy(adam.v(), copy.v());
    copy.beta1T_$eq(adam.beta1T());
    copy.beta2T_$eq(adam.beta2T());
    return copy;
  }

  private static void copy(breeze.linalg.Vector<Object> from, breeze.linalg.Vector<Object> to) {
    double[] values = (double[]) ((breeze.linalg.DenseVector<?>) from).data();
    System.arraycopy(
        values, 0, (double[]) ((breeze.linalg.DenseVector<?>) to).data(), 0, values.length);
  }

  /**
   * What rows add.
   *
   * @param gradient the gradient
   * @param rows a label and features each
   * @param weights the coefficients
   * @return the sums of gradients and losses, and how many rows there were
   */
  static RankObjective.Sums sums(
      Gradient gradient, Iterator<Tuple2<Object, Vector>> rows, Vector weights) {
    Vector sum = Vectors.zeros(weights.size());
    double loss = 0;
    double count = 0;
    TaskContext task = TaskContext.get();
    while (rows.hasNext()) {
      if (task != null) {
        task.killTaskIfInterrupted();
      }
      Tuple2<Object, Vector> row = rows.next();
      loss += gradient.compute(row._2(), (double) row._1(), weights, sum);
      count++;
    }
    return new RankObjective.Sums(sum.toArray(), loss, count);
  }
}
