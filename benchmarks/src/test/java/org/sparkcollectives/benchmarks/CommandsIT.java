package org.sparkcollectives.benchmarks;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Every benchmark without Spark once, as small as it gets, from its command line to its files. */
@Timeout(300)
class CommandsIT extends Commands {
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

  @Test
  void manyRanksShareProcesses() throws IOException {
    JsonNode report =
        found("many-ranks", "--ranks=32", "--processes=2", "--sizes=8k", "--rounds=1");
    Set<String> collectives = new HashSet<>();
    for (JsonNode row : report.get("table")) {
      collectives.add(row.get(1).asText());
    }
    assertEquals(12, collectives.size(), "eleven and a header: " + collectives);
    assertEquals(2, execute("many-ranks", "--ranks=32", "--processes=5"));
    assertTrue(err.toString().contains("32 ranks are not several in each of 5 processes"));
    assertEquals(2, execute("many-ranks", "--ranks=32", "--processes=2", "--hosts=3"));
    assertTrue(err.toString().contains("2 processes cannot be on 3 hosts"), err.toString());
  }

  @Test
  void simulatesManyRanks() throws IOException {
    int code =
        execute(
            "scale",
            "--ranks=64",
            "--sizes=8,1m",
            "--most-rounds=4000",
            "--charts=" + results,
            "--results=" + results);
    assertEquals(0, code, err.toString());
    JsonNode cells = new ObjectMapper().readTree(file("scale.json").toFile()).get("cells");
    assertEquals(2 * (10 * 2 + 1), cells.size(), "with hosts and without, but one barrier");
    Set<String> ways = new HashSet<>();
    for (JsonNode cell : cells) {
      ways.add(cell.get("way").asText());
      assertTrue(cell.get("overBound").asDouble() > 0.99, cell.toString());
    }
    assertTrue(ways.containsAll(List.of("simulated", "extrapolated")), ways.toString());
    assertTrue(Files.readString(file("scale.csv")).startsWith("perHost,ranks,collective"));
    assertTrue(Files.readString(file("scale-64-of-8.svg")).contains("GiB"));
  }

