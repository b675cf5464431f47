package org.sparkcollectives.spark.internal.body;

import java.io.Serial;
import org.apache.spark.api.java.function.Function2;
import org.apache.spark.api.java.function.Function3;
import org.jspecify.annotations.Nullable;

/**
 * Adds an element to an aggregate with a value that has come with the task.
 *
 * @param <V> the value's class
 * @param <U> the aggregate's class
 * @param <T> the element's class
 */
public final class BoundStep<V, U, T> implements Function2<U, T, U> {
  @Serial private static final long serialVersionUID = 1L;

  private final SentValue sent;
  private final Function3<V, U, T, U> add;
  private transient @Nullable V value;

  /**
   * Binds a value.
   *
   * @param sent the value, a small one
   * @param add adds an element
   */
  public BoundStep(SentValue sent, Function3<V, U, T, U> add) {
    this.sent = sent;
    this.add = add;
  }

  @Override
  @SuppressWarnings("unchecked")
  public U call(U sum, T element) throws Exception {
    V known = value;
    if (known == null) {
      known = (V) sent.decoded();
      value = known;
    }
    return add.call(known, sum, element);
  }
}
