package org.sparkcollectives.ml.internal.bridge;

import java.io.Serial;
import org.apache.spark.broadcast.Broadcast;
import scala.reflect.ClassTag$;

/**
 * A value that is here already, as MLlib's aggregators ask for theirs.
 *
 * @param <T> the value's class
 */
public final class HereBroadcast<T> extends Broadcast<T> {
  @Serial private static final long serialVersionUID = 1L;
  private static final long NO_ID = -1;

  private final transient T value;

  /**
   * Wraps a value.
   *
   * @param value the value, which is not copied
   */
  public HereBroadcast(T value) {
    super(NO_ID, ClassTag$.MODULE$.apply(value.getClass()));
    this.value = value;
  }

  @Override
  public T getValue() {
    return value;
  }

  @Override
  public void doUnpersist(boolean blocking) {}

  @Override
  public void doDestroy(boolean blocking) {}
}
