package org.sparkcollectives.ml.internal.iteration;

import java.io.Serial;
import org.apache.spark.mllib.clustering.VectorWithNorm;

/** Single rows with Euclidean distances, of which a test does something in another way. */
class ForwardingAssignment implements Assignment<VectorWithNorm> {
  @Serial private static final long serialVersionUID = 1L;
  private final RowAssignment assignment = new RowAssignment("euclidean", 0);

  @Override
  public String kind() {
    return assignment.kind();
  }

  @Override
  public double limit() {
    return assignment.limit();
  }

  @Override
  public int count(VectorWithNorm element) {
    return assignment.count(element);
  }

  @Override
  public boolean cosine() {
    return assignment.cosine();
  }

  @Override
  public void read(VectorWithNorm element, int index, Point point) {
    assignment.read(element, index, point);
  }

  @Override
  public Moved move(int centre, Centres centres, double[] message) {
    return assignment.move(centre, centres, message);
  }
}
