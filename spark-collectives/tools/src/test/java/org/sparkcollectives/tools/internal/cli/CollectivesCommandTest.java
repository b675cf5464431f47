package org.sparkcollectives.tools.internal.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.Callable;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.sparkcollectives.cost.CostModel;
import org.sparkcollectives.internal.algorithm.Algorithm;
import org.sparkcollectives.internal.algorithm.Algorithms;
import org.sparkcollectives.internal.algorithm.ScheduleBuilder;
import org.sparkcollectives.internal.algorithm.ScheduledAlgorithm;
import org.sparkcollectives.internal.algorithm.Traits;
import org.sparkcollectives.internal.conformance.Sweep;
import org.sparkcollectives.internal.cost.Simulation;
import org.sparkcollectives.internal.cost.Simulator;
import org.sparkcollectives.internal.select.Choice;
import org.sparkcollectives.internal.select.Selector;
import org.sparkcollectives.schedule.BlockRange;
import org.sparkcollectives.schedule.Collective;
import org.sparkcollectives.schedule.Phase;
import org.sparkcollectives.schedule.Problem;
import org.sparkcollectives.schedule.Schedule;
import org.sparkcollectives.schedule.Topology;
import org.sparkcollectives.select.Request;
import org.sparkcollectives.spark.internal.conf.CostProfile;
import org.sparkcollectives.tools.internal.json.ScheduleJson;
import org.sparkcollectives.verify.Verifier;
import picocli.CommandLine;

final class CollectivesCommandTest {
  private final StringWriter out = new StringWriter();
  private final StringWriter err = new StringWriter();

  private int run(String line) {
    String[] arguments = line.isEmpty() ? new String[0] : line.split(" ");
    return CollectivesCommand.execute(new PrintWriter(out), new PrintWriter(err), arguments);
  }

  @Test
  void listShowsTheWholeRegistry() {
    assertEquals(0, run("list"));
    List<String> lines = out.toString().lines().toList();
    for (int i = 0; i < Algorithms.all().size(); i++) {
      Algorithm algorithm = Algorithms.all().get(i);
      String line = lines.get(i + 1);
      assertTrue(line.startsWith(algorithm.collective().slug() + " "), line);
      assertTrue(line.contains(" " + algorithm.slug() + " "), line);
      assertTrue(line.contains(algorithm.traits().source()), line);
    }
    assertTrue(
        lines.stream().anyMatch(line -> line.matches("allreduce +ring +no +198 .*")),
        out::toString);
    assertTrue( // of a number of blocks that it can have: every rank's part goes to the root
        lines.stream()
            .anyMatch(line -> line.matches("gather +hierarchical +- +\\d+ +[1-9]\\d*/100 .*")),
        out::toString);
  }

  @Test
  void scheduleShowsEveryRank() {
    assertEquals(
        0, run("schedule --collective reduce --algorithm binomial --size 5 --blocks 2 --root 3"));
    assertEquals(
        """
        reduce by binomial, 5 ranks, root 3, 2 blocks, in order
        rank 0
          round 0: receive s1[0, 2) from 1; v[0, 2) = v ⊕ s1
          round 1: send v[0, 2) to 3
        rank 1
          round 0: send v[0, 2) to 0
        rank 2
          round 0: send v[0, 2) to 3
        rank 3
          round 0: receive s1[0, 2) from 2; v[0, 2) = s1 ⊕ v
          round 1: receive s1[0, 2) from 0; v[0, 2) = s1 ⊕ v
          round 2: receive s1[0, 2) from 4; v[0, 2) = v ⊕ s1
        rank 4
          round 2: send v[0, 2) to 3
        """,
        out.toString().replace(System.lineSeparator(), "\n"));
  }

