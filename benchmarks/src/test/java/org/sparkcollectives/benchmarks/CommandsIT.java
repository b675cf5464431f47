package org.sparkcollectives.benchmarks;

import static java.util.stream.Collectors.toSet;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Every benchmark once, as small as it gets, from its command line to its files. */
@Timeout(300)
class CommandsIT {
  private final StringWriter out = new StringWriter();
  private final StringWriter err = new StringWriter();

  @TempDir private Path results = Path.of("unset");

  @Test
  void comparesOnACluster() throws IOException {
    JsonNode report =
        run(
            "spark",
            "--elements=1",
            "--partitions=2,5",
            "--executors=2",
            "--executor-memory=512",
            "--rounds=2",
            "--warm-up=1",
            "--first-rounds=1",
            "--memory-elements=100000");
    Set<String> contenders = new HashSet<>();
    for (JsonNode measurement : report.get("measurements")) {
      contenders.add(measurement.get("contender").asText());
      assertEquals(2, measurement.get("samples").size(), measurement.toString());
      assertTrue(measurement.at("/summary/min").asDouble() > 0, measurement.toString());
    }
    assertTrue(
        contenders.containsAll(
            List.of(
                "treeAggregate + broadcast",
                "twoTreeAllReduce",
                "collectively, two-tree",
                "treeAggregate",
                "twoTreeReduce",
                "sc.broadcast",
                "twoTreeBroadcast")),
        contenders.toString());
    Set<String> bounded = new HashSet<>();
    report.get("targets").forEach(target -> bounded.add(target.get("name").asText()));
    assertTrue(
        bounded.contains("8 B: twoTreeAllReduce against treeAggregate + broadcast"),
        bounded.toString());
    assertTrue(
        bounded.stream().anyMatch(name -> name.startsWith("twoTreeAllReduce: memory")),
        bounded.toString());
    assertTrue(
        report
            .at("/findings/bits of twoTreeAllReduce, 8 B vectors in 5 partitions")
            .asText()
            .endsWith("the same on all ranks in all rounds"),
        report.get("findings").toString());
  }

  @Test
  void runsTheEngineAlone() throws IOException {
    JsonNode report =
        run("loopback", "--ranks=3", "--elements=1,1000", "--rounds=2", "--warm-up=1");
    Set<String> algorithms = new HashSet<>();
    report.get("measurements").forEach(m -> algorithms.add(m.get("contender").asText()));
    assertTrue(algorithms.containsAll(List.of("auto", "two-tree", "ring")), algorithms.toString());
    assertEquals(2 * algorithms.size(), report.get("measurements").size());
  }

  @Test
  void watchesTheMemoryOfTheEngineAlone() throws IOException {
    JsonNode report =
        run("memory", "--ranks=3", "--elements=1000,100000", "--collective=scan,allreduce");
    assertEquals(8, report.get("targets").size());
    for (JsonNode target : report.get("targets")) {
      assertTrue(target.get("measured").asDouble() < 16, target.toString());
    }
    String name = "scan by two-tree, 7.8 KiB: a rank's thread allocates for an operation";
    assertTrue(report.get("findings").get(name).asText().matches("[1-9][0-9]* B"), name);
  }

  @ParameterizedTest
  @ValueSource(strings = {"loopback", "memory"})
  void measuresHosts(String network) throws IOException {
    JsonNode report =
        run(
            "cluster",
            "--hosts=3",
            "--network=" + network,
            "--collective=broadcast,allreduce",
            "--sizes=8,1k",
            "--rounds=2",
            "--warm-up=1",
            "--html=" + results.resolve("page.html"));
    Set<String> contenders = new HashSet<>();
    for (JsonNode row : report.get("rows")) {
      contenders.add(row.get("collective").asText() + " " + row.get("contender").asText());
      assertEquals(20, row.get("samples").size(), row.toString());
      assertTrue(row.at("/summary/min").asDouble() > 0, row.toString());
      assertTrue(row.get("predictedMicros").asDouble() > 0, row.toString());
      assertTrue(row.get("overPredicted").asDouble() > 0, row.toString());
      assertTrue(row.get("boundMicros").isNull(), row.toString());
    }
    assertTrue(
        contenders.containsAll(
            List.of("broadcast selected", "broadcast two-tree", "allreduce ring")),
        contenders.toString());
    assertEquals(2 * contenders.size(), report.get("rows").size());
    assertTrue(report.at("/calibration/model/host/alphaNanos").asDouble() > 0);
    String page = Files.readString(results.resolve("page.html"));
    assertEquals(4, page.split("<svg", -1).length - 1, "two charts per collective");
    assertTrue(page.endsWith("</html>\n"));
    Path again = results.resolve("again.html");
    assertEquals(0, execute("report", folder().toString(), "--html", again.toString()));
    assertEquals(page, Files.readString(again), "the page of the JSON file");
  }

