package org.sparkcollectives.benchmarks.cluster;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.sparkcollectives.benchmarks.report.Folders;

/**
 * What a machine lacks for hosts with network cards, and what is wrong with the script for them.
 */
class NetworkTest {
  @TempDir Path folder = Path.of("unset");

  private final String home = System.getProperty(Folders.HOME, "benchmarks");

  @BeforeEach
  void atHomeInTheFolder() {
    System.setProperty(Folders.HOME, folder.toString());
  }

  @AfterEach
  void atHomeAgain() {
    System.setProperty(Folders.HOME, home);
  }

  private void write(String name, String script) throws IOException {
    Path file = Files.writeString(folder.resolve(name), "#!/bin/sh\n" + script + "\n");
    Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rwx------"));
  }

  private static Network network(String kind, List<String> progress) {
    return Network.of(kind, 2, false, "100mbit", progress::add);
  }

  @Test
  void aMachineThatLacksSomethingHasNoSuchHosts() throws IOException {
    write("netcluster", "[ $1 = down ] || { echo 'no bridges here.'; exit 3; }");
    List<String> progress = new ArrayList<>();
    try (Network network = network("auto", progress)) {
      assertFalse(network.hasCards());
    }
    assertEquals(
        List.of(
            "the hosts share the loopback interface, without a rate or a lower bound: no bridges"
                + " here"),
        progress);
    Exception e =
        assertThrows(IllegalArgumentException.class, () -> network("namespaces", progress));
    assertEquals(
        "Hosts with network cards of their own cannot be made: no bridges here.", e.getMessage());
  }

  @ParameterizedTest
  @ValueSource(strings = {"auto", "namespaces"})
  void aScriptThatFailsIsNothingThatTheMachineLacks(String kind) throws IOException {
    write("netcluster", "[ $1 = down ] || { echo 'Garbage instead of arguments'; exit 2; }");
    List<String> progress = new ArrayList<>();
    Exception e = assertThrows(UncheckedIOException.class, () -> network(kind, progress));
    assertTrue(e.getMessage().contains("ends with 2: Garbage"), e.getMessage());
    Files.delete(folder.resolve("netcluster"));
    assertThrows(UncheckedIOException.class, () -> network(kind, progress));
    assertEquals(List.of(), progress);
  }

  @ParameterizedTest
  @ValueSource(strings = {"auto", "namespaces"})
  void whatTheScriptWouldRefuseIsRefusedBeforeItRuns(String kind) throws IOException {
    write("netcluster", "exit 2");
    for (int hosts : List.of(0, 201)) {
      assertSaysHowMany(kind, hosts, false, hosts);
    }
    assertSaysHowMany(kind, 200, true, 201);
    assertThrows(
        IllegalArgumentException.class, () -> Network.of(kind, 2, false, "5kbit", line -> {}));
    try (Network network = Network.of("loopback", 201, false, "100mbit", line -> {})) {
      assertEquals(201, network.hosts(), "processes of one host have no such limit");
    }
  }

  private static void assertSaysHowMany(String kind, int hosts, boolean driver, int all) {
    Exception e =
        assertThrows(
            IllegalArgumentException.class,
            () -> Network.of(kind, hosts, driver, "100mbit", line -> {}));
    assertTrue(e.getMessage().startsWith("1 to 200 hosts can have network cards"), e.getMessage());
    assertTrue(e.getMessage().endsWith("not " + all + "."), e.getMessage());
  }

  @Test
  void theScriptSaysWhatTheMachineLacks() throws IOException {
    write("id", "echo 1000");
    assertTrue(lacking().contains("need root, this is user 1000"));
    write("id", "echo 0");
    for (String tool : List.of("ip", "tc", "bridge")) {
      write(tool, "");
    }
    write("unshare", "echo unshare failed: Operation not permitted >&2; exit 1");
    assertTrue(lacking().contains("cards: unshare failed: Operation not permitted"));
  }

  /** Runs the script with the folder's programs before the machine's. */
  private String lacking() throws IOException {
    ProcessBuilder builder =
        new ProcessBuilder("./netcluster", "up", "lacking", "1", "1mbit").redirectErrorStream(true);
    builder.environment().merge("PATH", folder + ":", (path, first) -> first + path);
    Process process = builder.start();
    String text = Printed.by(process, "netcluster", Duration.ofMinutes(1));
    assertEquals(3, process.exitValue(), text);
    return text;
  }
}