  @ParameterizedTest
  @ValueSource(strings = {"loopback", "memory"})
  void measuresHosts(String network) throws IOException {
    boolean warm = network.equals("memory");
    JsonNode report =
        run(
            "cluster",
            warm ? CALIBRATED : "--connections=1",
            "--hosts=3",
            "--network=" + network,
            "--collective=broadcast,allreduce",
            "--algorithms=selected,two-tree,ring",
            "--sizes=8,1k",
            "--rounds=2",
            "--warm-up=" + (warm ? 1 : 0),
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
  void measuresEncryptedConnectionsBesidePlainOnes() throws IOException {
    int code =
        execute(
            "cluster",
            CALIBRATED,
            "--hosts=2",
            "--network=loopback",
            "--encrypted",
            "--collective=allreduce",
            "--algorithms=selected",
            "--sizes=64k",
            "--rounds=2",
            "--warm-up=0",
            "--results=" + results);
    assertEquals(0, code, err.toString());
    JsonNode rows =
        new ObjectMapper().readTree(file("cluster-encrypted.json").toFile()).get("rows");
    assertEquals(2, rows.size(), rows.toString());
    assertEquals("selected", rows.at("/0/contender").asText());
    assertEquals("selected, encrypted", rows.at("/1/contender").asText());
    String page = Files.readString(file("cluster-encrypted.md"));
    assertTrue(page.contains("## Encrypted connections against plain ones"), page);
    assertEquals(2, execute("cluster", "--network=memory", "--encrypted"));
    assertTrue(err.toString().contains("ranks that share memory have none"), err.toString());
    assertEquals(2, execute("cluster", "--network=memory", "--connections=4"));
    assertTrue(err.toString().contains("--connections is about those between"), err.toString());
  }

  @Test
  void givesHostsNetworkCardsOrSaysWhyNot() throws IOException {
    int code =
        execute(
            "cluster",
            CALIBRATED,
            "--network=namespaces",
            "--hosts=2",
            "--rate=100mbit",
            "--collective=broadcast",
            "--algorithms=selected",
            "--sizes=64k",
            "--rounds=2",
            "--warm-up=0",
            "--results=" + results);
    if (!hasCards(code)) {
      return;
    }
    Path file = file("cluster.json");
    assertTrue(file.getParent().toString().endsWith("-2x100mbit"), file.toString());
    JsonNode row = new ObjectMapper().readTree(file.toFile()).at("/rows/0");
    assertEquals(5481.85, row.get("boundMicros").asDouble(), 0.1);
    assertTrue(row.at("/load/mostSent").asLong() > 1 << 16, row.toString());
    assertTrue(row.get("overBound").asDouble() > 0.5, row.toString());
  }

  @Test
  void ranksShareHostsNetworkCardsOrItSaysWhyNot() throws IOException {
    int code =
        execute(
            "cluster",
            CALIBRATED,
            "--network=namespaces",
            "--hosts=2",
            "--ranks-per-host=2",
            "--interleaved",
            "--rate=100mbit",
            "--collective=broadcast,barrier",
            "--algorithms=selected,hierarchical",
            "--sizes=64k",
            "--rounds=2",
            "--warm-up=0",
            "--html=" + results.resolve("page.html"),
            "--results=" + results);
    if (!hasCards(code)) {
      return;
    }
    Path file = file("cluster.json");
    assertTrue(file.getParent().toString().endsWith("-2x2x100mbit-interleaved"), file.toString());
    JsonNode report = new ObjectMapper().readTree(file.toFile());
    assertEquals(4, report.get("rows").size(), report.toString());
    assertEquals(
        "4, 2 on each host, dealt out to the hosts in turn", report.at("/settings/ranks").asText());
    JsonNode row = report.at("/rows/1");
    assertEquals("hierarchical", row.get("algorithm").asText());
    assertEquals(5481.85, row.get("boundMicros").asDouble(), 0.1);
    assertTrue(row.at("/load/mostSent").asLong() > 1 << 16, row.toString());
    assertTrue(report.at("/rows/3/boundMicros").isNull(), "a barrier has no bytes");
  }

  @Test
  void hostsAreInRacksOrItSaysWhyNot() throws IOException {
    int code =
        execute(
            "cluster",
            CALIBRATED,
            "--network=namespaces",
            "--hosts=4",
            "--rate=100mbit",
            "--racks=2",
            "--uplink=50mbit",
            "--interleaved-racks",
            "--collective=allgather",
            "--algorithms=ring",
            "--sizes=256k",
            "--rounds=2",
            "--warm-up=0",
            "--results=" + results);
    if (!hasCards(code)) {
      return;
    }
    Path file = file("cluster.json");
    String folder = file.getParent().toString();
    assertTrue(folder.endsWith("-4x100mbit-2-racks-50mbit-interleaved"), folder);
    JsonNode report = new ObjectMapper().readTree(file.toFile());
    String racks = report.at("/settings/racks").asText();
    assertTrue(racks.startsWith("2, to which hosts are dealt out in turn, with uplinks"), racks);
    JsonNode row = report.at("/rows/0");
    double bound = row.get("boundMicros").asDouble();
    assertEquals(21927.4, bound, 0.1, "half the vector by an uplink");
    // Three quarters pass an uplink around 0, 2, 1, 3; around 0, 1, 2, 3 one and a half times all.
    double least = row.at("/summary/min").asDouble() / bound;
    assertTrue(least > 1.1 && least < 2.3, row.toString());
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
    assertEquals(2, execute("spark", "--placement=2,1"));
    assertTrue(err.toString().contains("--placement names 2 executors"), err.toString());
    assertEquals(2, execute("cluster", "--network=loopback", "--ranks-per-host=2"));
    assertTrue(err.toString().contains("network cards of their own"), err.toString());
    assertEquals(2, execute("cluster", "--hosts=2", "--collective=allgather", "--counts=1,2,3"));
    assertTrue(err.toString().contains("a number for each rank"), err.toString());
    assertEquals(2, execute("cluster", "--network=loopback", "--connections=65"));
    assertTrue(err.toString().contains("--connections is 1 to 64, not 65"), err.toString());
    assertEquals(2, execute("cluster", "--network=loopback", "--connection-rate=50mbit"));
    assertTrue(err.toString().contains("give --network namespaces"), err.toString());
    assertEquals(2, execute("cluster", "--racks=2"));
    assertTrue(err.toString().contains("--racks needs --uplink"), err.toString());
    assertEquals(2, execute("cluster", "--racks=8", "--uplink=200mbit"));
    assertTrue(err.toString().contains("of which there are 8; not 8."), err.toString());
    assertEquals(2, execute("cluster", "--forget-racks"));
    assertTrue(err.toString().contains("are about several racks"), err.toString());
    assertEquals(2, execute("cluster", "--network=loopback", "--racks=2", "--uplink=1gbit"));
    assertTrue(err.toString().contains("--racks measures hosts with"), err.toString());
    assertEquals(2, execute("cluster", "--calibration=nowhere.json"));
    assertTrue(err.toString().contains("a run of cluster: nowhere.json"), err.toString());
    assertEquals(2, execute("cluster", "--calibration=results/2026-11-23-linux-2core/scale.json"));
    assertTrue(err.toString().contains("scale.json is another's"), err.toString());
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
  void pullsCablesOfHostsOrSaysWhyNot() throws IOException {
    assertEquals(2, execute("chaos", "--kinds=cable-short"));
    assertTrue(err.toString().contains("cable-short is not possible"), err.toString());
    assertEquals(2, execute("chaos", "--hosts=3", "--kinds=reset"));
    assertTrue(err.toString().contains("reset is not possible"), err.toString());
    int code =
        execute(
            "chaos",
            "--hosts=3",
            "--rate=100mbit",
            "--faults=2",
            "--kinds=cable-short,one-way",
            "--deadline=8000", // a short fault leaves TCP seconds to send again, on a busy machine
            // too
            "--slack=9",
            "--results=" + results);
    if (!hasCards(code)) {
      return;
    }
    JsonNode report = new ObjectMapper().readTree(file("chaos-hosts.json").toFile());
    assertEquals(4, report.get("table").size(), report.toString());
    assertEquals("millisecond", report.at("/lines/0/4").asText(), report.toString());
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

  @Test
  void runsKernels() throws IOException {
    JsonNode report =
        run("jmh", "CodecBenchmark.decode", "Observation.*event", "--iterations=1", "--millis=20");
    assertEquals(6, report.get("measurements").size());
    assertEquals(131072, report.at("/measurements/0/bytes").asInt());
  }

  @Test
  void namesWhatThereIsAndWhatIsUnknown() {
    assertEquals(0, execute("--help"));
    assertTrue(out.toString().contains("spark") && out.toString().contains("loopback"));
    assertEquals(2, execute("spark", "--rounds=many"));
    assertTrue(err.toString().contains("'many' is not an int"), err.toString());
  }
}