  @Test
  void measuresHostsInSpark() throws IOException {
    assertEquals(
        0,
        execute(
            "cluster",
            "--spark",
            "--hosts=2",
            "--rate=100mbit",
            "--collective=allgather",
            "--algorithms=selected",
            "--sizes=1m",
            "--rounds=2",
            "--warm-up=0",
            "--results=" + results),
        () -> err.toString());
    try (Stream<Path> files = Files.walk(results)) {
      Path file = files.filter(f -> f.endsWith("cluster-in-spark.json")).findFirst().orElseThrow();
      JsonNode rows = new ObjectMapper().readTree(file.toFile()).get("rows");
      assertEquals("selected", rows.at("/0/contender").asText());
      assertEquals("selected, in Spark", rows.at("/1/contender").asText());
      assertEquals(rows.at("/0/algorithm").asText(), rows.at("/1/algorithm").asText());
      assertEquals(2, rows.at("/1/samples").size());
      assertTrue(rows.at("/1/load/totalCpuMicros").asDouble() > 0, rows.toString());
    }
  }

  @Test
  void comparesOnHostsWithNetworkCardsOrSaysWhyNot() throws IOException {
    int code =
        execute(
            "spark",
            "--hosts=2",
            "--rate=100mbit",
            "--network=namespaces",
            "--compare=allreduce,broadcast",
            "--elements=1000",
            "--partitions=2",
            "--executor-memory=512",
            "--rounds=1",
            "--warm-up=0",
            "--first-rounds=1",
            "--memory-elements=0",
            "--results=" + results);
    if (code != 0) {
      assertEquals(2, code);
      assertTrue(err.toString().contains("cannot be made: "), err.toString());
      return;
    }
    try (Stream<Path> files = Files.walk(results)) {
      Path file = files.filter(f -> f.endsWith("spark.json")).findFirst().orElseThrow();
      assertTrue(file.getParent().toString().endsWith("-2x100mbit"), file.toString());
      JsonNode report = new ObjectMapper().readTree(file.toFile());
      assertEquals(
          report.get("measurements").findValuesAsText("contender").stream().collect(toSet()),
          report.get("volumes").findValuesAsText("contender").stream().collect(toSet()));
      assertTrue(report.at("/volumes/0/medianSent").asLong() > 1000, report.toString());
    }
  }

  @Test
  void givesHostsNetworkCardsOrSaysWhyNot() throws IOException {
    int code =
        execute(
            "cluster",
            "--network=namespaces",
            "--hosts=2",
            "--rate=100mbit",
            "--collective=broadcast",
            "--algorithms=selected",
            "--sizes=64k",
            "--rounds=2",
            "--warm-up=0",
            "--results=" + results);
    if (code != 0) {
      assertEquals(2, code);
      assertTrue(err.toString().contains("cannot be made: "), err.toString());
      return;
    }
    try (Stream<Path> files = Files.walk(results)) {
      Path file = files.filter(f -> f.endsWith("cluster.json")).findFirst().orElseThrow();
      assertTrue(file.getParent().toString().endsWith("-2x100mbit"), file.toString());
      JsonNode row = new ObjectMapper().readTree(file.toFile()).at("/rows/0");
      assertEquals(5481.85, row.get("boundMicros").asDouble(), 0.1);
      assertTrue(row.at("/load/mostSent").asLong() > 1 << 16, row.toString());
      assertTrue(row.get("overBound").asDouble() > 0.5, row.toString());
    }
  }

