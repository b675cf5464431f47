package org.sparkcollectives.benchmarks.loopback;

import java.io.IOException;
import java.time.Duration;
import java.util.List;
import org.sparkcollectives.schedule.Collective;
import org.sparkcollectives.testing.Introductions;
import org.sparkcollectives.testing.JavaProcess;
import org.sparkcollectives.testing.JavaProcesses;

/** The processes of all ranks. {@link #close()} ends them. */
final class RankProcesses implements AutoCloseable {
  /** Allocations are counted in code that is compiled at its best, whatever is set outside. */
  private static final List<String> OPTIONS = List.of("-Xmx1g", "-XX:TieredStopAtLevel=4");

  /** Some hundred operations take less, each of which has a deadline of its own. */
  private static final Duration PATIENCE = Duration.ofMinutes(10);

  private final JavaProcesses processes = new JavaProcesses(PATIENCE);

  private RankProcesses() {}

  /**
   * Starts processes and makes them one group.
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
        List<String> arguments =
            List.of(
                Integer.toString(rank),
                Integer.toString(ranks),
                Double.toString(alpha),
                Double.toString(beta));
        all.processes.add(
            JavaProcess.start(JavaProcess.command(OPTIONS, RankProcess.class, arguments)));
      }
      Introductions.introduce(all.processes.list());
      connected = all.processes.answers().stream().allMatch(RankProcess.CONNECTED::equals);
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
    processes.tell(slug + " " + elements + " " + operations);
    return processes.answers().stream().mapToDouble(Double::parseDouble).max().orElseThrow();
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
    processes.tell(RankProcess.MEMORY + " " + collective.slug() + " " + slug + " " + elements);
    long allocated = 0;
    long peak = 0;
    for (String answer : processes.answers()) {
      String[] words = answer.split(" ", -1);
      allocated = Math.max(allocated, Long.parseLong(words[0]));
      peak = Math.max(peak, Long.parseLong(words[1]));
    }
    return new Memory(allocated, peak);
  }

  /** Lets the processes come to their ends, and kills those that do not. */
  @Override
  public void close() throws IOException {
    processes.close();
  }
}
