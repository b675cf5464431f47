package org.sparkcollectives.benchmarks.cluster;

import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.Writer;
import java.nio.charset.StandardCharsets;
import java.security.SecureRandom;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/** The processes of all hosts. {@link #close()} ends them. */
final class HostProcesses implements Ranks, AutoCloseable {
  private static final int TOKEN_BYTES = 32;
  private static final long ANSWER_SECONDS = 300;
  private static final long END_SECONDS = 10;

  private final List<Process> processes = new ArrayList<>();
  private final List<BufferedReader> readers = new ArrayList<>();
  private final List<Writer> writers = new ArrayList<>();
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
   * Starts a process per host and introduces them to each other.
   *
   * @param network the hosts
   * @throws IOException if a process does not start
   */
  static HostProcesses start(Network network) throws IOException {
    HostProcesses all = new HostProcesses();
    boolean started = false;
    try {
      for (int host = 0; host < network.hosts(); host++) {
        all.add(network, host);
      }
      List<HostProcess.Place> places = new ArrayList<>();
      for (String line : all.lines(network.hosts())) {
        places.add(all.json.readValue(line, HostProcess.Place.class));
      }
      byte[] token = new byte[TOKEN_BYTES];
      new SecureRandom().nextBytes(token);
      all.tell(
          new HostProcess.Introduction(HexFormat.of().formatHex(token), places), network.hosts());
      started = true;
      return all;
    } finally {
      if (!started) {
        all.close();
      }
    }
  }

  /** How many processes there are. */
  int size() {
    return processes.size();
  }

  /** Has all hosts do something. */
  List<Answer> all(Order order) throws IOException {
    return first(order, size());
  }

  @Override
  public List<Answer> run(Order order) throws IOException {
    return all(order);
  }

  /** Has the first hosts do something, while the others rest. */
  List<Answer> first(Order order, int hosts) throws IOException {
    tell(order, hosts);
    List<Answer> answers = new ArrayList<>();
    for (String line : lines(hosts)) {
      answers.add(json.readValue(line, Answer.class));
    }
    return answers;
  }

  @Override
  public void close() throws IOException {
    try {
      for (Writer writer : writers) {
        writer.close();
      }
      for (Process process : processes) {
        if (!process.waitFor(END_SECONDS, TimeUnit.SECONDS)) {
          process.destroyForcibly();
        }
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    } finally {
      processes.forEach(Process::destroyForcibly);
      listener.shutdownNow();
    }
  }

  private void add(Network network, int host) throws IOException {
    List<String> command =
        List.of(
            Network.java(),
            "-Xmx1g",
            "-XX:+UseSerialGC",
            "-cp",
            System.getProperty("java.class.path"),
            HostProcess.class.getName(),
            Integer.toString(host),
            network.address(host),
            Boolean.toString(network.sharesMemory()));
    Process process = network.start(host, command);
    processes.add(process);
    readers.add(process.inputReader(StandardCharsets.UTF_8));
    writers.add(process.outputWriter(StandardCharsets.UTF_8));
  }

  private void tell(Object message, int hosts) throws IOException {
    String line = json.writeValueAsString(message) + "\n";
    for (Writer writer : writers.subList(0, hosts)) {
      writer.write(line);
      writer.flush();
    }
  }

  private List<String> lines(int hosts) throws IOException {
    Future<List<String>> lines = listener.submit(() -> read(hosts));
    try {
      return lines.get(ANSWER_SECONDS, TimeUnit.SECONDS);
    } catch (ExecutionException e) {
      throw new IOException(String.valueOf(e.getCause()), e);
    } catch (TimeoutException e) {
      processes.forEach(Process::destroyForcibly);
      throw new IOException("a host process has not answered within " + ANSWER_SECONDS + " s", e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IOException("interrupted while waiting for the host processes", e);
    }
  }

  private List<String> read(int hosts) throws IOException {
    List<String> lines = new ArrayList<>();
    for (BufferedReader reader : readers.subList(0, hosts)) {
      String line = reader.readLine();
      if (line == null) {
        throw new IOException(
            "the process of host " + lines.size() + " has ended; its error stands above");
      }
      lines.add(line);
    }
    return lines;
  }
}
