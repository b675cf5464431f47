package org.sparkcollectives.spark.internal.result;

import static java.util.Objects.requireNonNull;

import org.apache.spark.api.java.JavaRDD;
import org.apache.spark.api.java.JavaSparkContext;
import org.apache.spark.api.java.function.Function;
import org.jspecify.annotations.Nullable;
import org.sparkcollectives.internal.vector.FixedVector;
import org.sparkcollectives.internal.vector.Vector;
import org.sparkcollectives.spark.VectorAdapter;
import org.sparkcollectives.spark.internal.input.Ranks;
import org.sparkcollectives.spark.internal.input.VectorAdapters;

/**
 * Reads the parts that ranks have stored.
 *
 * @param stored the parts
 * @param like an empty value of the class that parts are to have, or null where they have it
 * @param <T> the class of the parts
 */
public record StoredParts<T>(ExecutorBroadcast<?> stored, @Nullable Object like)
    implements Function<Integer, T> {

  /**
   * An RDD of the parts, one in each partition.
   *
   * @param context the application
   * @param values the parts
   * @param count how many there are
   * @param like an empty value of the class that parts are to have, or null where they have it
   * @param <T> the class of the parts
   * @return the RDD
   */
  public static <T> JavaRDD<T> rdd(
      JavaSparkContext context, StoredValues values, int count, @Nullable Object like) {
    ExecutorBroadcast<?> stored = values.broadcast();
    return StoredRdd.of(
        Ranks.numbered(context, count).map(new StoredParts<>(stored, like)), stored);
  }

  /** {@inheritDoc} The part is the caller's own: what is stored can be read again. */
  @Override
  @SuppressWarnings("unchecked")
  public T call(Integer part) {
    Object value = ((Object[]) stored.part(part))[0];
    boolean array = Vector.takes(value);
    Object model = array ? like : value;
    VectorAdapter adapter = model == null ? null : VectorAdapters.of(model);
    if (!array && adapter == null) {
      return (T) value;
    }
    Object own = copy(Vector.of(array ? value : requireNonNull(adapter).toArray(value)));
    return (T) (adapter == null ? own : adapter.fromArray(own, requireNonNull(model)));
  }

  private static Object copy(FixedVector vector) {
    FixedVector copy = (FixedVector) vector.allocate(vector.length());
    copy.copy(vector, 0, 0, vector.length());
    return copy.array();
  }
}
