package org.sparkcollectives.benchmarks.spark;

import java.util.ArrayList;
import java.util.List;
import org.sparkcollectives.benchmarks.report.Measurement;
import org.sparkcollectives.benchmarks.report.Tables;
import org.sparkcollectives.benchmarks.report.Target;
import org.sparkcollectives.benchmarks.report.Volume;

/** The bounds on medians, with one vector per executor. */
final class Targets {
  private static final long SMALL = Double.BYTES;
  private static final long LARGE = 8L << 20;
  private static final long LARGER = 32L << 20;

  /** The share of Spark's bytes at the driver's network card that ours stay below. */
  private static final double DRIVER_SHARE = 0.02;

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

  /**
   * The bounds on hosts with network cards, whose sizes were measured.
   *
   * @param measurements of all contenders
   * @param volumes of all contenders, at the driver
   * @param executors number of executors, and of partitions
   */
  static List<Target> onHosts(List<Measurement> measurements, List<Volume> volumes, int executors) {
    Targets targets = new Targets(measurements, executors);
    List<Target> list = new ArrayList<>();
    for (long bytes : List.of(LARGE, LARGER)) {
      if (!targets.measured(bytes)) {
        continue;
      }
      double base = targets.median(Contenders.TREE, bytes, Measurement.END_TO_END);
      Volume tree = volume(volumes, Contenders.TREE, executors, bytes);
      List<String> ours =
          List.of(
              Contenders.ONE_CALL,
              Contenders.ONE_CALL_CHOSEN,
              Contenders.INSIDE,
              Contenders.INSIDE_CHOSEN);
      for (String contender : ours) {
        boolean call = ours.indexOf(contender) < 2;
        String quantity = call ? Measurement.END_TO_END : Measurement.PER_OPERATION;
        String name = Tables.bytes(bytes) + ": " + contender;
        list.add(
            Target.faster(
                name + " against " + Contenders.TREE,
                base / targets.median(contender, bytes, quantity),
                call ? 4.5 : bytes == LARGE ? 7.5 : 5.5));
        long carried = volume(volumes, contender, executors, bytes).total();
        list.add(
            Target.lessShare(
                name + ", driver's bytes", (double) carried / tree.total(), DRIVER_SHARE));
      }
    }
    return list;
  }

  private static Volume volume(List<Volume> volumes, String contender, int partitions, long bytes) {
    return volumes.stream()
        .filter(v -> v.contender().equals(contender))
        .filter(v -> v.partitions() == partitions && v.bytes() == bytes)
        .findFirst()
        .orElseThrow(() -> new IllegalArgumentException(contender + " was not measured"));
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
      for (String contender : List.of(Contenders.INSIDE, Contenders.INSIDE_CHOSEN)) {
        list.add(
            Target.faster(
                size + ": " + contender + ", an operation, against " + rival,
                base / median(contender, bytes, Measurement.PER_OPERATION),
                inside));
      }
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
