package org.sparkcollectives.spark.internal.input;

import java.util.stream.IntStream;
import org.apache.spark.api.java.JavaRDD;
import org.apache.spark.api.java.JavaSparkContext;

/** The input of ranks that need none but their numbers. */
public final class Ranks {
  private Ranks() {}

  /**
   * An RDD of numbers.
   *
   * @param context the application
   * @param size how many
   * @return the numbers from 0 up to the size, one in each partition
   */
  public static JavaRDD<Integer> numbered(JavaSparkContext context, int size) {
    return context.parallelize(IntStream.range(0, size).boxed().toList(), size);
  }
}