  @Test
  void namesWhatCannotBeMeasured() {
    assertEquals(2, execute("cluster", "--network=loopback", "--algorithms=fastest"));
    assertTrue(err.toString().contains("'fastest'"), err.toString());
    assertTrue(err.toString().contains("two-tree"), err.toString());
    assertEquals(2, execute("cluster", "--collective=gossip"));
    assertTrue(err.toString().contains("'gossip'"), err.toString());
    assertEquals(2, execute("cluster", "--network=loopback", "--sizes=7"));
    assertTrue(err.toString().contains("'7' is no size"), err.toString());
    assertEquals(2, execute("cluster", "--rate=fast"));
    assertTrue(err.toString().contains("'fast'"), err.toString());
    assertEquals(2, execute("spark", "--rate=fast"));
    assertTrue(err.toString().contains("not 'auto' and 'fast'"), err.toString());
    assertEquals(2, execute("mpi", "--hosts=1"));
    assertTrue(err.toString().contains("At least 2 hosts"), err.toString());
  }

  @Test
  void makesFaultsHappenAndWritesWhatCame() throws IOException {
    JsonNode report = found("chaos", "--faults=3", "--ranks=3", "--kinds=reset,delay", "--slack=9");
    assertEquals(4, report.get("table").size(), report.toString());
    assertEquals(4, report.get("lines").size(), report.toString());
    assertEquals(2, execute("chaos", "--kinds=gossip"));
    assertTrue(err.toString().contains("'gossip' is no kind of fault"), err.toString());
  }

  @Test
  void strangersAndLiarsAreCounted() throws IOException {
    JsonNode report = found("fuzz", "--strangers=20000", "--peers=200", "--seed=5");
    assertTrue(report.get("table").toString().contains("cut off: TOKEN"), report.toString());
  }

  @Test
  void manyCollectivesLeaveNothing() throws IOException {
    JsonNode report = found("soak", "--operations=1000", "--calls=0", "--ranks=3");
    assertEquals(4, report.get("table").size(), report.toString());
  }

  /** Runs what looks for complaints, and finds none. */
  private JsonNode found(String benchmark, String... arguments) throws IOException {
    String[] all =
        Stream.concat(
                Stream.concat(Stream.of(benchmark), Stream.of(arguments)),
                Stream.of("--machine=somewhere", "--results=" + results))
            .toArray(String[]::new);
    assertEquals(0, execute(all), () -> out + "\n" + err);
    Path file = folder().resolve(benchmark + ".json");
    JsonNode report = new ObjectMapper().readTree(file.toFile());
    assertEquals(0, report.get("complaints").size(), report.toString());
    assertTrue(Files.size(folder().resolve(benchmark + ".csv")) > 0);
    return report;
  }

  @Test
  void runsKernels() throws IOException {
    JsonNode report = run("jmh", "CodecBenchmark.decode", "--iterations=1", "--millis=20");
    assertEquals(4, report.get("measurements").size());
    assertEquals(131072, report.at("/measurements/0/bytes").asInt());
  }

  @Test
  void namesWhatThereIsAndWhatIsUnknown() {
    assertEquals(0, execute("--help"));
    assertTrue(out.toString().contains("spark") && out.toString().contains("loopback"));
    assertEquals(2, execute("spark", "--rounds=many"));
    assertTrue(err.toString().contains("'many' is not an int"), err.toString());
  }

  private JsonNode run(String benchmark, String... arguments) throws IOException {
    String[] all =
        Stream.of(
                Stream.of(benchmark),
                Stream.of(arguments),
                Stream.of("--machine=somewhere", "--results=" + results))
            .flatMap(part -> part)
            .toArray(String[]::new);
    assertEquals(0, execute(all), () -> err.toString());
    assertTrue(out.toString().matches("(?s).*\\| (contender|target) .*"), out.toString());
    assertFalse(err.toString().isEmpty());
    Path folder = folder();
    assertTrue(folder.getFileName().toString().contains("-somewhere"));
    try (Stream<Path> files = Files.list(folder)) {
      assertEquals(
          Set.of(benchmark + ".csv", benchmark + ".json", benchmark + ".md"),
          files.map(file -> file.getFileName().toString()).collect(Collectors.toSet()));
    }
    return new ObjectMapper().readTree(folder.resolve(benchmark + ".json").toFile());
  }

  /** The folder of the run. */
  private Path folder() throws IOException {
    try (Stream<Path> folders = Files.list(results)) {
      return folders.filter(Files::isDirectory).findFirst().orElseThrow();
    }
  }

  private int execute(String... arguments) {
    return Main.commandLine()
        .setOut(new PrintWriter(out, true))
        .setErr(new PrintWriter(err, true))
        .execute(arguments);
  }
}
