package org.sparkcollectives.benchmarks.cluster;

import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import org.sparkcollectives.internal.calibrate.Calibration;
import org.sparkcollectives.testing.Introductions;
import org.sparkcollectives.testing.JavaProcess;
import org.sparkcollectives.testing.JavaProcesses;

/** The processes of all hosts. {@link #close()} ends them. */
final class HostProcesses implements Ranks, AutoCloseable {
  private final Patience patience;
  private final JavaProcesses processes;
  private final ObjectMapper json = new ObjectMapper();

  private HostProcesses(Patience patience) {
    this.patience = patience;
    this.processes = new JavaProcesses(patience.order());
  }

  /**
   * Starts a process for each rank, and makes them one group.
   *
   * @param network the hosts
   * @param placement the ranks of each
   * @param racks of the hosts, as the ranks are told
   * @param encrypted whether their connections are encrypted
   * @param connections how many two ranks have to each other
   * @param patience how long they may take
   * @throws IOException if a process does not start
   */
  static HostProcesses start(
      Network network,
      Placement placement,
      Racks racks,
      boolean encrypted,
      int connections,
      Patience patience)
      throws IOException {
    HostProcesses all = new HostProcesses(patience);
    boolean started = false;
    try {
      for (int rank = 0; rank < placement.ranks(); rank++) {
        all.add(network, placement, racks, rank, encrypted, connections);
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
    Introductions.introduce(processes.list());
    for (String line : processes.answers()) {
      if (!line.equals(HostProcess.CONNECTED)) {
        throw new IOException("a host process is not connected, but says: " + line);
      }
    }
  }

  /** Has all hosts do something. */
  List<HostAnswer> all(Order order) throws IOException {
    tell(order);
    List<HostAnswer> answers = new ArrayList<>();
    for (String line : processes.answers()) {
      answers.add(json.readValue(line, HostAnswer.class));
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
    Set<String> found = new LinkedHashSet<>(processes.answers());
    if (found.size() > 1) {
      throw new IOException("the ranks have measured differently: " + found);
    }
    return json.readValue(found.iterator().next(), Calibration.class);
  }

  @Override
  public List<HostAnswer> run(Order order) throws IOException {
    return all(order);
  }

  /** Lets the processes come to their ends, and kills those that do not. */
  @Override
  public void close() throws IOException {
    processes.close();
  }

  private void add(
      Network network,
      Placement placement,
      Racks racks,
      int rank,
      boolean encrypted,
      int connections)
      throws IOException {
    int host = placement.host(rank);
    List<String> arguments =
        List.of(
            Integer.toString(rank),
            Integer.toString(placement.ranks()),
            network.address(host),
            Boolean.toString(network.sharesMemory() || placement.shared()),
            Boolean.toString(encrypted),
            Integer.toString(connections),
            racks.name(host),
            Long.toString(patience.operation().toSeconds()));
    List<String> options = List.of("-Xmx1g", "-XX:+UseSerialGC");
    List<String> command = JavaProcess.command(options, HostProcess.class, arguments);
    processes.add(new JavaProcess(network.start(host, command)));
  }

  private void tell(Object message) throws IOException {
    processes.tell(json.writeValueAsString(message));
  }
}
