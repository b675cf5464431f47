package org.sparkcollectives.benchmarks.spark;

import java.util.ArrayList;
import java.util.List;
import org.sparkcollectives.benchmarks.report.Measurement;
import org.sparkcollectives.benchmarks.report.Target;

/** The bounds on medians, with one vector per executor. */
final class Targets {
  private static final long SMALL = Double.BYTES;
  private static final long LARGE = 8L << 20;

  private final List<Measurement> measurements;
  private final int executors;

  private Targets(List<Measurement> measurements, int executors) {
    this.measurements = measurements;
    this.executors = executors;
  }

  /**
   * The bounds whose sizes were measured.
   *
   * @param measurements of all contenders
   * @param executors number of executors, and of partitions
   */
  static List<Target> of(List<Measurement> measurements, int executors) {
    Targets targets = new Targets(measurements, executors);
    List<Target> list = new ArrayList<>();
    if (targets.measured(LARGE)) {
      list.addAll(targets.faster("8 MiB", LARGE, 2, 10));
    }
    if (targets.measured(SMALL)) {
      list.addAll(targets.faster("8 B", SMALL, 1, 100));
    }
    return list;
  }

  private List<Target> faster(String size, long bytes, double oneCall, double inside) {
    List<Target> list = new ArrayList<>();
    for (String rival : List.of(Contenders.TREE, Contenders.TREE_ON_EXECUTOR)) {
      double base = median(rival, bytes, Measurement.END_TO_END);
      list.add(
          Target.faster(
              size + ": " + Contenders.ONE_CALL + " against " + rival,
              base / median(Contenders.ONE_CALL, bytes, Measurement.END_TO_END),
              oneCall));
      list.add(
          Target.faster(
              size + ": " + Contenders.INSIDE + ", an operation, against " + rival,
              base / median(Contenders.INSIDE, bytes, Measurement.PER_OPERATION),
              inside));
    }
    return list;
  }

  private boolean measured(long bytes) {
    return measurements.stream().anyMatch(m -> m.bytes() == bytes && m.partitions() == executors);
  }

  private double median(String contender, long bytes, String quantity) {
    return measurements.stream()
        .filter(m -> m.contender().equals(contender) && m.quantity().equals(quantity))
        .filter(m -> m.bytes() == bytes && m.partitions() == executors)
        .mapToDouble(m -> m.summary().median())
        .findFirst()
        .orElseThrow(() -> new IllegalArgumentException(contender + " was not measured"));
  }
}
