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

  private final Vectors vectors;
  private final Consumer<String> progress;
  private final List<Target> targets = new ArrayList<>();
  private final Map<String, String> findings = new LinkedHashMap<>();

  /** What a rank saw: its use above the idle executor's, and what its thread allocated. */
  private record RankUse(MemoryProbe.Usage peak, long directAtStart, long allocated)
      implements Serializable {}

  /**
   * Measures.
   *
   * @param vectors one per executor
   * @param progress takes a line whenever something is done
   */
  MemoryUse(Vectors vectors, Consumer<String> progress) {
    this.vectors = vectors;
    this.progress = progress;
    inside();
    oneCall();
  }

  /** The bounds. */
  List<Target> targets() {
    return List.copyOf(targets);
  }

  /** What else was found. */
  Map<String, String> findings() {
    return findings;
  }

  private void inside() {
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
    add("collectively: memory of a rank besides its " + size() + " vector", peak);
    findings.put(
        "heap that a rank's thread allocates in " + OPERATIONS + " operations on " + size(),
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

  private void oneCall() {
    vectors.rdd().foreachPartition(ignored -> MemoryProbe.start());
    for (int i = 0; i < OPERATIONS; i++) {
      Broadcast<double[]> result = JavaCollectives.of(vectors.rdd()).twoTreeAllReduce(ReduceOp.SUM);
      result.destroy(true);
    }
    double peak =
        vectors
            .rdd()
            .mapPartitions(ignored -> List.of(MemoryProbe.stop().total()).iterator())
            .collect()
            .stream()
            .mapToLong(Long::longValue)
            .max()
            .orElseThrow();
    add("twoTreeAllReduce: memory of an executor besides its " + size() + " vector", peak);
  }

  private void add(String name, double bytes) {
    double limit = vectors.bytes() / MEBIBYTE + ALLOWANCE_MIB;
    Target target = Target.below(name, bytes / MEBIBYTE, limit);
    targets.add(target);
    progress.accept(String.format(Locale.ROOT, "%s: %.1f MiB", name, target.measured()));
  }

  private String size() {
    return Tables.bytes(vectors.bytes());
  }
}
