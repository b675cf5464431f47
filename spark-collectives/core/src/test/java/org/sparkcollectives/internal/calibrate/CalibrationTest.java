package org.sparkcollectives.internal.calibrate;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.time.Duration;
import java.util.EnumMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Consumer;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.sparkcollectives.CommunicatorOptions;
import org.sparkcollectives.Group;
import org.sparkcollectives.cost.CostModel;
import org.sparkcollectives.cost.LevelCost;
import org.sparkcollectives.cost.Provenance;
import org.sparkcollectives.error.CollectiveException;
import org.sparkcollectives.error.InvalidInputException;
import org.sparkcollectives.internal.cost.Simulator;
import org.sparkcollectives.schedule.Level;
import org.sparkcollectives.schedule.Topology;

/** Models measured in virtual time, where they are known, and among threads. */
@Timeout(120)
class CalibrationTest {
  private static final Provenance NOWHERE = new Provenance("rank 0 nowhere", "2026-11-22", "test");

  /** Trials on the simulator's clock; each one that is timed is told. */
  private record Virtual(CostModel model, Consumer<Trial> timed) implements Timing {
    Virtual(CostModel model) {
      this(model, trial -> {});
    }

    @Override
    public void warmUp(Trial trial) {}

    @Override
    public double[] ofMany(Trial trial) {
      return ofFew(trial);
    }

    @Override
    public double[] ofFew(Trial trial) {
      timed.accept(trial);
      return new double[] {
        Simulator.run(model, trial.whole(), trial::schedule, (double) trial.bytes(), null).nanos()
      };
    }

    @Override
    public double combiningNanosPerByte() {
      return model.gammaNanosPerByte();
    }
  }

  @Test
  void anyNetworkIsRecovered() {
    for (int size : new int[] {3, 4, 5, 8, 13, 64, 100}) {
      LevelCost network = new LevelCost(2e6, 20, 4e5);
      CostModel known = CostModel.DEFAULT.withNetwork(network);
      CostModel found = calibrated(Topology.FLAT, size, known).model();
      assertCost(network, found.network());
      assertEquals(CostModel.DEFAULT.host(), found.host());
      assertEquals(known.gammaNanosPerByte(), found.gammaNanosPerByte());
      assertEquals(
          size + " ranks; built-in, not measured: process, host; rank 0 nowhere",
          found.provenance().machine());
    }
  }

  @Test
  void everyLevelThatRanksHaveIsRecovered() {
    // Three hosts, of which the second has two processes of two ranks, and one of a rank alone.
    Topology topology =
        Topology.of(
            List.of("b", "a", "b", "a", "b", "b", "c", "b"),
            List.of("b1", "a1", "b2", "a2", "b1", "b2", "c1", "b3"));
    CostModel found = calibrated(topology, 8, CostModel.DEFAULT).model();
    assertCost(CostModel.DEFAULT.network(), found.network());
    assertCost(CostModel.DEFAULT.host(), found.host());
    // Of two ranks nobody knows the gap.
    LevelCost near = CostModel.DEFAULT.process();
    assertEquals(near.alphaNanos(), found.process().alphaNanos(), near.alphaNanos() * 0.01);
    assertEquals(near.betaNanosPerByte(), found.process().betaNanosPerByte(), 1e-6);
    assertEquals(0.9 * found.process().alphaNanos(), found.process().gapNanos(), 1);
    assertEquals("8 ranks; rank 0 nowhere", found.provenance().machine());
  }

  @Test
  void hostsAreMeasuredInTurnWithAllTheirProcesses() {
    Topology topology =
        Topology.of(
            List.of("a", "b", "a", "b", "a", "b", "a", "b", "c", "c", "c", "c"),
            List.of("a1", "b1", "a1", "b1", "a2", "b2", "a2", "b2", "c1", "c1", "c2", "c2"));
    Map<Level, Set<Set<Integer>>> together = new EnumMap<>(Level.class);
    Timing noting =
        new Virtual(
            CostModel.DEFAULT,
            trial ->
                together
                    .computeIfAbsent(trial.groups().level(), level -> new HashSet<>())
                    .add(
                        IntStream.range(0, 12)
                            .filter(rank -> !trial.schedule(rank).rounds().isEmpty())
                            .boxed()
                            .collect(Collectors.toSet())));
    Calibration.measure(topology, 12, noting, NOWHERE, step -> {});
    Set<Integer> all = Set.of(0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11); // at first, to warm up
    assertEquals(
        Set.of(all, Set.of(0, 2, 4, 6), Set.of(1, 3, 5, 7), Set.of(8, 9, 10, 11)),
        together.get(Level.PROCESS));
    assertEquals(
        Set.of(Set.of(0, 4, 1, 5, 8, 10), Set.of(0, 4), Set.of(1, 5), Set.of(8, 10)),
        together.get(Level.HOST));
    // all hosts; of three, two do what takes pairs
    assertEquals(Set.of(Set.of(0, 1, 8), Set.of(0, 1)), together.get(Level.NETWORK));
  }

