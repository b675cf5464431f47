package org.sparkcollectives.benchmarks.spark;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.sparkcollectives.benchmarks.report.Measurement;
import org.sparkcollectives.benchmarks.report.Target;
import org.sparkcollectives.benchmarks.report.Volume;

class TargetsTest {
  private static final long BYTES = 8 << 20;

  @Test
  void hostsAreComparedByTimeAndByTheDriversBytes() {
    List<Measurement> measurements = new ArrayList<>();
    List<Volume> volumes = new ArrayList<>();
    add(measurements, volumes, Contenders.TREE, Measurement.END_TO_END, 9e6, 100 << 20);
    add(measurements, volumes, Contenders.ONE_CALL, Measurement.END_TO_END, 1e6, 1 << 20);
    add(measurements, volumes, Contenders.ONE_CALL_CHOSEN, Measurement.END_TO_END, 3e6, 1 << 20);
    add(measurements, volumes, Contenders.INSIDE, Measurement.PER_OPERATION, 1e6, 10 << 20);
    add(measurements, volumes, Contenders.INSIDE_CHOSEN, Measurement.PER_OPERATION, 2e6, 0);
    List<Target> targets = Targets.onHosts(measurements, volumes, 8);
    assertEquals(
        List.of(9.0, 1.0, 3.0, 1.0, 9.0, 10.0, 4.5, 0.0),
        targets.stream().map(Target::measured).toList());
    assertEquals(
        List.of(true, true, false, true, true, false, false, true),
        targets.stream().map(Target::met).toList());
  }

  @Test
  void operationsInAJobAreComparedByTwoTreesAndByTheLibrarysChoice() {
    List<Measurement> measurements = new ArrayList<>();
    List<Volume> volumes = new ArrayList<>();
    add(measurements, volumes, Contenders.TREE, Measurement.END_TO_END, 9e6, 0);
    add(measurements, volumes, Contenders.TREE_ON_EXECUTOR, Measurement.END_TO_END, 12e6, 0);
    add(measurements, volumes, Contenders.ONE_CALL, Measurement.END_TO_END, 3e6, 0);
    add(measurements, volumes, Contenders.INSIDE, Measurement.PER_OPERATION, 0.5e6, 0);
    add(measurements, volumes, Contenders.INSIDE_CHOSEN, Measurement.PER_OPERATION, 1e6, 0);
    List<Target> targets = Targets.of(measurements, 8);
    assertEquals(
        List.of(3.0, 18.0, 9.0, 4.0, 24.0, 12.0), targets.stream().map(Target::measured).toList());
    assertEquals(
        List.of(true, true, false, true, true, true), targets.stream().map(Target::met).toList());
  }

  @Test
  void sizesThatWereNotMeasuredHaveNone() {
    assertEquals(List.of(), Targets.onHosts(List.of(), List.of(), 8));
  }

  private static void add(
      List<Measurement> measurements,
      List<Volume> volumes,
      String contender,
      String quantity,
      double micros,
      long driverBytes) {
    measurements.add(new Measurement(contender, 8, 8, BYTES, quantity, List.of(micros)));
    volumes.add(
        new Volume(contender, Contenders.TREE, 8, BYTES, List.of(driverBytes), List.of(0L)));
  }
}
