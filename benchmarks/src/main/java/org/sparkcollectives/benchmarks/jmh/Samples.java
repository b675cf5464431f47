package org.sparkcollectives.benchmarks.jmh;

import java.util.SplittableRandom;
import java.util.stream.IntStream;
import org.sparkcollectives.internal.vector.FixedVector;
import org.sparkcollectives.internal.vector.Vector;

/** Vectors with content to measure on. */
final class Samples {
  private static final long SEED = 20261121;

  private Samples() {}

  /**
   * A vector of random elements, small integers in any type.
   *
   * @param type {@code double}, {@code float}, {@code long} or {@code int}
   * @param bytes its size
   */
  static FixedVector vector(String type, int bytes) {
    int[] values = new SplittableRandom(SEED).ints(bytes / Integer.BYTES, 0, 1000).toArray();
    return Vector.of(
        switch (type) {
          case "double" ->
              IntStream.of(values).limit(bytes / Double.BYTES).asDoubleStream().toArray();
          case "float" -> floats(values);
          case "long" -> IntStream.of(values).limit(bytes / Long.BYTES).asLongStream().toArray();
          case "int" -> values;
          default -> throw new IllegalArgumentException("no element type " + type);
        });
  }

  private static float[] floats(int[] values) {
    float[] result = new float[values.length];
    for (int i = 0; i < values.length; i++) {
      result[i] = values[i];
    }
    return result;
  }
}
