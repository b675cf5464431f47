package org.sparkcollectives.benchmarks.ml;

import java.io.Serializable;
import java.lang.management.ManagementFactory;
import java.lang.management.MemoryPoolMXBean;
import java.lang.management.MemoryType;
import java.util.List;
import java.util.stream.IntStream;
import org.apache.spark.SparkContext;
import org.apache.spark.api.java.JavaSparkContext;
import org.sparkcollectives.benchmarks.memory.MemoryProbe;
import org.sparkcollectives.spark.JavaCollectives;

/** Memory of the driver and of its executors. */
final class Memory {
  private final SparkContext context;
  private final int executors;

  /**
   * What is watched.
   *
   * @param context the driver's
   * @param executors how many executors there are, of one core each
   */
  Memory(SparkContext context, int executors) {
    this.context = context;
    this.executors = executors;
  }

  /**
   * A number of bytes for each JVM.
   *
   * @param driver the driver's
   * @param executors one for each executor
   */
  record Bytes(long driver, List<Long> executors) {
    long fullest() {
      return executors.stream().mapToLong(bytes -> bytes).max().orElseThrow();
    }
  }

  /**
   * What was in use, in live objects and direct buffers.
   *
   * @param idle before
   * @param most how much more it was at most
   */
  record Live(Bytes idle, Bytes most) {}

  /**
   * Watches what is in use while something runs. Garbage is collected again and again meanwhile, so
   * that what runs takes longer than otherwise.
   *
   * @param running what runs
   */
  Live watch(Runnable running) {
    Bytes idle =
        everywhere(
            () -> {
              long now = MemoryProbe.inUse().total();
              MemoryProbe.start();
              return now;
            });
    running.run();
    return new Live(idle, everywhere(() -> MemoryProbe.stop().total()));
  }

  /** Collects garbage, and forgets how full heaps have been. */
  void clear() {
    everywhere(
        () -> {
          System.gc();
          heap().forEach(MemoryPoolMXBean::resetPeakUsage);
          return 0;
        });
  }

  /** How full heaps have been since then at most, garbage included: their pools' peaks together. */
  Bytes reached() {
    return everywhere(
        () ->
            Math.min(
                Runtime.getRuntime().maxMemory(),
                heap().stream().mapToLong(pool -> pool.getPeakUsage().getUsed()).sum()));
  }

  private interface Question extends Serializable {
    long asked() throws InterruptedException;
  }

  /** Asks the executors, by a job with a rank in each of them, and the driver. */
  private Bytes everywhere(Question question) {
    List<Integer> ranks = IntStream.range(0, executors).boxed().toList();
    List<Long> answers =
        JavaCollectives.of(JavaSparkContext.fromSparkContext(context).parallelize(ranks, executors))
            .collectively((communicator, unused) -> List.of(question.asked()).iterator())
            .collect();
    try {
      return new Bytes(question.asked(), List.copyOf(answers));
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException("interrupted while memory was looked at", e);
    }
  }

  private static List<MemoryPoolMXBean> heap() {
    return ManagementFactory.getMemoryPoolMXBeans().stream()
        .filter(pool -> pool.getType() == MemoryType.HEAP)
        .toList();
  }
}
