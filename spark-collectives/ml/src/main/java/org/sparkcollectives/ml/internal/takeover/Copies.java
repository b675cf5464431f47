package org.sparkcollectives.ml.internal.takeover;

import java.io.IOException;
import org.apache.spark.api.java.function.Function;
import org.jspecify.annotations.Nullable;
import org.sparkcollectives.spark.internal.rendezvous.SparkCodec;

/**
 * Copies what a partition has become, the only element of an array, by the application's
 * serializer. Spark brings it to others by the same means, so that what is combined there shares
 * nothing with the elements it was made of: these may be cached.
 */
enum Copies implements Function<Object[], Object[]> {
  /** The only one. */
  APART;

  @Override
  public Object[] call(Object[] held) throws IOException {
    return new Object[] {of(held[0])};
  }

  /**
   * Copies an object.
   *
   * @param value the object, which may be null
   * @return one that shares nothing with it
   * @throws IOException if its serializer cannot copy it
   */
  static @Nullable Object of(@Nullable Object value) throws IOException {
    return value == null ? null : new SparkCodec().copy(value);
  }
}