  @Test
  void scheduleAsJsonCanBeReadAndVerified() {
    assertEquals(
        0,
        run(
            "schedule --collective allreduce --algorithm ring --size 6 --blocks 9 --unordered --json"));
    List<Schedule> schedules = ScheduleJson.read(out.toString());
    assertEquals(6, schedules.size());
    assertTrue(Verifier.verify(schedules, null).isCorrect());
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "'' | a command is missing",
        "price --collective scan --size 4 --bytes 4x | '4x' is no number of bytes",
        "price --collective scan --size 4 --bytes 999999999999999g | '999999999999999g' is no number of"
            + " bytes: it is above 2^63 - 1",
        "price --collective alltoall --size 4 --bytes 9223372036854775807 | an alltoall of"
            + " 9223372036854775807 bytes from each of 4 ranks has no price",
        "price --collective scan --size 0 --bytes 4 | --size is 0",
        "price --collective scan --size , --bytes 4 | --size is given without a value: there is none"
            + " beside its commas. Give one, or several with commas between them",
        "simulate --collective scan --size 4 --bytes , | --bytes is given without a value",
        "explain --collective scan --size 4 --bytes ,, | --bytes is given without a value",
        "price --collective scan --size 4 --bytes 4 --hosts , | --hosts is given without a value",
        "draw --collective allgather --algorithm ring --size 4 --racks , | --racks is given without",
        "price --collective allgather --size 4 --bytes 4 --counts , | --counts is given without a",
        "price --collective scan --size 500,13 --hosts 500 --bytes 4 | --hosts is 500: 13 ranks share"
            + " at most 13 hosts. Give a whole number from 1 to 13",
        "draw --collective allgather --algorithm ring --size 4 --hosts 5 | --hosts is 5",
        "explain --collective scan --size 4 --bytes 4 --rules size>4:tree | unknown algorithm 'tree'",
        "explain --collective scan --size 4 --bytes 4 --profile no-such.json | the cost profile"
            + " no-such.json cannot be read",
        "lst | Unmatched argument",
        "schedule --collective scan | Missing required options",
        "schedule --collective scna --algorithm two-tree --size 4 --blocks 1 | unknown collective"
            + " 'scna': the collectives are broadcast, reduce, allreduce,",
        "schedule --collective scan --algorithm tow-tree --size 4 --blocks 1 | unknown algorithm"
            + " 'tow-tree' for scan: the algorithms for scan are simultaneous-binomial, ",
        "schedule --collective allreduce --algorithm ring --size 4 --blocks 1 | allreduce by 'ring'"
            + " has no schedule that keeps rank order",
        "schedule --collective scan --algorithm two-tree --size 0 --blocks 1 | --size is 0: it must"
            + " be at least 1",
        "schedule --collective scan --algorithm two-tree --size 4 --blocks -1 | --blocks is -1",
        "schedule --collective scan --algorithm two-tree --size x --blocks 1 | Invalid value for"
            + " option '--size'",
        "schedule --collective reduce --algorithm two-tree --size 4 --blocks 1 --root 4 | root 4 of"
            + " a reduce is out of range: the ranks are 0 to 3",
        "schedule --collective scan --algorithm two-tree --size 4 --blocks 1 --root 1 | root 1 is"
            + " given for scan",
        "verify --max-size 0 | --max-size is 0",
        "calibrate --first localhost:1 --size 0 --secret-file no | --size is 0: it must be at least 1",
        "calibrate --first localhost:1 --size 2 --secret-file no --connections 65 | --connections is 65:"
            + " two ranks have 1 to 64 to each other",
        "verify --schedule no-such.json | the file 'no-such.json' cannot be read",
        "verify --schedule pom.xml | the file 'pom.xml' holds no schedules: line 1 is no JSON",
        "verify --schedule pom.xml --max-size 4 | --max-size is given with --schedule",
        "verify --algorithm tow-tree | unknown algorithm 'tow-tree'",
        "draw --collective gather --algorithm binomial | Missing required option",
        "draw --collective gather --algorithm binomal --size 3 | unknown algorithm 'binomal' for"
            + " gather: the algorithms for gather are binomial",
        "draw --collective gather --algorithm binomial --size 3 --view tree | Invalid value for"
            + " option '--view': 'tree' is none of trees, time, all",
        "draw --collective alltoall --algorithm pairwise --size 3 --view trees | alltoall by"
            + " 'pairwise' has no trees to draw: its blocks do not travel along trees over all"
            + " ranks. Draw its rounds over time.",
        "draw --collective allgather --algorithm ring --size 1000 | 1000 ranks over 999 rounds are"
            + " too large to draw",
        "draw --collective allgather --algorithm ring --size 4 --hosts 0 | --hosts is 0",
        "price --collective allreduce --size 2147483647 --bytes 8m | 2147483647 ranks are too many: the"
            + " rounds of some algorithms are several times the ranks, and are counted up to 2^31 - 1."
            + " Use at most 268435456 ranks",
        "price --collective scan --size 8 --hosts 1,5,3 --bytes 4 | --hosts is 1,5,3, which is 9 ranks:"
            + " there are 8. Give numbers whose sum is 8, or how many share all of them alone",
        "price --collective scan --size 8 --hosts 1,5,2 --processes 2 --bytes 4 | --processes is 2:"
            + " a host of 1 rank has at most as many processes",
        "explain --collective scan --size 8 --processes 2 --bytes 4 | --processes is 2: a host of 1",
        "draw --collective scan --algorithm two-tree --size 8 --hosts 2 --processes 0 | --processes"
            + " is 0",
        "price --collective scan --size 8 --hosts 4 --racks 1,2 --bytes 4 | --racks is 1,2, which is"
            + " 3 hosts: there are 4",
        "price --collective scan --size 8 --hosts 4 --racks 5 --bytes 4 | --racks is 5: 4 hosts"
            + " share at most 4 racks. Give a whole number from 1 to 4, or leave it out",
        "price --collective scan --size 8 --interleaved-racks --bytes 4 | --interleaved-racks is given"
            + " without --racks",
        "price --collective scan --size 8 --racks 2 --uplink 0 --bytes 4 | --uplink is 0.0",
        "price --collective scan --size 8 --uplink 2 --bytes 4 | --uplink is given without --racks",
        "price --collective scan --size 8 --racks 1 --uplink 2 --bytes 4 | --uplink is given where no ranks share one",
        "explain --collective scan --size 8 --racks 8 --uplink 2 --bytes 4 | --uplink is given where no ranks share one",
        "price --collective scan --size 8 --hosts 1,-5,12 --bytes 4 | --hosts is -5",
        "price --collective scan --size 2 --counts 1,3 --bytes 64 | --counts is given for scan: prices"
            + " know parts of different lengths of allgather and reduce_scatter alone",
        "price --collective allgather --size 3 --counts 1,3 --bytes 64 | --counts is 1,3: there are 3"
            + " ranks, each with a part. Give 3 numbers of which one is above 0",
        "price --collective allgather --size 2 --counts 1,-3 --bytes 64 | --counts is -3",
        "price --collective scan --size 8 --interleaved --bytes 4 | --interleaved is given without"
            + " --hosts",
        "schedule --collective alltoall --algorithm bruck --size 5 --blocks 7 | --blocks is 7: alltoall"
            + " among 5 ranks has a block for each pair of them. Give 25, or leave it out",
        "draw --collective gather --algorithm binomial --size 3 -o no/such/folder.svg | the file"
            + " 'no/such/folder.svg' cannot be written",
        "verify --collective scan --algorithm ring | unknown algorithm 'ring' for scan",
        "simulate --collective scan --bytes 4 | Missing required option",
        "simulate --collective scan --algorithm tow-tree --size 4 --bytes 8 | unknown algorithm"
            + " 'tow-tree' for scan",
        "simulate --collective allreduce --algorithm ring --size 4 --bytes 8 --ordered | allreduce by"
            + " 'ring' has no schedule that keeps rank order: 'ring' combines operands as they come"
            + " around. Leave out --ordered if any order will do, or use 'recursive-doubling' or",
        "explain --collective allreduce --size 8 --bytes 8 --ordered --rules ring | allreduce by 'ring'"
            + " has no schedule that keeps rank order: 'ring' combines operands as they come around."
            + " Leave out --ordered if any order will do, or use 'recursive-doubling' or",
        "simulate --collective allreduce --algorithm ring --size 100000 --bytes 1g | 100000 ranks over"
            + " 199998 rounds are too large to simulate: ranks times rounds may be 5000000 at most",
        "schedule --collective alltoall --algorithm pairwise --size 50000 | 50000 ranks are too many for"
            + " schedules of an alltoall: it has a block for each pair of them",
        "schedule --collective alltoall --algorithm bruck --size 1400 | 1400 ranks are too many for",
        "schedule --collective alltoall --algorithm bruck --size 5 --blocks 0 | --blocks is 0: alltoall",
        "schedule --collective broadcast --algorithm binomial --size 2147483647 | --size is 2147483647:"
            + " schedules are made for 2000000 at most. Give a whole number from 1 to 2000000",
        "schedule --collective broadcast --algorithm binomial --size 2000000 | 2000000 ranks over 21"
            + " rounds are too large to schedule: ranks times rounds may be 2000000 at most",
        "schedule --collective broadcast --algorithm two-tree --size 4 --blocks 2147483647 | --blocks is"
            + " 2147483647: schedules are made for 2000000 at most",
        "schedule --collective broadcast --algorithm two-tree --size 4 --blocks 2000000 | 4 ranks over",
        "schedule --collective broadcast --algorithm linear-pipeline --size 2 --blocks 2000000 | 2 ranks"
            + " over 2000000 rounds are too large to schedule: ranks times rounds may be 2000000 at"
            + " most. Give fewer --blocks or a smaller --size, or name an algorithm of fewer rounds.",
        "draw --collective broadcast --algorithm binomial --view trees --size 100000000 | --size is",
        "draw --collective broadcast --algorithm binomial --view trees --size 300 | trees of 300 ranks"
            + " are too large to draw: at most 256 ranks are drawn in trees",
        "draw --collective broadcast --algorithm binomial --size 200 --blocks 1000000 | 1000000 blocks of"
            + " 200 ranks are too many to draw",
        "draw --collective broadcast --algorithm two-tree --size 9 --view time --blocks 50000 | 9 ranks"
            + " over",
        "price --size 2000000000 --hosts 2 --collective scan --bytes 8 | 2000000000 ranks are too many"
            + " for --hosts and --racks",
        "simulate --collective reduce --size 4 --bytes 8 --profile no-such.json | the cost profile"
            + " no-such.json cannot be read"
      })
  void badInputIsExplained(String line, String message) {
    assertEquals(2, run(line), err::toString);
    String said = err.toString().replaceFirst("^\\s*… [^\\n]* s\\R", ""); // on a slow machine
    assertTrue(said.startsWith(message), err::toString);
    assertEquals("", out.toString());
  }

  @Test
  void explainShowsCandidatesChoiceAndReason() {
    assertEquals(0, run("explain --collective allreduce --size 13 --bytes 8m --ordered"));
    String text = out.toString();
    assertTrue(text.startsWith("allreduce, 13 ranks on 13 hosts, 8388608 bytes, in rank order"));
    assertTrue(text.lines().anyMatch(l -> l.matches("  ring +it combines out of rank order")));
    assertTrue(text.lines().anyMatch(l -> l.matches("[a-z-]+: it is the cheapest; .* predicted")));
    assertTrue(text.lines().anyMatch(l -> l.matches("profile: nominal: 10 Gbit/s, [0-9-]+")));
    assertEquals(
        0, run("explain --collective scan --size 12 --hosts 3 --bytes 8 --rules size>3:two-tree"));
    assertTrue(out.toString().contains("two-tree: the rule 'size>3: two-tree' names it"));
  }

  @Test
  void explainTellsWhatReproducibleResultsTake() {
    String line = "explain --collective allreduce --size 8 --bytes 8m";
    assertEquals(0, run(line), err::toString);
    assertFalse(out.toString().contains("pipelined-binary-tree: "), out::toString);
    out.getBuffer().setLength(0);
    assertEquals(0, run(line + " --reproducible"), err::toString);
    assertTrue(
        out.toString()
            .contains("pipelined-binary-tree: results are to be reproducible, so it is used for"),
        out::toString);
  }

  @Test
  void priceShowsEveryAlgorithmForEverySize() {
    String profile = "../../conf/cost-200mbit.json";
    assertEquals(
        0, run("price --collective reduce --size 8,13 --bytes 8,256k,8m --profile " + profile));
    List<String> lines = out.toString().lines().toList();
    assertTrue(lines.get(0).startsWith("profile: nominal: hosts with cards of 200 Mbit/s"));
    for (Algorithm algorithm : Algorithms.of(Collective.REDUCE)) {
      String start = "  " + algorithm.slug() + " ";
      assertEquals(6, lines.stream().filter(line -> line.startsWith(start)).count(), start);
    }
    assertTrue(lines.contains("reduce, 8 ranks on 8 hosts, 262144 bytes"), lines.toString());
    assertEquals(0, run("price --collective reduce --size 13 --hosts 4 --bytes 8 --ordered"));
    assertTrue(out.toString().contains("reduce, 13 ranks on 4 hosts, 8 bytes, in rank order"));
  }

  @Test
  void simulateShowsTheClockBesideTheClosedForm() {
    String profile = "../../conf/cost-200mbit.json";
    String line = "simulate --collective broadcast --algorithm binomial --size 8,13 --bytes 8,1m";
    assertEquals(0, run(line + " --profile " + profile), err::toString);
    String text = out.toString();
    assertTrue(text.startsWith("profile: nominal: hosts with cards of 200 Mbit/s"), text);
    List<String> lines = text.lines().toList();
    assertEquals(4, lines.stream().filter("  algorithm     binomial"::equals).count(), text);
    int from = lines.indexOf("broadcast, 13 ranks on 13 hosts, 1048576 bytes");
    assertEquals("  rounds        4", lines.get(from + 2));
    assertEquals("  blocks        1 of 1048576 bytes", lines.get(from + 3));
    CostModel model = CostProfile.read(text(Path.of(profile)), profile);
    Request request = Request.of(Collective.BROADCAST, 13, 1 << 20, false, Topology.FLAT);
    Choice choice = new Selector(model).choose(request, "binomial");
    Simulation simulation =
        Simulator.run(
            model,
            choice.problem(),
            rank -> choice.algorithm().schedule(choice.problem(), rank),
            1 << 20,
            null);
    assertEquals(
        String.format(Locale.ROOT, "  simulated     %.2f ms", simulation.nanos() / 1e6),
        lines.get(from + 4));
    assertEquals(
        String.format(
            Locale.ROOT,
            "  closed form   %.2f ms, simulated ÷ closed form %.2f",
            choice.nanos() / 1e6,
            simulation.nanos() / choice.nanos()),
        lines.get(from + 5));
    assertEquals(
        "  busiest rank  0, sends 4194304 bytes in 4 messages and receives 0 in 0",
        lines.get(from + 7));
    assertEquals(
        "  busiest card  that of host 0, sends 4194432 bytes with headers and receives 0",
        lines.get(from + 8));
  }

  @Test
  void simulateTakesTheAlgorithmThatTheLibraryWouldChoose() {
    assertEquals(
        0, run("simulate --collective allreduce --size 13 --hosts 4 --bytes 8m --ordered"));
    Topology topology = Topology.ofHosts(List.of(0, 0, 0, 0, 1, 1, 1, 2, 2, 2, 3, 3, 3));
    Request request = Request.of(Collective.ALLREDUCE, 13, 8 << 20, true, topology);
    Choice choice = new Selector(CostModel.DEFAULT).choose(request);
    assertTrue(out.toString().contains("  algorithm     " + choice.algorithm().slug() + "\n"));
    assertTrue(out.toString().contains("allreduce, 13 ranks on 4 hosts, 8388608 bytes, in rank "));
  }

  @Test
  void partsOfDifferentLengthsArePricedAndSimulated() {
    String request = " --collective allgather --size 4 --counts 5,1,0,2 --bytes 8m";
    assertEquals(0, run("explain" + request), err::toString);
    List<String> lines = out.toString().lines().toList();
    assertTrue(lines.get(0).endsWith(", parts of 0 to 5242880 bytes"), out::toString);
    assertTrue(lines.get(2).startsWith("  pipelined-ring "), out::toString);
    assertTrue(lines.get(2).contains(" 8388608 of host "), out::toString);
    assertEquals(0, run("simulate" + request), err::toString);
    assertTrue(out.toString().contains("algorithm     pipelined-ring"), out::toString);
    assertTrue(out.toString().contains("sends 8388608 bytes in "), out::toString);
    String price = ", every round as long as its longest message, simulated ÷ closed form ";
    assertTrue(out.toString().contains(price), out::toString);
  }

  @Test
  void partsOfNothingAreEqual() {
    String line = "simulate --collective allgather --size 4 --bytes 0";
    assertEquals(0, run(line), err::toString);
    String equal = out.toString();
    out.getBuffer().setLength(0);
    assertEquals(0, run(line + " --counts 5,1,0,2"), err::toString);
    assertEquals(equal, out.toString());
    assertFalse(equal.contains("NaN"), equal);
    assertEquals(2, run(line + " --counts 5,1,0"), err::toString);
  }

  @Test
  void placementsAreRunsOrTurnsOfAnyLengths() {
    assertEquals(
        0, run("price --collective allgather --size 8 --hosts 1,5,2 --bytes 8m"), err::toString);
    List<String> lines = out.toString().lines().toList();
    assertTrue(lines.contains("allgather, 8 ranks on 3 hosts, 8388608 bytes"), out::toString);
    assertTrue(lines.get(3).endsWith("busiest card    predicted  ÷ bound"), out::toString);
    String ring = lines.stream().filter(line -> line.startsWith("  ring ")).findFirst().orElse("");
    assertTrue(ring.contains(" 7340032 of host 0 "), out::toString);
    assertTrue(lines.stream().anyMatch(line -> line.startsWith("  lower bound   ")), out::toString);
    assertEquals(
        0,
        run(
            "schedule --collective scan --algorithm linear-pipeline --size 8 --hosts 1,5,2"
                + " --interleaved"),
        err::toString);
    assertTrue(out.toString().contains("3 hosts [0, 1, 2, 1, 2, 1, 1, 1]"), out::toString);
  }

  /** What ranks of one process say to each other costs less. */
  @Test
  void ranksShareProcesses() {
    String schedule = "schedule --collective allgather --algorithm ring --json --size 8 --hosts ";
    assertEquals(0, run(schedule + "5,3 --processes 2"), err::toString);
    assertTrue(out.toString().contains("\"processes\":[0,0,0,1,1,2,2,3]"), out::toString);
    out.getBuffer().setLength(0);
    assertEquals(0, run(schedule + "2 --interleaved --processes 2"), err::toString);
    assertTrue(out.toString().contains("\"processes\":[0,1,0,1,2,3,2,3]"), out::toString);
    String simulate = "simulate --collective scan --size 6 --hosts 1 --bytes 64k";
    List<String> times = new ArrayList<>();
    for (String processes : List.of("", " --processes 6", " --processes 1")) {
      out.getBuffer().setLength(0);
      assertEquals(0, run(simulate + processes), err::toString);
      times.add(
          out.toString()
              .lines()
              .filter(l -> l.startsWith("  simulated"))
              .findFirst()
              .orElseThrow());
    }
    assertEquals(times.get(0), times.get(1));
    assertNotEquals(times.get(0), times.get(2));
    for (String command : List.of("explain", "price")) {
      String line = command + " --collective alltoall --size 64 --hosts 1 --bytes 8m --processes 1";
      out.getBuffer().setLength(0);
      assertEquals(0, run(line), err::toString);
      assertTrue(out.toString().contains("it needs some 4032 links in a process"), out::toString);
    }
  }

  /** Four hosts of two ranks in two racks, in turn: what is chosen counts them rack by rack. */
  @Test
  void hostsAreDealtOutToRacks() {
    String racks = " --size 8 --hosts 4 --racks 2 --interleaved-racks";
    assertEquals(
        0, run("explain --collective allreduce --bytes 8m --uplink 1" + racks), err::toString);
    String heading = "allreduce, 8 ranks on 4 hosts in 2 racks, 8388608 bytes";
    assertTrue(out.toString().startsWith(heading), out::toString);
    assertTrue(out.toString().contains("ring: it is the cheapest"), out::toString);
    String several = "price --collective allreduce --bytes 8m --size 2,8 --racks 2 --uplink 1";
    assertEquals(0, run(several), "two ranks share no uplink, eight do: " + err);
    out.getBuffer().setLength(0);
    String schedule = "schedule --collective allgather --algorithm ring --json" + racks;
    assertEquals(0, run(schedule), err::toString);
    assertTrue(out.toString().contains("\"racks\":[0,0,1,1,0,0,1,1]"), out::toString);
  }

  @Test
  void pricesFoundBySimulationSayWhereTheyCountContention() {
    String line = "simulate --collective allreduce --size 8 --hosts 2 --bytes 256k --algorithm ";
    assertEquals(0, run(line + "circulant"), err::toString);
    String price = " µs, found by simulation where ranks share cards";
    assertTrue(out.toString().contains(price + ", with contention\n"), out::toString);
    out.getBuffer().setLength(0);
    assertEquals(0, run(line + "ring"), err::toString);
    assertTrue(out.toString().contains(price + "\n"), out::toString);
  }

  @Test
  void simulateOnOneHostUsesNoCard() {
    assertEquals(
        0, run("simulate --collective scan --size 6 --hosts 1 --bytes 64k"), err::toString);
    assertTrue(out.toString().contains("  busiest card  none, nothing leaves its host"));
    assertEquals(0, run("simulate --collective barrier --size 1 --bytes 0"), err::toString);
    assertTrue(out.toString().contains("  simulated     0.0 µs"), out::toString);
  }

  private static String text(Path file) {
    try {
      return Files.readString(file);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  @Test
  void blocksAreThoseThatSuitTheAlgorithm() {
    assertEquals(0, run("schedule --collective allreduce --algorithm rabenseifner --size 8"));
    assertTrue(out.toString().startsWith("allreduce by rabenseifner, 8 ranks, 8 blocks, in order"));
  }

  @Test
  void drawWritesAFileOrPrints(@TempDir Path folder) throws IOException {
    Path file = folder.resolve("two-tree.svg");
    String line = "draw --collective broadcast --algorithm two-tree --size 10 --root 3 --hosts 5";
    assertEquals(0, run(line + " -o " + file), err::toString);
    assertEquals("", out.toString());
    String picture = Files.readString(file);
    assertTrue(picture.startsWith("<svg "), picture);
    assertTrue(picture.contains(">broadcast by two-tree, 10 ranks, root 3, 4 blocks, 5 hosts "));
    assertEquals(0, run(line), err::toString);
    assertEquals(picture, out.toString());
    assertEquals(0, run(line + " --view all -o -"), err::toString);
    assertTrue(out.toString().length() > 2 * picture.length());
  }

  @Test
  void verifySaysHowMuchItCovered() {
    assertEquals(0, run("verify --max-size 5 --collective barrier"));
    assertTrue(
        out.toString().startsWith("barrier/dissemination               1..5 ranks, "),
        out::toString);
    assertTrue(out.toString().contains("2 algorithms, "), out::toString);
    assertTrue(out.toString().stripTrailing().endsWith("all correct"), out::toString);
  }

  @Test
  void verifyCoversPartsOfDifferentLengths() {
    assertEquals(0, run("verify --max-size 4 --collective allgather --algorithm pipelined-ring"));
    Algorithm algorithm = Algorithms.find(Collective.ALLGATHER, "pipelined-ring");
    long problems = 0;
    for (int size = 1; size <= 4; size++) {
      int uneven = Sweep.unevenProblems(algorithm, size).size();
      assertTrue(uneven > 0);
      problems += Sweep.problems(algorithm, size).size() + uneven;
    }
    assertTrue(out.toString().contains(" 1..4 ranks, " + problems + " problems, "), out::toString);
  }

  /** What rank 0 sends to rank 2 is rank 0's, of which it holds nothing in slot 1. */
  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      value = {
        "| | 0 | is correct: 2 rounds, at most 2 blocks sent by a rank",
        "\"send\":{\"peer\":2,\"slot\":0 | \"send\":{\"peer\":2,\"slot\":1 | 1 | HOLDING rank 0",
        "\"send\":{\"peer\":2 | \"send\":{\"peer\":3 | 1 | MATCHING rank"
      })
  void schedulesInAFileAreVerified(
      String part, String replacement, int status, String finding, @TempDir Path folder)
      throws IOException {
    assertEquals(
        0,
        run("schedule --collective broadcast --algorithm binomial --size 4 --blocks 1 --json"),
        err::toString);
    String text = out.toString();
    assertTrue(part == null || text.contains(part), text);
    Path file = folder.resolve("schedules.json");
    Files.writeString(file, part == null ? text : text.replace(part, replacement));
    out.getBuffer().setLength(0);
    assertEquals(status, run("verify --schedule " + file), err::toString);
    assertTrue(out.toString().startsWith(file + " is "), out::toString);
    assertTrue(out.toString().contains(finding), out::toString);
  }

  /** Ranks out of order, and more blocks than there is room for. */
  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      value = {
        "allgather | 2 | {\"rank\":1,\"owned\":[1,2],\"rounds\":[]},{\"rank\":0,\"owned\":[0,1],"
            + "\"rounds\":[]} | 1 | FORM rank 0",
        "broadcast | 2147483647 | {\"rank\":0,\"owned\":[0,2147483647],\"rounds\":[]} | 2 | too large"
      })
  void schedulesOfAnyFormAreVerifiedOrRefused(
      String collective, int blocks, String ranks, int status, String said, @TempDir Path folder)
      throws IOException {
    int size = ranks.split("rank", -1).length - 1;
    Path file =
        Files.writeString(
            folder.resolve("schedules.json"),
            "{\"collective\":\"%s\",\"algorithm\":\"own\",\"size\":%d,\"root\":0,\"blocks\":%d,"
                    .formatted(collective, size, blocks)
                + "\"ordered\":false,\"ranks\":["
                + ranks
                + "]}");
    assertEquals(status, run("verify --schedule " + file), err::toString);
    assertTrue((out.toString() + err).contains(said), () -> out.toString() + err);
  }

  @Test
  void verifyTakesAllAlgorithmsOfAName() {
    assertEquals(0, run("verify --max-size 3 --algorithm two-tree"));
    assertTrue(out.toString().contains("broadcast/two-tree"), out::toString);
    assertTrue(out.toString().contains("exscan/two-tree"), out::toString);
    assertFalse(out.toString().contains("ring"), out::toString);
  }

  @ParameterizedTest
  @CsvSource({
    "collectives ver, verify",
    "collectives draw --collective all, allreduce allgather alltoall",
    "collectives draw --algorithm two, two-tree two-tree-of-hosts two-tree-simplex",
    "collectives simulate --no, ''"
  })
  void theShellCompletesCommandsAndNames(String line, String words, @TempDir Path folder)
      throws Exception {
    assertEquals(0, run("generate-completion"), err::toString);
    Path script = Files.writeString(folder.resolve("completion"), out.toString());
    Process bash =
        new ProcessBuilder(
                "bash",
                "-c",
                "compopt() { :; }; source \"$0\";"
                    + " COMP_WORDS=($1); COMP_CWORD=$((${#COMP_WORDS[@]} - 1));"
                    + " _complete_collectives; echo \"${COMPREPLY[@]}\"",
                script.toString(),
                line)
            .redirectErrorStream(true)
            .start();
    try {
      String answer = new String(bash.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
      assertTrue(bash.waitFor(30, TimeUnit.SECONDS));
      assertEquals(words, answer.strip());
    } finally {
      bash.destroyForcibly();
    }
  }

  /** A command that ends when somebody has said, in a whole line, that it is at work. */
  @CommandLine.Command(name = "slow")
  private final class Slow implements Callable<Integer> {
    @Override
    public Integer call() throws InterruptedException {
      for (int i = 0; i < 3000 && !err.toString().contains("\n"); i++) {
        Thread.sleep(10);
      }
      return 7;
    }
  }

  @Test
  void whatTakesLongSaysThatItIsAtWork() {
    PrintWriter lines = new PrintWriter(err, true);
    CommandLine command = new CommandLine(new Slow());
    command.setExecutionStrategy(
        parsed -> CollectivesCommand.patiently(parsed, lines, Duration.ofMillis(50)));
    assertEquals(7, command.execute());
    assertTrue(err.toString().matches("(?s)  … slow: \\d+ s\\R.*"), err::toString);
  }

  /** A broadcast that forgets the last rank. */
  private static final class Forgetful extends ScheduledAlgorithm {
    Forgetful() {
      super(
          Collective.BROADCAST, "forgetful", new Traits(true, "none", "none", "p - 2", "b(p - 2)"));
    }

    @Override
    protected void plan(Problem problem, int rank, ScheduleBuilder builder) {
      BlockRange all = new BlockRange(0, problem.blocks());
      for (int to = 1; to < problem.size() - 1; to++) {
        int peer = (problem.root() + to) % problem.size();
        if (rank == problem.root()) {
          builder.send(to - 1, peer, ScheduleBuilder.VECTOR, all);
        } else if (rank == peer) {
          builder.receive(to - 1, problem.root(), ScheduleBuilder.VECTOR, all);
        }
      }
    }

    @Override
    protected List<Phase> plannedPhases(Problem problem) {
      return List.of(new Phase(problem.size() - 2, problem.blocks()));
    }

    @Override
    public long blocksSent(Problem problem) {
      return (long) rounds(problem) * problem.blocks();
    }

    @Override
    public int naturalBlocks(int size) {
      return 1;
    }
  }

  @Test
  void verifyEndsWithOneWhenSomethingIsWrong() {
    CommandLine command = new CommandLine(new VerifyCommand(List.of(new Forgetful())));
    command.setOut(new PrintWriter(out));
    assertEquals(1, command.execute("--max-size", "3"));
    String text = out.toString();
    assertTrue(text.contains("broadcast/forgetful is wrong for Problem["), text);
    assertTrue(text.contains("RESULT rank 1: block 0 ends as nothing, not as rank 0's"), text);
    assertTrue(text.stripTrailing().endsWith(" wrong"), text);
  }
}
