package org.sparkcollectives.ml.internal.training;

import static java.util.Objects.requireNonNull;

import java.io.Serial;
import java.util.Arrays;
import java.util.List;
import org.apache.spark.TaskContext;
import org.apache.spark.ml.impl.Utils;
import org.apache.spark.mllib.clustering.DistanceMeasure;
import org.apache.spark.mllib.clustering.DistanceMeasure$;
import org.apache.spark.mllib.clustering.VectorWithNorm;
import org.apache.spark.mllib.linalg.Vector;
import org.apache.spark.mllib.linalg.Vectors;
import org.sparkcollectives.Communicator;
import org.sparkcollectives.vector.ReduceOp;
import scala.Option;
import scala.Tuple2;

/**
 * Single rows, by MLlib's measures of distance. Where so many centres are far from each other that
 * MLlib computes their distances by a job, to save those of rows, each rank computes some.
 */
final class RowAssignment implements Assignment<VectorWithNorm> {
  @Serial private static final long serialVersionUID = 1L;

  private final DistanceMeasure distances;
  private final String measure;
  private final double tolerance;

  RowAssignment(String measure, double tolerance) {
    this.distances = DistanceMeasure$.MODULE$.decodeFromString(measure);
    this.measure = measure;
    this.tolerance = tolerance;
  }

  @Override
  public String kind() {
    return measure + " by rows within " + tolerance;
  }

  @Override
  public int count(VectorWithNorm element) {
    return 1;
  }

  @Override
  public double assign(
      Communicator communicator, List<VectorWithNorm> elements, Centres centres, double[] message) {
    int clusters = centres.clusters();
    int features = centres.features();
    VectorWithNorm[] all = new VectorWithNorm[clusters];
    Arrays.setAll(all, i -> centre(centres, i));
    Vector[] sums = new Vector[clusters];
    Arrays.setAll(sums, i -> Vectors.zeros(features));
    Option<double[]> statistics = statistics(communicator, all, features);
    double cost = 0;
    TaskContext task = requireNonNull(TaskContext.get());
    for (VectorWithNorm row : elements) {
      task.killTaskIfInterrupted();
      Tuple2<Object, Object> nearest = distances.findClosest(all, statistics, row);
      int best = (int) nearest._1();
      cost += (double) nearest._2() * row.weight();
      distances.updateClusterSum(row, sums[best]);
      message[clusters * features + best] += row.weight();
    }
    for (int i = 0; i < clusters; i++) {
      System.arraycopy(sums[i].toArray(), 0, message, i * features, features);
    }
    return cost;
  }

  @Override
  public Moved move(int centre, Centres centres, double[] message) {
    int features = centres.features();
    Vector sum =
        Vectors.dense(Arrays.copyOfRange(message, centre * features, (centre + 1) * features));
    VectorWithNorm moved = distances.centroid(sum, message[centres.clusters() * features + centre]);
    return new Moved(
        moved.vector().toArray(),
        moved.norm(),
        distances.isCenterConverged(centre(centres, centre), moved, tolerance));
  }

  private static VectorWithNorm centre(Centres centres, int centre) {
    return new VectorWithNorm(Vectors.dense(centres.centre(centre)), centres.norms()[centre], 1);
  }

  /** What MLlib knows of the centres' distances to each other, by which it leaves some out. */
  private Option<double[]> statistics(
      Communicator communicator, VectorWithNorm[] centres, int features) {
    int clusters = centres.length;
    if (!DistanceMeasure$.MODULE$.shouldComputeStatistics(clusters)) {
      return Option.empty();
    }
    if (clusters == 1
        || DistanceMeasure$.MODULE$.shouldComputeStatisticsLocally(clusters, features)) {
      return Option.apply(distances.computeStatistics(centres));
    }
    double[] packed = new double[clusters * (clusters + 1) / 2];
    for (int i = 0; i < clusters; i++) {
      for (int j = i + 1; j < clusters; j++) {
        if ((i + j) % communicator.size() == communicator.rank()) {
          packed[Utils.indexUpperTriangular(clusters, i, j)] =
              distances.computeStatistics(distances.distance(centres[i], centres[j]));
        }
      }
    }
    communicator.allReduce(packed, ReduceOp.SUM);
    for (int i = 0; i < clusters; i++) {
      double least = Double.POSITIVE_INFINITY;
      for (int j = 0; j < clusters; j++) {
        if (j != i) {
          int pair = Utils.indexUpperTriangular(clusters, Math.min(i, j), Math.max(i, j));
          least = packed[pair] < least ? packed[pair] : least;
        }
      }
      packed[Utils.indexUpperTriangular(clusters, i, i)] = least;
    }
    return Option.apply(packed);
  }
}