  /**
   * Eight hosts in two racks, in turn: four at once share an uplink that carries as much as some.
   */
  @ParameterizedTest
  @CsvSource({"1, 1", "2, 2", "0.5, 0.5", "4, 0", "100, 0"})
  void uplinksOfRacksAreRecovered(double lanes, double expected) {
    List<Integer> ranks = List.of(0, 1, 2, 3, 4, 5, 6, 7);
    Topology racks = Topology.of(ranks, ranks, List.of(0, 1, 1, 0, 0, 1, 1, 0));
    double beta = CostModel.DEFAULT.network().betaNanosPerByte();
    CostModel known = CostModel.DEFAULT.withUplink(beta / lanes);
    CostModel found = calibrated(racks, 8, known).model();
    double uplink = expected == 0 ? 0 : beta / expected;
    assertEquals(uplink, found.uplinkNanosPerByte(), 0.03 * beta / lanes);
    assertEquals(beta, found.network().betaNanosPerByte(), 0.01 * beta);
  }

  /** Of racks with 7 and 1 hosts nothing is known; with 6 and 2 two hosts send at once. */
  @ParameterizedTest
  @CsvSource({"7, 1, 0", "6, 1, 1", "6, 4, 0"})
  void uplinksAreMeasuredAsFarAsBothRacksHaveHosts(int hosts, double lanes, double expected) {
    List<Integer> ranks = List.of(0, 1, 2, 3, 4, 5, 6, 7);
    Topology racks = Topology.of(ranks, ranks, ranks.stream().map(r -> r < hosts).toList());
    double beta = CostModel.DEFAULT.network().betaNanosPerByte();
    CostModel known = CostModel.DEFAULT.withUplink(beta / lanes);
    double found = calibrated(racks, 8, known).model().uplinkNanosPerByte();
    assertEquals(expected == 0 ? 0 : beta / expected, found, 0.03 * beta);
  }

  @Test
  void samplesSayWhatTheModelWasFittedTo() {
    List<Calibration.Sample> samples = calibrated(Topology.FLAT, 8, CostModel.DEFAULT).samples();
    assertEquals(6, samples.size());
    assertEquals("allreduce reduce-broadcast", samples.get(0).operation());
    assertEquals("alltoall linear", samples.get(1).operation());
    assertEquals(2 << 20, samples.get(5).bytes());
    for (Calibration.Sample sample : samples) {
      assertEquals(Level.NETWORK, sample.level());
      assertEquals(sample.fittedNanos(), sample.nanos(), sample.nanos() * 0.01, sample.toString());
    }
  }

  @Test
  void ranksOfAProcessMeasureTheSame() {
    List<String> steps = new CopyOnWriteArrayList<>();
    List<Calibration> found =
        Group.threads(
            4,
            CommunicatorOptions.DEFAULT,
            communicator ->
                Calibration.measure(
                    communicator,
                    "test " + communicator.rank(),
                    new Stopwatch(communicator, 50, Duration.ofMillis(100), System::nanoTime),
                    communicator.rank() == 0 ? steps::add : step -> {}));
    assertEquals(
        List.of(
            "messages at level process, groups of 4 ranks: warm-up",
            "messages at level process: pass 1 of 3",
            "messages at level process: pass 2 of 3",
            "messages at level process: pass 3 of 3",
            Calibration.text(Level.PROCESS, found.get(0).model().process()),
            "combining vectors"),
        steps);
    Set<Calibration> different = new HashSet<>(found);
    assertEquals(1, different.size(), different.toString());
    CostModel model = found.get(0).model();
    LevelCost cost = model.process();
    // Within bounds that no machine exceeds, whatever else it does.
    assertTrue(cost.alphaNanos() > 10 && cost.alphaNanos() < 1e9, cost.toString());
    assertTrue(cost.betaNanosPerByte() > 1e-4 && cost.betaNanosPerByte() < 1e3, cost.toString());
    assertTrue(cost.gapNanos() >= 0.1 * cost.alphaNanos() * 0.999, cost.toString());
    assertTrue(cost.gapNanos() <= 0.9 * cost.alphaNanos() * 1.001, cost.toString());
    assertTrue(model.gammaNanosPerByte() > 1e-4 && model.gammaNanosPerByte() < 1e3);
    assertEquals(CostModel.DEFAULT.host(), model.host());
    assertEquals(CostModel.DEFAULT.network(), model.network());
    String machine = model.provenance().machine();
    assertTrue(
        machine.startsWith("4 ranks; built-in, not measured: host, network; rank 0 on "), machine);
    assertEquals("test 0", model.provenance().command());
    assertEquals(
        Set.of(Level.PROCESS),
        found.get(0).samples().stream().map(Calibration.Sample::level).collect(Collectors.toSet()));
  }

  @Test
  void oneRankCannotBeCalibrated() {
    CollectiveException failure =
        assertThrows(
            CollectiveException.class,
            () ->
                Group.threads(
                    1,
                    CommunicatorOptions.DEFAULT,
                    communicator -> Calibration.measure(communicator, "test")));
    assertTrue(failure.getCause() instanceof InvalidInputException, failure.toString());
    assertTrue(failure.getMessage().contains("between two ranks"), failure.getMessage());
  }

  private static Calibration calibrated(Topology topology, int size, CostModel known) {
    return Calibration.measure(topology, size, new Virtual(known), NOWHERE, step -> {});
  }

  private static void assertCost(LevelCost known, LevelCost found) {
    String both = known + " " + found;
    assertEquals(known.alphaNanos(), found.alphaNanos(), known.alphaNanos() * 0.01, both);
    assertEquals(
        known.betaNanosPerByte(), found.betaNanosPerByte(), known.betaNanosPerByte() * 1e-3, both);
    assertEquals(known.gapNanos(), found.gapNanos(), known.gapNanos() * 0.02, both);
  }
}
