package org.sparkcollectives.tools.internal.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import picocli.CommandLine;
import picocli.CommandLine.Command;

/** What the environment of a command may be, and how one ends that has an error of its own. */
@Timeout(120)
final class CommandLineTest {
  private static final Path PROFILE = Path.of("../../conf/cost-200mbit.json");
  private static final List<String> EXPLAIN =
      List.of("explain", "--collective=scan", "--size=4", "--bytes=8,1m");

  private final StringWriter out = new StringWriter();
  private final StringWriter err = new StringWriter();

  @TempDir private Path folder = Path.of("unset");

  /** Fails as a command with a mistake in it does. */
  @Command(name = "crash")
  private record Crash(Throwable cause) implements Callable<Integer> {
    @Override
    public Integer call() throws Exception {
      if (cause instanceof Error error) {
        throw error;
      }
      throw (Exception) cause;
    }
  }

  private int run(CommandLine line, String... arguments) {
    return CollectivesCommand.execute(
        line, new PrintWriter(out, true), new PrintWriter(err, true), arguments);
  }

  private int run(List<String> arguments) {
    return run(new CommandLine(new CollectivesCommand()), arguments.toArray(String[]::new));
  }

  private int explain(Path profile) {
    List<String> arguments = new ArrayList<>(EXPLAIN);
    arguments.add("--profile=" + profile);
    return run(arguments);
  }

  @Test
  void aProfileMayComeThroughAPipe() throws IOException, InterruptedException {
    Path pipe = folder.resolve("pipe");
    assertEquals(0, new ProcessBuilder("mkfifo", pipe.toString()).start().waitFor());
    String profile = Files.readString(PROFILE);
    CompletableFuture<Path> written =
        CompletableFuture.supplyAsync(
            () -> {
              try {
                return Files.writeString(pipe, profile);
              } catch (IOException e) {
                throw new IllegalStateException(e);
              }
            });
    assertEquals(0, explain(pipe), err::toString);
    assertEquals(pipe, written.join());
    assertTrue(out.toString().contains("hosts with cards of 200 Mbit/s"), out::toString);
  }

  @Test
  void aFolderIsNoProfile() {
    assertEquals(2, explain(folder));
    String said = err.toString();
    assertTrue(said.startsWith("the cost profile " + folder + " cannot be read: it is a folder"));
  }

  @Test
  void anErrorOfTheCommandIsNeitherBadInputNorAFinding() {
    for (Throwable cause :
        List.of(new IndexOutOfBoundsException("mine"), new StackOverflowError("mine"))) {
      CommandLine line = new CommandLine(new CollectivesCommand());
      line.addSubcommand(new Crash(cause));
      assertEquals(3, run(line, "crash"));
      assertTrue(err.toString().contains(cause.toString()), err::toString);
      assertTrue(err.toString().contains("\tat "), err::toString);
    }
  }

  @Test
  void numbersHaveTheDigitsOfPrograms() {
    Locale before = Locale.getDefault();
    Locale.setDefault(Locale.forLanguageTag("ar-EG-u-nu-arab"));
    try {
      assertEquals("\u0661\u0662", "%d".formatted(12), "what this locale is for");
      for (List<String> arguments :
          List.of(EXPLAIN, List.of("list"), List.of("verify", "--max-size=2"))) {
        assertEquals(0, run(arguments), err::toString);
      }
    } finally {
      Locale.setDefault(before);
    }
    String text = out.toString();
    assertTrue(text.chars().noneMatch(c -> c > '9' && Character.isDigit(c)), text);
    assertTrue(text.contains("scan, 4 ranks on 4 hosts, 1048576 bytes"), text);
  }
}
