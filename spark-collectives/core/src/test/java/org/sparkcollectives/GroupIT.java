package org.sparkcollectives;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.sparkcollectives.testing.FreePorts;
import org.sparkcollectives.testing.JavaProcess;
import org.sparkcollectives.testing.JdkModules;

/** Groups of real processes, and the example of the documentation. */
class GroupIT {
  private static final Duration LIMIT = Duration.ofMinutes(3);
  private static final String SECRET = "00112233445566778899aabbccddeeff".repeat(2);
  private static final String OTHER_SECRET = "ff".repeat(32);
  private static final long LONG_MILLIS = 90_000;
  private static final long SHORT_MILLIS = 6_000;
  private static final Path PAGE = Path.of("../../docs/groups.md");
  private static final Path EXAMPLE =
      Path.of("src/test/java/org/sparkcollectives/GroupExample.java");

  private final List<JavaProcess> processes = new ArrayList<>();

  @AfterEach
  void endAll() {
    processes.forEach(JavaProcess::close);
  }

  private JavaProcess start(Class<?> main, List<String> arguments) throws IOException {
    return start(List.of(), main, arguments);
  }

  private JavaProcess start(List<String> more, Class<?> main, List<String> arguments)
      throws IOException {
    List<String> options = new ArrayList<>(more);
    options.addAll(List.of("-Xmx64m", "-XX:+UseSerialGC", "-XX:TieredStopAtLevel=1"));
    JavaProcess process =
        JavaProcess.start(JavaProcess.command(options, main, arguments)).within(LIMIT);
    processes.add(process);
    return process;
  }

  private JavaProcess rank(int size, int rank, String first, String secret, long millis)
      throws IOException {
    return start(
        GroupProcess.class,
        List.of(String.valueOf(size), String.valueOf(rank), first, secret, String.valueOf(millis)));
  }

  /** Rank 0, which listens on any port. */
  private JavaProcess first(int size, long millis) throws IOException {
    return rank(size, 0, "127.0.0.1:0", SECRET, millis);
  }

  @ParameterizedTest
  @ValueSource(ints = {2, 3, 5})
  void processesBecomeAGroup(int size) throws Exception {
    JavaProcess zero = first(size, LONG_MILLIS);
    String address = zero.expect(GroupProcess.LISTENS);
    for (int rank = 1; rank < size; rank++) {
      rank(size, rank, address, SECRET, LONG_MILLIS);
    }
    long product = 1;
    for (int rank = 1; rank <= size; rank++) {
      product *= rank;
    }
    for (JavaProcess process : processes) {
      assertEquals(size * (size + 1) / 2 + " " + product, process.expect(GroupProcess.SUMS));
      assertTrue(process.awaitEnd());
    }
  }

  @Test
  void ranksNeedNoFlightRecorder() throws Exception {
    List<String> without = JdkModules.without("jdk.jfr");
    List<String> listing = new ArrayList<>(without);
    listing.add("--list-modules");
    JavaProcess modules = start(listing, GroupProcess.class, List.of());
    Set<String> names = new HashSet<>();
    for (String line = modules.line(); line != null; line = modules.line()) {
      names.add(line.split("@", 2)[0]);
    }
    assertTrue(names.contains("java.management"), names.toString());
    assertFalse(names.contains("jdk.jfr"), names.toString());
    List<String> zeroth = List.of("2", "0", "127.0.0.1:0", SECRET, String.valueOf(LONG_MILLIS));
    JavaProcess zero = start(without, GroupProcess.class, zeroth);
    String address = zero.expect(GroupProcess.LISTENS);
    List<String> first = List.of("2", "1", address, SECRET, String.valueOf(LONG_MILLIS));
    JavaProcess one = start(without, GroupProcess.class, first);
    assertEquals("3 2", one.expect(GroupProcess.SUMS));
    assertEquals("3 2", zero.expect(GroupProcess.SUMS));
  }

  @Test
  void whoUsesIpv4AloneSaysSoOfAnAddressOfIpv6() throws Exception {
    List<String> arguments = List.of("2", "1", "[::1]:7", SECRET, "2000");
    JavaProcess one =
        start(List.of("-Djava.net.preferIPv4Stack=true"), GroupProcess.class, arguments);
    String failure = one.expect(GroupProcess.FAILED);
    assertTrue(failure.contains("rank 0") && failure.contains("uses IPv4 alone"), failure);
  }

