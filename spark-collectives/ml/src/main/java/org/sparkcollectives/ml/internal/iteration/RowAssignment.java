package org.sparkcollectives.ml.internal.iteration;

import java.io.Serial;
import java.util.Arrays;
import org.apache.spark.mllib.clustering.DistanceMeasure;
import org.apache.spark.mllib.clustering.DistanceMeasure$;
import org.apache.spark.mllib.clustering.EuclideanDistanceMeasure$;
import org.apache.spark.mllib.clustering.VectorWithNorm;
import org.apache.spark.mllib.linalg.DenseVector;
import org.apache.spark.mllib.linalg.SparseVector;
import org.apache.spark.mllib.linalg.Vector;
import org.apache.spark.mllib.linalg.Vectors;

/** Single rows; centres move as MLlib's measures of distance have it. */
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
    return measure + " by rows";
  }

  @Override
  public double limit() {
    return cosine() ? tolerance : tolerance * tolerance;
  }

  @Override
  public int count(VectorWithNorm element) {
    return 1;
  }

  @Override
  public boolean cosine() {
    return measure.equals(DistanceMeasure$.MODULE$.COSINE());
  }

  @Override
  public void read(VectorWithNorm element, int index, Point point) {
    Vector vector = element.vector();
    if (vector instanceof SparseVector sparse) {
      int stored = sparse.indices().length;
      point.sparse(sparse.indices(), sparse.values(), 0, stored, sparse.size());
    } else {
      point.dense(((DenseVector) vector).values(), 0, vector.size());
    }
    double norm = element.norm();
    if (cosine()) {
      Lloyd.requireDirection(norm);
    }
    point.counts(element.weight(), cosine() ? 1 / norm : 1, cosine() ? 1 : norm * norm);
  }

  @Override
  public Moved move(int centre, Centres centres, double[] message) {
    int features = centres.features();
    Vector sum =
        Vectors.dense(Arrays.copyOfRange(message, centre * features, (centre + 1) * features));
    VectorWithNorm moved = distances.centroid(sum, message[centres.clusters() * features + centre]);
    VectorWithNorm old = centre(centres, centre);
    double distance =
        cosine()
            ? distances.distance(old, moved)
            : EuclideanDistanceMeasure$.MODULE$.fastSquaredDistance(moved, old);
    return new Moved(moved.vector().toArray(), moved.norm(), distance);
  }

  private static VectorWithNorm centre(Centres centres, int centre) {
    return new VectorWithNorm(Vectors.dense(centres.centre(centre)), centres.norms()[centre], 1);
  }
}
