package org.sparkcollectives.benchmarks.loopback;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.Writer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.sparkcollectives.schedule.Collective;

/** The processes of all ranks. {@link #close()} ends them. */
final class RankProcesses implements AutoCloseable {
  private static final int TOKEN_BYTES = 32;
  private static final long END_SECONDS = 10;

  private final List<Process> processes = new ArrayList<>();
  private final List<BufferedReader> answers = new ArrayList<>();
  private final List<Writer> orders = new ArrayList<>();

  private RankProcesses() {}

  /**
   * Starts processes and makes them one communicator.
   *
   * @param ranks how many
   * @param alpha α in nanoseconds, NaN for the library's
   * @param beta β in nanoseconds per byte, NaN for the library's
   */
  static RankProcesses start(int ranks, double alpha, double beta) throws IOException {
    RankProcesses all = new RankProcesses();
    boolean connected = false;
    try {
      for (int rank = 0; rank < ranks; rank++) {
        all.add(rank, alpha, beta);
      }
      byte[] token = new byte[TOKEN_BYTES];
      new SecureRandom().nextBytes(token);
      all.tell(HexFormat.of().formatHex(token) + " " + String.join(" ", all.answers()));
      connected = all.answers().stream().allMatch("connected"::equals);
      if (!connected) {
        throw new IOException("a rank has not connected");
      }
      return all;
    } finally {
      if (!connected) {
        all.close();
      }
    }
  }

  /**
   * Has all ranks run operations.
   *
   * @param slug the algorithm
   * @param elements the vector's length in doubles
   * @param operations how many, one after the other
   * @return microseconds per operation on the slowest rank
   */
  double run(String slug, int elements, int operations) throws IOException {
    tell(slug + " " + elements + " " + operations);
    return answers().stream().mapToDouble(Double::parseDouble).max().orElseThrow();
  }

  /**
   * What a rank's thread allocates and its process holds.
   *
   * @param allocated the least bytes that the thread allocates for an operation
   * @param peak the most bytes of heap and direct buffers in use, above the idle process
   */
  record Memory(long allocated, long peak) {}

  /**
   * Has all ranks run operations and watch their memory.
   *
   * @param collective the collective
   * @param slug the algorithm
   * @param elements the vector's length in doubles
   * @return the most of all ranks
   */
  Memory memory(Collective collective, String slug, int elements) throws IOException {
    tell(RankProcess.MEMORY + " " + collective.slug() + " " + slug + " " + elements);
    long allocated = 0;
    long peak = 0;
    for (String answer : answers()) {
      String[] words = answer.split(" ", -1);
      allocated = Math.max(allocated, Long.parseLong(words[0]));
      peak = Math.max(peak, Long.parseLong(words[1]));
    }
    return new Memory(allocated, peak);
  }

  @Override
  public void close() throws IOException {
    for (Writer order : orders) {
      order.close();
    }
    try {
      for (Process process : processes) {
        if (!process.waitFor(END_SECONDS, TimeUnit.SECONDS)) {
          process.destroyForcibly();
        }
      }
    } catch (InterruptedException e) {
      processes.forEach(Process::destroyForcibly);
      Thread.currentThread().interrupt();
    }
  }

  private void add(int rank, double alpha, double beta) throws IOException {
    Process process =
        new ProcessBuilder(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-Xmx1g",
                "-cp",
                System.getProperty("java.class.path"),
                RankProcess.class.getName(),
                Integer.toString(rank),
                Double.toString(alpha),
                Double.toString(beta))
            .redirectError(ProcessBuilder.Redirect.INHERIT)
            .start();
    processes.add(process);
    answers.add(process.inputReader(StandardCharsets.UTF_8));
    orders.add(process.outputWriter(StandardCharsets.UTF_8));
  }

  private void tell(String order) throws IOException {
    for (Writer writer : orders) {
      writer.write(order + "\n");
      writer.flush();
    }
  }

  /**
   * A line of every rank. A rank's operations have deadlines, so that its line or its end comes.
   */
  private List<String> answers() throws IOException {
    List<String> lines = new ArrayList<>();
    for (BufferedReader reader : answers) {
      String line = reader.readLine();
      if (line == null) {
        throw new IOException("rank " + lines.size() + " has ended; its error stands above");
      }
      lines.add(line);
    }
    return lines;
  }
}
