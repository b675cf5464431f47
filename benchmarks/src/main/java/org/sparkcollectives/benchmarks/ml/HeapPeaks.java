package org.sparkcollectives.benchmarks.ml;

import java.lang.management.ManagementFactory;
import java.lang.management.MemoryPoolMXBean;
import java.lang.management.MemoryType;
import java.util.Collections;
import java.util.List;
import java.util.stream.IntStream;
import org.apache.spark.SparkContext;
import org.apache.spark.api.java.JavaSparkContext;
import org.sparkcollectives.spark.JavaCollectives;

/** The most that heaps have held, garbage included, of the driver and of its executors. */
final class HeapPeaks {
  /** Of the driver, in bytes. */
  private final long driver;

  /** Of the executor that held most, in bytes. */
  private final long executor;

  private HeapPeaks(long driver, long executor) {
    this.driver = driver;
    this.executor = executor;
  }

  long driver() {
    return driver;
  }

  long executor() {
    return executor;
  }

  /** Begins anew everywhere, after a collection of garbage. */
  static void reset(SparkContext context, int executors) {
    everywhere(context, executors, true);
    begin();
  }

  /** The peaks since then. */
  static HeapPeaks since(SparkContext context, int executors) {
    long most =
        everywhere(context, executors, false).stream().mapToLong(bytes -> bytes).max().orElse(0);
    return new HeapPeaks(peak(), most);
  }

  /** What each executor has held, by a job with a rank in each of them. */
  private static List<Long> everywhere(SparkContext context, int executors, boolean anew) {
    List<Integer> ranks = IntStream.range(0, executors).boxed().toList();
    return JavaCollectives.of(
            JavaSparkContext.fromSparkContext(context).parallelize(ranks, executors))
        .collectively(
            (communicator, unused) -> {
              long held = peak();
              if (anew) {
                begin();
              }
              return Collections.singleton(held).iterator();
            })
        .collect();
  }

  private static void begin() {
    System.gc();
    heap().forEach(MemoryPoolMXBean::resetPeakUsage);
  }

  private static long peak() {
    return heap().stream().mapToLong(pool -> pool.getPeakUsage().getUsed()).sum();
  }

  private static List<MemoryPoolMXBean> heap() {
    return ManagementFactory.getMemoryPoolMXBeans().stream()
        .filter(pool -> pool.getType() == MemoryType.HEAP)
        .toList();
  }
}
