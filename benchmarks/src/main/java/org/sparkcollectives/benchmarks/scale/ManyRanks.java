package org.sparkcollectives.benchmarks.scale;

import java.io.IOException;
import java.security.SecureRandom;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import org.sparkcollectives.benchmarks.scale.ManyRanksProcess.Held;
import org.sparkcollectives.testing.JavaProcess;
import org.sparkcollectives.testing.JavaProcesses;

/** Processes of several ranks each, which make one communicator after another. */
final class ManyRanks implements AutoCloseable {
  private static final int TOKEN_BYTES = 32;

  /** For what all ranks do for an answer, besides an operation that may take its whole time. */
  private static final Duration PATIENCE = Duration.ofMinutes(10);

  private static final List<String> OPTIONS = List.of("-Xmx1g", "-Xss512k", "-XX:+UseSerialGC");

  private final JavaProcesses processes;
  private final List<String> words = new ArrayList<>();
  private final String token;
  private int communicators;

  private ManyRanks(Duration patience) {
    processes = new JavaProcesses(patience);
    byte[] random = new byte[TOKEN_BYTES];
    new SecureRandom().nextBytes(random);
    token = HexFormat.of().formatHex(random);
  }

  /**
   * What an operation took.
   *
   * @param micros the time on the slowest rank, in microseconds
   * @param algorithm the algorithm
   */
  record Run(double micros, String algorithm) {}

  /**
   * Starts processes.
   *
   * @param ranks how many ranks in all, a multiple of the processes
   * @param processes how many processes
   * @param hosts on how many hosts they say that they are: those of one share memory
   * @param seconds how long an operation may take
   */
  static ManyRanks start(int ranks, int processes, int hosts, long seconds) throws IOException {
    ManyRanks all = new ManyRanks(PATIENCE.plusSeconds(seconds));
    boolean started = false;
    try {
      int each = ranks / processes;
      for (int i = 0; i < processes; i++) {
        List<String> arguments =
            List.of(String.valueOf(i * each), String.valueOf(each), String.valueOf(seconds));
        all.processes.add(
            JavaProcess.start(JavaProcess.command(OPTIONS, ManyRanksProcess.class, arguments)));
      }
      all.processes.tell(ManyRanksProcess.CARD);
      List<String> cards = all.processes.answers();
      for (int i = 0; i < processes; i++) {
        String[] card = cards.get(i).split(" ", -1);
        String node = "host-" + (long) i * hosts / processes;
        all.words.add(ManyRanksProcess.word(card[0], card[1], node, each));
      }
      started = true;
      return all;
    } finally {
      if (!started) {
        all.close();
      }
    }
  }

  /** Opens a communicator of all ranks, without links. */
  void join() throws IOException {
    String head = ManyRanksProcess.JOIN + " " + communicators++ + " " + token + " ";
    done(head + String.join(" ", words));
  }

  /**
   * Checks the result of an operation, and times the same ones after it, once all ranks have ended
   * those between.
   *
   * @throws IOException if a result is wrong or the operation fails; the message says why
   */
  Run run(Check check, int times) throws IOException {
    String algorithm = done(ManyRanksProcess.RUN + " " + check.words()).get(0);
    double slowest = 0;
    for (String micros : done(ManyRanksProcess.TIME + " " + check.words() + " " + times)) {
      slowest = Math.max(slowest, Double.parseDouble(micros));
    }
    return new Run(slowest, algorithm);
  }

  /** What each process holds. */
  List<Held> held() throws IOException {
    processes.tell(ManyRanksProcess.HELD);
    return processes.answers().stream().map(Held::of).toList();
  }

  /** Ends the communicator. */
  void leave() throws IOException {
    done(ManyRanksProcess.LEAVE);
  }

  /** Lets the processes come to their ends, and kills those that do not. */
  @Override
  public void close() throws IOException {
    processes.close();
  }

  private List<String> done(String order) throws IOException {
    processes.tell(order);
    List<String> results = new ArrayList<>();
    for (String answer : processes.answers()) {
      if (!answer.startsWith(ManyRanksProcess.DONE)) {
        throw new IOException(answer);
      }
      results.add(answer.substring(ManyRanksProcess.DONE.length()).strip());
    }
    return results;
  }
}
