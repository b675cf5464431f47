package org.sparkcollectives.benchmarks.cluster;

import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.sparkcollectives.internal.calibrate.Calibration;
import org.sparkcollectives.testing.Introductions;
import org.sparkcollectives.testing.JavaProcess;

/** The processes of all hosts. {@link #close()} ends them. */
final class HostProcesses implements Ranks, AutoCloseable {
  private static final long ANSWER_SECONDS = 300;

  private final List<JavaProcess> processes = new ArrayList<>();
  private final ObjectMapper json = new ObjectMapper();
  private final ExecutorService listener =
      Executors.newSingleThreadExecutor(
          task -> {
            Thread thread = new Thread(task, "answers of host processes");
            thread.setDaemon(true);
            return thread;
          });

  private HostProcesses() {}

  /**
   * Starts a process for each rank, and makes them one group.
   *
   * @param network the hosts
   * @param placement the ranks of each
   * @param encrypted whether their connections are encrypted
   * @throws IOException if a process does not start
   */
  static HostProcesses start(Network network, Placement placement, boolean encrypted)
      throws IOException {
    HostProcesses all = new HostProcesses();
    boolean started = false;
    try {
      for (int rank = 0; rank < placement.ranks(); rank++) {
        all.add(network, placement, rank, encrypted);
      }
      all.introduce();
      started = true;
      return all;
    } finally {
      if (!started) {
        all.close();
      }
    }
  }

  /** Lets all hosts become one group. */
  private void introduce() throws IOException {
    Introductions.introduce(processes);
    for (String line : lines()) {
      if (!line.equals(HostProcess.CONNECTED)) {
        throw new IOException("a host process is not connected, but says: " + line);
      }
    }
  }

  /** Has all hosts do something. */
  List<Answer> all(Order order) throws IOException {
    tell(order);
    List<Answer> answers = new ArrayList<>();
    for (String line : lines()) {
      answers.add(json.readValue(line, Answer.class));
    }
    return answers;
  }

  /**
   * Has all hosts measure what communication costs.
   *
   * @param command how that can be done again
   * @return what they all have found
   * @throws IOException if a process fails, or they have not all found the same
   */
  Calibration calibrate(String command) throws IOException {
    tell(Order.calibrate(command));
    Set<String> found = new LinkedHashSet<>(lines());
    if (found.size() > 1) {
      throw new IOException("the ranks have measured differently: " + found);
    }
    return json.readValue(found.iterator().next(), Calibration.class);
  }

  @Override
  public List<Answer> run(Order order) throws IOException {
    return all(order);
  }

  /** Lets the processes come to their ends, and kills those that do not. */
  @Override
  public void close() throws IOException {
    try {
      for (JavaProcess process : processes) {
        process.endInput();
      }
      processes.forEach(JavaProcess::awaitEnd);
    } finally {
      processes.forEach(JavaProcess::close);
      listener.shutdownNow();
    }
  }

  private void add(Network network, Placement placement, int rank, boolean encrypted)
      throws IOException {
    int host = placement.host(rank);
    List<String> arguments =
        List.of(
            Integer.toString(rank),
            Integer.toString(placement.ranks()),
            network.address(host),
            Boolean.toString(network.sharesMemory() || placement.shared()),
            Boolean.toString(encrypted));
    List<String> options = List.of("-Xmx1g", "-XX:+UseSerialGC");
    List<String> command = JavaProcess.command(options, HostProcess.class, arguments);
    processes.add(new JavaProcess(network.start(host, command)));
  }

  private void tell(Object message) throws IOException {
    String line = json.writeValueAsString(message);
    for (JavaProcess process : processes) {
      process.tell(line);
    }
  }

  private List<String> lines() throws IOException {
    Future<List<String>> lines = listener.submit(this::read);
    try {
      return lines.get(ANSWER_SECONDS, TimeUnit.SECONDS);
    } catch (ExecutionException e) {
      throw new IOException(String.valueOf(e.getCause()), e);
    } catch (TimeoutException e) {
      processes.forEach(JavaProcess::close);
      throw new IOException("a host process has not answered within " + ANSWER_SECONDS + " s", e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IOException("interrupted while waiting for the host processes", e);
    }
  }

  private List<String> read() throws IOException {
    List<String> lines = new ArrayList<>();
    for (JavaProcess process : processes) {
      String line = process.line();
      if (line == null) {
        throw new IOException(
            "the process of rank " + lines.size() + " has ended; its error stands above");
      }
      lines.add(line);
    }
    return lines;
  }
}
