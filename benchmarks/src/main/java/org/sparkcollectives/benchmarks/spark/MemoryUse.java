package org.sparkcollectives.benchmarks.spark;

import com.sun.management.ThreadMXBean;
import java.io.Serializable;
import java.lang.management.ManagementFactory;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.Consumer;
import org.apache.spark.broadcast.Broadcast;
import org.sparkcollectives.Communicator;
import org.sparkcollectives.benchmarks.memory.MemoryProbe;
import org.sparkcollectives.benchmarks.report.Tables;
import org.sparkcollectives.benchmarks.report.Target;
import org.sparkcollectives.spark.JavaCollectives;
import org.sparkcollectives.vector.ReduceOp;

/**
 * How much memory an all-reduce by two trees needs on an executor besides the vector itself, in an
 * application that has done nothing before.
 */
final class MemoryUse {
  private static final double MEBIBYTE = 1 << 20;
  private static final double ALLOWANCE_MIB = 16;
  private static final int OPERATIONS = 8;
  private static final String TWO_TREE = "two-tree";

  private final Consumer<String> progress;
  private final List<Target> targets = new ArrayList<>();
  private final Map<String, String> findings = new LinkedHashMap<>();

  /** What a rank saw: its use above the idle executor's, and what its thread allocated. */
  private record RankUse(MemoryProbe.Usage peak, long directAtStart, long allocated)
      implements Serializable {}

  /**
   * An empty measurement.
   *
   * @param progress takes a line whenever something is done
   */
  MemoryUse(Consumer<String> progress) {
    this.progress = progress;
  }

  /** The bounds. */
  List<Target> targets() {
    return List.copyOf(targets);
  }

  /** What else was found. */
  Map<String, String> findings() {
    return findings;
  }

  /**
   * Measures operations of one program.
   *
   * @param vectors one per executor
   */
  void inside(Vectors vectors) {
    long idleDirect =
        vectors.rdd().map(ignored -> MemoryProbe.inUse().direct()).collect().stream()
            .mapToLong(Long::longValue)
            .max()
            .orElseThrow();
    List<RankUse> ranks =
        JavaCollectives.of(vectors.rdd())
            .collectively((communicator, own) -> List.of(watch(communicator, own)).iterator())
            .collect();
    double peak =
        ranks.stream()
            .mapToLong(r -> r.peak().total() + Math.max(0, r.directAtStart() - idleDirect))
            .max()
            .orElseThrow();
    long allocated = ranks.stream().mapToLong(RankUse::allocated).max().orElseThrow();
    String size = Tables.bytes(vectors.bytes());
    add("collectively: memory of a rank besides its " + size + " vector", peak, vectors, 1);
    findings.put(
        "heap that a rank's thread allocates in " + OPERATIONS + " operations on " + size,
        String.format(Locale.ROOT, "%.1f MiB", allocated / MEBIBYTE));
  }

  private static RankUse watch(Communicator communicator, Iterator<double[]> own)
      throws InterruptedException {
    double[] vector = own.next().clone();
    ThreadMXBean threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();
    long directAtStart = MemoryProbe.inUse().direct();
    MemoryProbe.start();
    communicator.barrier();
    long before = threads.getCurrentThreadAllocatedBytes();
    for (int i = 0; i < OPERATIONS; i++) {
      communicator.by(TWO_TREE).allReduce(vector, ReduceOp.SUM);
    }
    long allocated = threads.getCurrentThreadAllocatedBytes() - before;
    return new RankUse(MemoryProbe.stop(), directAtStart, allocated);
  }

  /**
   * Measures calls, one after another.
   *
   * @param vectors as many on each executor
   * @param executors number of executors, one rank each
   * @param most how many vectors' memory a call may take besides them
   */
  void calls(Vectors vectors, int executors, int most) {
    vectors.rdd().foreachPartition(ignored -> MemoryProbe.start());
    for (int i = 0; i < OPERATIONS; i++) {
      Broadcast<double[]> result = JavaCollectives.of(vectors.rdd()).twoTreeAllReduce(ReduceOp.SUM);
      result.destroy(true);
    }
    double peak =
        vectors.rdd().mapPartitions(ignored -> peak().iterator()).collect().stream()
            .mapToLong(Long::longValue)
            .max()
            .orElseThrow();
    int each = vectors.partitions() / executors;
    String own = each == 1 ? " vector" : " vectors, " + each + " of them";
    add(
        "twoTreeAllReduce: memory of an executor besides its "
            + Tables.bytes(vectors.bytes())
            + own,
        peak,
        vectors,
        most);
  }

  /** The peak of the executor that asks first. */
  private static List<Long> peak() throws InterruptedException {
    return MemoryProbe.isActive() ? List.of(MemoryProbe.stop().total()) : List.of();
  }

  private void add(String name, double bytes, Vectors vectors, int most) {
    double limit = most * vectors.bytes() / MEBIBYTE + ALLOWANCE_MIB;
    Target target = Target.below(name, bytes / MEBIBYTE, limit);
    targets.add(target);
    progress.accept(String.format(Locale.ROOT, "%s: %.1f MiB", name, target.measured()));
  }
}
