package org.sparkcollectives.spark.internal.rendezvous;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.net.ScriptBasedMapping;
import org.apache.hadoop.net.TableMapping;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.sparkcollectives.schedule.Topology;
import org.sparkcollectives.testing.LogLines;

/** Racks by Hadoop's own tables, scripts and classes. */
@Timeout(60)
@Tag("cross-version")
class HostRacksTest {
  private static final String MAPPING = "net.topology.node.switch.mapping.impl";
  private static final String SCRIPT = "net.topology.script.file.name";

  @TempDir private Path folder;

  /** A configuration with a table of hosts. */
  static Configuration table(Path folder, String... lines) throws IOException {
    Path file = Files.write(folder.resolve("table"), List.of(lines));
    Configuration hadoop = new Configuration();
    hadoop.set(MAPPING, TableMapping.class.getName());
    hadoop.set("net.topology.table.file.name", file.toString());
    return hadoop;
  }

  /** A script that notes the hosts of each call in a file. */
  private Configuration script(String answer) throws IOException {
    Path file = folder.resolve("racks.sh");
    Files.writeString(file, "#!/bin/sh\necho \"$*\" >> '" + folder + "/asked'\n" + answer + "\n");
    Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rwx------"));
    Configuration hadoop = new Configuration();
    hadoop.set(SCRIPT, file.toString());
    return hadoop;
  }

  private List<String> asked() throws IOException {
    return Files.readAllLines(folder.resolve("asked"));
  }

  private static Map<String, String> racks(HostRacks racks, String... hosts) {
    return racks.of(List.of(hosts)).join();
  }

  private static LogLines log() {
    return new LogLines(HostRacks.class.getName());
  }

  @Test
  void whereHadoopSaysNothingNoRackIsKnown() {
    Configuration hadoop = new Configuration();
    assertSame(HostRacks.NONE, HostRacks.of(hadoop));
    assertSame(HostRacks.NONE, HostRacks.of(new Configuration(false)));
    hadoop.set(MAPPING, ScriptBasedMapping.class.getName());
    hadoop.set(SCRIPT, " ");
    assertSame(HostRacks.NONE, HostRacks.of(hadoop));
    var found = HostRacks.NONE.of(List.of("192.0.2.1"));
    assertTrue(found.isDone());
    assertEquals(Map.of(), found.join());
    assertEquals(
        Topology.FLAT, HostRacks.NONE.topology(List.of("a", "b", "c"), List.of("1", "2", "3")));
  }

  @Test
  void aTableHasTheRacksOfItsHosts() throws IOException {
    HostRacks racks = HostRacks.of(table(folder, "# hosts", "192.0.2.1 /a", "192.0.2.2\t/b"));
    assertEquals(
        Map.of("192.0.2.1", "/a", "192.0.2.2", "/b", "192.0.2.3", ""),
        racks(racks, "192.0.2.1", "192.0.2.2", "192.0.2.3", "192.0.2.1"));
    List<String> hosts = List.of("192.0.2.1", "192.0.2.2", "192.0.2.1", "192.0.2.4", "192.0.2.3");
    Topology topology = racks.topology(hosts, List.of("1", "2", "3", "4", "5"));
    assertEquals(
        Topology.of(
            List.of(0, 1, 0, 2, 3), List.of(0, 1, 2, 3, 4), List.of("a", "b", "a", "c", "c")),
        topology);
    assertEquals(3, topology.racks());
  }

  @Test
  void aScriptIsAskedOnceForEachHost() throws IOException {
    HostRacks racks = HostRacks.of(script("for host; do echo /rack${host##*.}; done"));
    assertEquals(
        Map.of("192.0.2.1", "/rack1", "192.0.2.2", "/rack2"),
        racks(racks, "192.0.2.1", "192.0.2.2", "192.0.2.1"));
    assertTrue(racks.of(List.of("192.0.2.2")).isDone());
    assertEquals("/rack3", racks(racks, "192.0.2.2", "192.0.2.3").get("192.0.2.3"));
    assertEquals(List.of("192.0.2.1 192.0.2.2", "192.0.2.3"), asked());
  }

  @Test
  void afterAScriptHasFailedNoFurtherRackIsKnown() throws IOException {
    HostRacks racks =
        HostRacks.of(script("test \"$1\" = 192.0.2.1 || exit 1\nfor host; do echo /a; done"));
    assertEquals(Map.of("192.0.2.1", "/a"), racks(racks, "192.0.2.1"));
    try (LogLines log = log()) {
      assertEquals(Map.of("192.0.2.1", "/a"), racks(racks, "192.0.2.1", "192.0.2.2"));
      assertEquals(Map.of("192.0.2.1", "/a"), racks(racks, "192.0.2.1", "192.0.2.3"));
      assertTrue(racks.of(List.of("192.0.2.1")).isDone());
      assertEquals(1, log.lines().size(), log.lines()::toString);
      String warning = log.lines().get(0);
      assertTrue(warning.startsWith("WARN the racks of hosts cannot be found"), warning);
      assertTrue(warning.contains("ScriptBasedMapping has no answer for 192.0.2.2. See"), warning);
      assertTrue(warning.contains("spark.hadoop." + SCRIPT), warning);
    }
    assertEquals(List.of("192.0.2.1", "192.0.2.2"), asked());
  }

