package org.sparkcollectives.tools.internal.cli;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.sparkcollectives.cost.CostModel;
import org.sparkcollectives.spark.internal.conf.CostProfile;
import org.sparkcollectives.testing.FreePorts;

/** The command {@code calibrate} in a group without Spark, and what it says of a wrong master. */
@Timeout(120)
final class CalibrateCommandTest {
  @TempDir private Path folder = Path.of("unset");

  /** What a command line ended with and wrote. */
  private record Result(int status, String out, String err) {}

  private static Result run(List<String> arguments) {
    StringWriter out = new StringWriter();
    StringWriter err = new StringWriter();
    int status =
        CollectivesCommand.execute(
            new PrintWriter(out, true),
            new PrintWriter(err, true),
            arguments.toArray(String[]::new));
    return new Result(status, out.toString(), err.toString());
  }

  @Test
  void ranksOfAGroupMeasureAndRankZeroWrites() throws Exception {
    Path secret = Files.writeString(folder.resolve("secret"), "0123456789abcdef".repeat(4) + "\n");
    Path profile = folder.resolve("profile.json");
    String first = "localhost:" + FreePorts.choose(1).get(0);
    List<String> group =
        List.of(
            "calibrate",
            "--first",
            first,
            "--size",
            "2",
            "--secret-file",
            secret.toString(),
            "--rack",
            "row 1");
    ExecutorService threads = Executors.newFixedThreadPool(2);
    try {
      Future<Result> zero =
          threads.submit(
              () -> run(and(group, "--rank", "0", "-o", profile.toString(), "--connections", "3")));
      Future<Result> one = threads.submit(() -> run(and(group, "-o", folder.toString())));
      Result wrote = zero.get(100, TimeUnit.SECONDS);
      assertEquals(new Result(0, "", ""), one.get(100, TimeUnit.SECONDS));
      assertEquals(0, wrote.status(), wrote::err);
      assertTrue(wrote.err().contains("  … messages at level host: pass 3 of 3"), wrote::err);
      CostModel model = CostProfile.read(Files.readString(profile), profile.toString());
      assertTrue(wrote.out().startsWith(CostProfile.write(model, 3)), wrote::out);
      List<String> lines = wrote.out().lines().toList();
      assertEquals("written to " + profile, lines.get(lines.size() - 1));
      assertEquals(
          "connections: 3 between two ranks that share no memory", lines.get(lines.size() - 2));
      // Every member of a group counts as a process; the two share a host.
      assertEquals(
          List.of(true, false, true),
          lines.subList(lines.size() - 6, lines.size() - 3).stream()
              .map(line -> line.endsWith("(built-in, not measured)"))
              .toList(),
          wrote::out);
      assertEquals(
          "collectives calibrate --first %s --size 2 --secret-file %s --rank 0 -o %s --connections 3 --rack 'row 1'"
              .formatted(first, secret, profile),
          model.provenance().command());
    } finally {
      threads.shutdownNow();
    }
  }

  @Test
  void clusterOrGroupIsToBeGiven() {
    Result none = run(List.of("calibrate"));
    assertEquals(2, none.status());
    assertTrue(none.err().contains("Missing required argument (specify one of these)"), none::err);
    Result both = run(List.of("calibrate", "--master", "local[2]", "--first", "localhost:1"));
    assertEquals(2, both.status());
    Result half = run(List.of("calibrate", "--first", "localhost:1"));
    assertEquals(2, half.status());
    assertTrue(half.err().contains("--size"), half::err);
  }

  @Test
  void aMasterThatIsNoneIsNamed() {
    Result result = run(List.of("calibrate", "--master", "host:7077", "-o", folder + "/p.json"));
    assertEquals(2, result.status(), result::err);
    List<String> lines = result.err().lines().toList();
    assertEquals("  … an application on host:7077 starts", lines.get(0));
    assertEquals(2, lines.size(), "no trace: " + lines);
    assertTrue(lines.get(1).startsWith("no application starts on host:7077: "), lines.get(1));
    assertTrue(lines.get(1).contains("such as spark://host:7077"), lines.get(1));
  }

  @Test
  void secretsAreKnownByTheNameOfTheirSettingAndByWhatTheyAreGivenWith() {
    assertEquals("...", CalibrateCommand.shown("spark.ssl.keyPassword", "hunter2"));
    assertEquals(
        "...",
        CalibrateCommand.shown(
            "spark.executor.extraJavaOptions",
            "-Xss2m -Djavax.net.ssl.keyStorePassword=hunter2 -ea"));
    assertEquals("32", CalibrateCommand.shown("spark.cores.max", "32"));
  }

  @Test
  void aSecretThatCannotBeReadIsNamed() {
    String missing = folder.resolve("none").toString();
    Result result =
        run(
            List.of(
                "calibrate", "--first", "localhost:1", "--size", "2", "--secret-file", missing));
    assertEquals(2, result.status());
    assertEquals(
        "the file '%s' cannot be read: there is no file %s.".formatted(missing, missing)
            + " Name a file that exists and may be read.\n",
        result.err());
  }

  @Test
  void aFileWithoutASecretIsNamedAndNotQuoted() throws Exception {
    for (String secret :
        List.of("pass word", "0123456789abcde", "00ff".repeat(7), "\u00ff\u00fe")) {
      Path file = Files.writeString(folder.resolve("other"), secret, ISO_8859_1);
      Result result =
          run(
              List.of(
                  "calibrate",
                  "--first",
                  "localhost:1",
                  "--size",
                  "2",
                  "--secret-file",
                  file + ""));
      assertEquals(2, result.status());
      assertTrue(result.err().startsWith("the file '" + file + "' holds no secret: "), result::err);
      assertFalse(result.err().contains(secret), result::err);
    }
  }

  @Test
  void aRankBelowZeroIsNotTakenForNone() throws Exception {
    Path secret = Files.writeString(folder.resolve("secret"), "0123456789abcdef".repeat(4));
    List<String> group =
        List.of("calibrate", "--first", "localhost:1", "--size", "2", "--secret-file", secret + "");
    Result result = run(and(group, "--rank", "-1"));
    assertEquals(2, result.status(), result::err);
    assertTrue(result.err().startsWith("this process cannot be rank -1: "), result::err);
  }

  /** Before the other rank is waited for, of which there is none. */
  @Test
  void anOutputThatCannotBeWrittenIsNamedBeforeAnythingIsMeasured() throws Exception {
    Path secret = Files.writeString(folder.resolve("secret"), "0123456789abcdef".repeat(4));
    String first = "localhost:" + FreePorts.choose(1).get(0);
    List<String> group =
        List.of("calibrate", "--first", first, "--size", "2", "--secret-file", secret.toString());
    String nowhere = folder.resolve("no/profile.json").toString();
    for (String output : List.of(nowhere, folder + "", "\0")) {
      Result result = run(and(group, "--rank", "0", "-o", output));
      assertEquals(2, result.status(), result::err);
      assertTrue(
          result.err().startsWith("the file '" + output + "' cannot be written: "), result::err);
      boolean missing = output.equals(nowhere);
      assertEquals(missing, result.err().contains("there is no folder for " + nowhere));
    }
  }

  private static List<String> and(List<String> some, String... more) {
    return Stream.concat(some.stream(), Arrays.stream(more)).toList();
  }
}
