package org.sparkcollectives.benchmarks;

import static java.util.stream.Collectors.toSet;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Collections;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Every benchmark on a cluster of Spark's once, as small as it gets. */
@Timeout(300)
class SparkCommandsIT extends Commands {
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
  void anUnevenPlacementIsComparedWithoutBroadcastAndTargets() throws IOException {
    JsonNode report =
        run(
            "spark",
            "--placement=2,0",
            "--compare=allreduce,broadcast",
            "--elements=1",
            "--executors=2",
            "--executor-memory=512",
            "--rounds=1",
            "--warm-up=0",
            "--first-rounds=1",
            "--memory-elements=0");
    List<String> contenders = report.get("measurements").findValuesAsText("contender");
    assertTrue(contenders.contains("twoTreeAllReduce"), contenders.toString());
    List<String> broadcasts = List.of("sc.broadcast", "twoTreeBroadcast");
    assertTrue(Collections.disjoint(contenders, broadcasts), contenders.toString());
    assertEquals(0, report.get("targets").size(), report.toString());
  }

  @Test
  void timesTheFirstCallsOfApplications() throws IOException {
    JsonNode report =
        run(
            "first-call",
            "--applications=1",
            "--elements=1",
            "--executors=1",
            "--executor-memory=512");
    assertEquals(4, report.get("measurements").size());
    for (JsonNode measurement : report.get("measurements")) {
      assertEquals(1, measurement.get("samples").size(), measurement.toString());
      assertTrue(measurement.at("/summary/min").asDouble() > 0, measurement.toString());
    }
    assertEquals(2, report.get("targets").size());
  }

  @Test
  void trainsByAllContenders() throws IOException {
    JsonNode report =
        run(
            "training",
            "--problems=sparse:2000",
            "--contenders=MLLIB,PLUGIN,ESTIMATOR,WHOLE,DIVIDED",
            "--partitions=3",
            "--executors=2",
            "--executor-memory=512",
            "--iterations=12",
            "--rounds=1");
    Map<String, Double> micros = new HashMap<>();
    for (JsonNode measurement : report.get("measurements")) {
      assertEquals(1, measurement.get("samples").size(), measurement.toString());
      micros.put(
          measurement.get("contender").asText() + ", " + measurement.get("quantity").asText(),
          measurement.at("/summary/median").asDouble());
    }
    assertEquals(10, micros.size(), micros.toString());
    for (String contender :
        List.of(
            "MLlib",
            "MLlib with the plugin",
            "the library's estimator",
            "the estimator, whole vectors",
            "the estimator, divided vectors")) {
      String name = contender + ", sparse:2000";
      double iteration = micros.get(name + ", per iteration");
      assertTrue(iteration > 0, contender);
      assertTrue(12 * iteration < micros.get(name + ", end to end"), micros.toString());
      String iterations = report.at("/findings/" + name + ", 3 partitions").asText();
      assertTrue(
          iterations.matches(
              "12 iterations; coefficients differ by .*; an iteration evaluates 1.*"),
          iterations);
      assertEquals(!contender.equals("MLlib"), iterations.contains("ms for a rank's rows"));
      String memory = report.at("/findings/" + name + ", 3 partitions, memory").asText();
      assertTrue(
          memory.matches(
              "in use at most, driver: \\d+ MiB above \\d+; executors: \\d+ MiB above \\d+,"
                  + " \\d+ MiB above \\d+; heaps with garbage reached at most .*"),
          memory);
    }
    assertEquals(8, report.get("targets").size(), "coefficients and iterations of four");
    report.get("targets").forEach(target -> assertTrue(target.get("met").asBoolean(), "" + target));
    assertEquals(2, execute("training", "--iterations=1"));
    assertTrue(err.toString().contains("an iteration is timed between two states"), "" + err);
    assertEquals(2, execute("training", "--problems=a9a=nowhere.gz"));
    assertTrue(err.toString().contains("nowhere.gz that can be read"), err.toString());
    assertEquals(2, execute("training", "--model=LINEAR_SVC", "--problems=digits"));
    assertTrue(err.toString().contains("the classes of digits, which has 10"), err.toString());
  }

  @Test
  void measuresHostsInSpark() throws IOException {
    assertEquals(
        0,
        execute(
            "cluster",
            CALIBRATED,
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
    Path file = file("cluster-in-spark.json");
    JsonNode rows = new ObjectMapper().readTree(file.toFile()).get("rows");
    assertEquals("selected", rows.at("/0/contender").asText());
    assertEquals("selected, in Spark", rows.at("/1/contender").asText());
    assertEquals(rows.at("/0/algorithm").asText(), rows.at("/1/algorithm").asText());
    assertEquals(2, rows.at("/1/samples").size());
    assertTrue(rows.at("/1/load/totalCpuMicros").asDouble() > 0, rows.toString());
  }

  @Test
  void comparesOnHostsWithNetworkCardsOrSaysWhyNot() throws IOException {
    int code =
        execute(
            "spark",
            "--hosts=2",
            "--executors-per-host=2",
            "--rate=100mbit",
            "--encrypted",
            "--network=namespaces",
            "--compare=allreduce,broadcast",
            "--elements=1000",
            "--partitions=4",
            "--executor-memory=512",
            "--rounds=1",
            "--warm-up=0",
            "--first-rounds=1",
            "--memory-elements=0",
            "--results=" + results);
    if (!hasCards(code)) {
      return;
    }
    Path file = file("spark.json");
    assertTrue(file.getParent().toString().endsWith("-2x2x100mbit"), file.toString());
    JsonNode report = new ObjectMapper().readTree(file.toFile());
    assertEquals(
        report.get("measurements").findValuesAsText("contender").stream().collect(toSet()),
        report.get("volumes").findValuesAsText("contender").stream().collect(toSet()));
    assertTrue(report.at("/volumes/0/medianSent").asLong() > 1000, report.toString());
    String cluster = report.at("/settings/cluster").asText();
    assertTrue(cluster.contains("4 executors of one core"), cluster);
    assertTrue(
        cluster.endsWith(
            "2 on each host, which has a network card of 100mbit each way, in"
                + " network namespaces; Spark's connections and those of ranks are encrypted"),
        cluster);
  }
}