  @Test
  void aScriptThatSaysTooLittleIsNotBelieved() throws IOException {
    HostRacks racks = HostRacks.of(script("echo /a"));
    try (LogLines log = log()) {
      assertEquals(Map.of(), racks(racks, "192.0.2.1", "192.0.2.2"));
      assertEquals(1, log.lines().size(), log.lines()::toString);
    }
  }

  @Test
  void aClassThatIsNotThereIsNamed() {
    Configuration hadoop = new Configuration();
    hadoop.set(MAPPING, "com.example.NoMapping");
    try (LogLines log = log()) {
      assertEquals(Map.of(), racks(HostRacks.of(hadoop), "192.0.2.1"));
      assertEquals(1, log.lines().size(), log.lines()::toString);
      assertTrue(log.lines().get(0).contains("com.example.NoMapping"), log.lines()::toString);
    }
  }

  @Test
  void anAnswerIsNotWaitedForWithoutEnd() throws InterruptedException {
    CountDownLatch let = new CountDownLatch(1);
    CompletableFuture<Thread> asked = new CompletableFuture<>();
    HostRacks racks =
        new HostRacks(
            hosts -> {
              asked.complete(Thread.currentThread());
              await(let);
              return List.of("/late");
            },
            100,
            HostRacks::begin);
    try (LogLines log = log()) {
      assertEquals(Map.of(), racks(racks, "192.0.2.1"));
      assertTrue(
          log.lines().get(0).contains("no answer came within 100 ms"), log.lines()::toString);
    }
    let.countDown();
    asked.join().join(); // until then the answer may not have come
    assertEquals(Map.of(), racks(racks, "192.0.2.1"), "what was decided stays");
  }

  @Test
  void aMappingThatLeavesHostsOutHasFailed() {
    AtomicInteger asked = new AtomicInteger();
    HostRacks racks =
        new HostRacks(
            hosts -> {
              asked.incrementAndGet();
              return List.of("/a");
            },
            60_000,
            HostRacks::begin);
    assertEquals(Map.of("192.0.2.1", "/a"), racks(racks, "192.0.2.1"));
    try (LogLines log = log()) {
      for (int attempt = 0; attempt < 2; attempt++) {
        assertEquals(
            Map.of("192.0.2.1", "/a"), racks(racks, "192.0.2.1", "192.0.2.2", "192.0.2.3"));
      }
      assertEquals(1, log.lines().size(), log.lines()::toString);
      assertTrue(
          log.lines().get(0).contains("for 2 hosts there are 1 racks"), log.lines()::toString);
    }
    assertEquals(2, asked.get());
  }

  @Test
  void aLookupBehindASlowOneHasItsOwnTime() {
    CountDownLatch let = new CountDownLatch(1);
    AtomicInteger atOnce = new AtomicInteger();
    HostRacks racks =
        new HostRacks(
            hosts -> {
              assertEquals(1, atOnce.incrementAndGet());
              await(let);
              sleep(2_000);
              atOnce.decrementAndGet();
              return hosts.stream().map(host -> "/" + host).toList();
            },
            5_000,
            HostRacks::begin);
    try (LogLines log = log()) {
      var first = racks.of(List.of("a"));
      var second = racks.of(List.of("a", "b"));
      var third = racks.of(List.of("c"));
      let.countDown();
      assertEquals(Map.of("a", "/a"), first.join());
      assertEquals(Map.of("a", "/a", "b", "/b"), second.join());
      assertEquals(Map.of("a", "/a", "b", "/b", "c", "/c"), third.join());
      assertEquals(List.of(), log.lines());
    }
  }

  @Test
  void whereNoThreadCanBeginNoRackIsKnown() {
    HostRacks racks =
        new HostRacks(
            hosts -> List.of("/a"),
            60_000,
            task -> {
              throw new OutOfMemoryError("unable to create native thread");
            });
    try (LogLines log = log()) {
      assertEquals(Map.of(), racks(racks, "192.0.2.1"));
      assertEquals(1, log.lines().size(), log.lines()::toString);
      assertTrue(
          log.lines().get(0).contains("unable to create native thread"), log.lines()::toString);
    }
  }

  private static void sleep(long millis) {
    try {
      Thread.sleep(millis);
    } catch (InterruptedException e) {
      throw new IllegalStateException(e);
    }
  }

  private static void await(CountDownLatch latch) {
    try {
      latch.await();
    } catch (InterruptedException e) {
      throw new IllegalStateException(e);
    }
  }
}
