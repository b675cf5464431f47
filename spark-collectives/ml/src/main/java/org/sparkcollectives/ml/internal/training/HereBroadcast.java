package org.sparkcollectives.ml.internal.training;

import java.io.Serial;
import org.apache.spark.broadcast.Broadcast;
import org.apache.spark.ml.linalg.Vector;
import scala.reflect.ClassTag$;

/** A vector that is here already, as MLlib's aggregators ask for theirs. */
final class HereBroadcast extends Broadcast<Vector> {
  @Serial private static final long serialVersionUID = 1L;
  private static final long NO_ID = -1;

  private final transient Vector vector;

  HereBroadcast(Vector vector) {
    super(NO_ID, ClassTag$.MODULE$.apply(Vector.class));
    this.vector = vector;
  }

  @Override
  public Vector getValue() {
    return vector;
  }

  @Override
  public void doUnpersist(boolean blocking) {}

  @Override
  public void doDestroy(boolean blocking) {}
}
