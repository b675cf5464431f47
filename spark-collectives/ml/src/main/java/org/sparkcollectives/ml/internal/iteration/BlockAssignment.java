package org.sparkcollectives.ml.internal.iteration;

import java.io.Serial;
import org.apache.spark.ml.feature.InstanceBlock;
import org.apache.spark.ml.linalg.DenseMatrix;
import org.apache.spark.ml.linalg.SparseMatrix;
import org.apache.spark.mllib.clustering.DistanceMeasure$;

/** Blocks of rows, each with its squared norm as label, as MLlib's aggregator takes them. */
final class BlockAssignment implements Assignment<InstanceBlock> {
  @Serial private static final long serialVersionUID = 1L;

  private final String measure;
  private final double tolerance;

  BlockAssignment(String measure, double tolerance) {
    this.measure = measure;
    this.tolerance = tolerance;
  }

  @Override
  public String kind() {
    return measure + " by blocks";
  }

  @Override
  public double limit() {
    return tolerance;
  }

  @Override
  public boolean cosine() {
    return measure.equals(DistanceMeasure$.MODULE$.COSINE());
  }

  @Override
  public int count(InstanceBlock element) {
    return element.size();
  }

  @Override
  public void read(InstanceBlock element, int index, Point point) {
    int features = element.numFeatures();
    if (element.matrix() instanceof SparseMatrix sparse) { // row after row, as the other
      int[] starts = sparse.colPtrs();
      point.sparse(
          sparse.rowIndices(), sparse.values(), starts[index], starts[index + 1], features);
    } else {
      point.dense(((DenseMatrix) element.matrix()).values(), index * features, features);
    }
    double[] weights = element.weights();
    point.counts(weights.length == 0 ? 1 : weights[index], 1, element.labels()[index]);
  }

  @Override
  public Moved move(int centre, Centres centres, double[] message) {
    int clusters = centres.clusters();
    double[] moved = new double[centres.features()];
    double weight = message[clusters * moved.length + centre];
    for (int j = 0; j < moved.length; j++) {
      moved[j] = message[centre * moved.length + j] * (1 / weight);
    }
    if (cosine()) {
      double length = Math.sqrt(dot(moved, moved));
      Lloyd.requireDirection(length); // rows may cancel
      for (int j = 0; j < moved.length; j++) {
        moved[j] = moved[j] * (1 / length);
      }
    }
    double norm = Math.sqrt(dot(moved, moved));
    return new Moved(moved, norm, distance(moved, centres.centre(centre)));
  }

  private double distance(double[] moved, double[] old) {
    if (cosine()) {
      return 1 - dot(moved, old) / Math.sqrt(dot(moved, moved)) / Math.sqrt(dot(old, old));
    }
    double sum = 0;
    for (int j = 0; j < moved.length; j++) {
      double difference = moved[j] - old[j];
      sum += difference * difference;
    }
    return Math.sqrt(sum);
  }

  private static double dot(double[] a, double[] b) {
    double sum = 0;
    for (int j = 0; j < a.length; j++) {
      sum += a[j] * b[j];
    }
    return sum;
  }
}