  @Test
  void aStrangerDoesNotGetInAndDisturbsNobody() throws Exception {
    JavaProcess zero = first(2, LONG_MILLIS);
    String address = zero.expect(GroupProcess.LISTENS);
    JavaProcess stranger = rank(2, 1, address, OTHER_SECRET, LONG_MILLIS);
    String failure = stranger.expect(GroupProcess.FAILED);
    assertTrue(failure.contains("rank 0 at " + address + " has another secret"), failure);
    assertTrue(Long.parseLong(failure.split(" ", 2)[0]) < LONG_MILLIS / 2, failure);
    JavaProcess one = rank(2, 1, address, SECRET, LONG_MILLIS);
    assertEquals("3 2", one.expect(GroupProcess.SUMS));
    assertEquals("3 2", zero.expect(GroupProcess.SUMS));
  }

  @Test
  void aRankThatDiesBeforeAllHaveComeIsNamedAtTheDeadline() throws Exception {
    String address = "127.0.0.1:" + FreePorts.choose(1).get(0);
    JavaProcess one = rank(4, 1, address, SECRET, LONG_MILLIS);
    JavaProcess two = rank(4, 2, address, SECRET, LONG_MILLIS);
    one.expect(GroupProcess.OPENS);
    two.expect(GroupProcess.OPENS);
    JavaProcess zero = rank(4, 0, address, SECRET, SHORT_MILLIS);
    zero.expect(GroupProcess.LISTENS);
    Thread.sleep(SHORT_MILLIS / 3);
    two.signal("KILL");
    for (JavaProcess left : List.of(zero, one)) {
      String failure = left.expect(GroupProcess.FAILED);
      assertTrue(failure.contains("DeadlineException the group of 4 ranks"), failure);
      assertTrue(failure.contains("ranks 2, 3 are missing"), failure);
      assertTrue(Long.parseLong(failure.split(" ", 2)[0]) < LONG_MILLIS, failure);
    }
  }

  @Test
  void aRankZeroThatDiesIsMissedAtTheDeadline() throws Exception {
    JavaProcess zero = first(3, LONG_MILLIS);
    String address = zero.expect(GroupProcess.LISTENS);
    JavaProcess one = rank(3, 1, address, SECRET, SHORT_MILLIS);
    one.expect(GroupProcess.OPENS);
    Thread.sleep(SHORT_MILLIS / 3);
    zero.signal("KILL");
    String failure = one.expect(GroupProcess.FAILED);
    assertTrue(failure.contains("DeadlineException rank 0"), failure);
    assertTrue(failure.contains(address) && failure.contains(SHORT_MILLIS + " ms"), failure);
    assertTrue(Long.parseLong(failure.split(" ", 2)[0]) < LONG_MILLIS, failure);
  }

  @Test
  void theExampleOfThePageIsTheOneThatRuns(@TempDir Path folder) throws Exception {
    String source = Files.readString(EXAMPLE);
    String begin = "  // begin\n";
    String code =
        source
            .substring(source.indexOf(begin) + begin.length(), source.indexOf("  // end"))
            .lines()
            .map(line -> line.startsWith("  ") ? line.substring(2) : line)
            .collect(Collectors.joining("\n"));
    assertFalse(code.isBlank());
    String page = Files.readString(PAGE);
    int end = page.indexOf("\n\n" + code + "\n```");
    assertTrue(end >= 0, () -> PAGE + " does not show:\n" + code);
    String imports = page.substring(page.lastIndexOf("```java\n", end), end);
    source
        .lines()
        .filter(line -> line.startsWith("import "))
        .forEach(line -> assertTrue(imports.contains("\n" + line), line));
    String address = "127.0.0.1:" + FreePorts.choose(1).get(0);
    Path secret = Files.writeString(folder.resolve("secret"), SECRET + "\n");
    for (int rank = 0; rank < 3; rank++) {
      start(GroupExample.class, List.of(String.valueOf(rank), address, secret.toString()));
    }
    for (JavaProcess process : processes) {
      assertEquals("[3.0, 3.0]", process.line());
    }
  }
}
