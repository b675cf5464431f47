package org.sparkcollectives.benchmarks.chaos;

import java.io.IOException;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.function.IntBinaryOperator;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.sparkcollectives.benchmarks.cluster.Network;
import org.sparkcollectives.internal.transport.Peer;
import org.sparkcollectives.internal.transport.tcp.handshake.Handshake;
import org.sparkcollectives.testing.JavaProcess;

/** The processes of all ranks, and what they tell. {@link #close()} ends them. */
final class ChaosRanks implements AutoCloseable {
  private static final String ENDED = "ENDED";
  static final int DESCRIPTORS = 512;

  private final Path folder;
  private final Network network;
  private final byte[] token = new byte[Handshake.TOKEN_BYTES];
  private final List<String> hosts = new ArrayList<>();
  private final List<Rank> ranks = new ArrayList<>();
  private final List<Peer> cards = new ArrayList<>();

  private record Rank(JavaProcess process, BlockingQueue<String> answers) {}

  /**
   * Starts processes.
   *
   * @param network the host of each, or one for all
   * @param folder where they share memory
   */
  ChaosRanks(Network network, Path folder) throws IOException {
    this.folder = folder;
    this.network = network;
    new SecureRandom().nextBytes(token);
    boolean started = false;
    try {
      for (int rank = 0; rank < network.hosts(); rank++) {
        hosts.add(network.address(rank));
        ranks.add(start(rank));
      }
      started = true;
    } finally {
      if (!started) {
        close();
      }
    }
  }

  private Rank start(int rank) throws IOException {
    List<String> java =
        JavaProcess.command(
            List.of(
                "-Xmx96m",
                "-XX:+UseSerialGC",
                "-XX:TieredStopAtLevel=1",
                "-XX:-UsePerfData",
                "-XX:MaxDirectMemorySize=64m"),
            ChaosRank.class,
            List.of(Integer.toString(rank), folder.toString(), hosts.get(rank)));
    List<String> limited = new ArrayList<>(List.of("sh", "-c"));
    limited.add("ulimit -n " + DESCRIPTORS + "; exec \"$@\"");
    limited.add("sh");
    limited.addAll(java);
    JavaProcess process = new JavaProcess(network.start(rank, limited));
    Rank started = new Rank(process, new LinkedBlockingQueue<>());
    Thread reader = new Thread(() -> read(started), "answers of rank " + rank);
    reader.setDaemon(true);
    reader.start();
    return started;
  }

  private static void read(Rank rank) {
    try {
      for (String line = rank.process().line(); line != null; line = rank.process().line()) {
        rank.answers().add(line);
      }
    } catch (IOException killed) {
      // its answers end, as at its end
    }
    rank.answers().add(ENDED);
  }

  int size() {
    return ranks.size();
  }

  byte[] token() {
    return token.clone();
  }

  /** A rank's process. */
  JavaProcess process(int rank) {
    return ranks.get(rank).process();
  }

  /** Starts those again that are dead. */
  void replaceDead() throws IOException {
    for (int rank = 0; rank < size(); rank++) {
      if (!process(rank).isAlive()) {
        process(rank).close();
        ranks.set(rank, start(rank));
      }
    }
  }

  /** Has a rank do something. One that has ended is not told. */
  void tell(int rank, String order) {
    try {
      process(rank).tell(order);
    } catch (IOException ended) {
      // so do its answers, which say that
    }
  }

  /** Has all ranks do something. */
  void tellAll(String order) {
    for (int rank = 0; rank < size(); rank++) {
      tell(rank, order);
    }
  }

  /**
   * Waits for a rank's answer.
   *
   * @return the answer, null if its process has ended
   * @throws IOException if there is none in time
   */
  @Nullable String answer(int rank, long millis) throws IOException {
    try {
      String line = ranks.get(rank).answers().poll(millis, TimeUnit.MILLISECONDS);
      if (line == null) {
        throw new IOException("rank " + rank + " has not answered within " + millis + " ms");
      }
      if (line.equals(ENDED)) {
        ranks.get(rank).answers().add(ENDED); // for who asks again
        return null;
      }
      return line;
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IOException("interrupted while waiting for rank " + rank, e);
    }
  }

  /** As {@link #answer}, of a process that is to live. */
  String require(int rank, long millis) throws IOException {
    String line = answer(rank, millis);
    if (line == null) {
      throw new IOException("rank " + rank + " has ended; its error stands above");
    }
    return line;
  }

  /** Asks all where they listen now. */
  List<Peer> cards(Fault.Layout layout, long millis) throws IOException {
    tellAll(ChaosRank.CARD);
    cards.clear();
    for (int rank = 0; rank < size(); rank++) {
      String[] words = require(rank, millis).split(" ", -1);
      int port = Integer.parseInt(words[1]);
      cards.add(new Peer(rank, words[0], hosts.get(rank), port, layout.node(rank), ""));
    }
    return List.copyOf(cards);
  }

  /** Where a rank listens, as it said last. */
  int port(int rank) {
    return cards.get(rank).port();
  }

  /**
   * Makes all take part in a communicator, each with its own view of the others.
   *
   * @param ports where a rank dials another
   */
  void join(long communicator, int epoch, long deadlineMillis, IntBinaryOperator ports, long millis)
      throws IOException {
    for (int rank = 0; rank < size(); rank++) {
      int self = rank;
      String peers =
          IntStream.range(0, size())
              .mapToObj(
                  peer -> {
                    Peer card = cards.get(peer);
                    int port = peer == self ? card.port() : ports.applyAsInt(self, peer);
                    return ChaosRank.word(card, port);
                  })
              .collect(Collectors.joining(" "));
      tell(
          rank,
          "%s %d %d %s %d %s"
              .formatted(
                  ChaosRank.JOIN,
                  communicator,
                  epoch,
                  HexFormat.of().formatHex(token),
                  deadlineMillis,
                  peers));
    }
    for (int rank = 0; rank < size(); rank++) {
      String answer = require(rank, millis);
      if (!answer.equals(ChaosRank.DONE)) {
        throw new IOException("rank " + rank + " cannot take part: " + answer);
      }
    }
  }

  @Override
  public void close() {
    ranks.forEach(rank -> rank.process().close());
  }
}
