package org.sparkcollectives;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.TreeSet;
import org.sparkcollectives.internal.algorithm.Algorithm;
import org.sparkcollectives.internal.algorithm.Algorithms;
import org.sparkcollectives.internal.algorithm.Traits;
import org.sparkcollectives.internal.transport.tcp.Endpoint;
import org.sparkcollectives.internal.transport.tcp.EndpointOptions;
import org.sparkcollectives.internal.transport.tcp.EndpointStatistics;
import org.sparkcollectives.transport.Peer;
import org.sparkcollectives.transport.Roster;
import org.sparkcollectives.vector.ReduceOp;

/**
 * A rank that is a process of its own, a member of one communicator after the other. It prints
 * where it listens, reads the places of all ranks from its standard input, tries every algorithm
 * with as many ranks as it is told, and prints which have run.
 */
final class SocketRank {
  /** What the line starts with that says where this rank listens: identity, host, port. */
  static final String LISTENS = "LISTENS ";

  /** What the line starts with that names an algorithm that has run with all numbers of ranks. */
  static final String RAN = "RAN ";

  /** The last line when all went well. */
  static final String DONE = "DONE";

  /** What the last line starts with when an algorithm fails; the reason follows. */
  static final String FAILED = "FAILED ";

  private static final int TOKEN_BYTES = 32;

  private static final ReduceOp<String> CONCATENATION =
      ReduceOp.ofObjects("concatenation", false, String::concat);

  /** The ranks that share a host where hosts matter. */
  private static final int RANKS_PER_HOST = 3;

  private SocketRank() {}

  /**
   * Runs a rank.
   *
   * @param args the rank, the folder of shared memory or an empty one, then the numbers of ranks to
   *     try, the largest last
   * @throws Exception if anything but an algorithm fails
   */
  public static void main(String[] args) throws Exception {
    int rank = Integer.parseInt(args[0]);
    int most = Integer.parseInt(args[args.length - 1]);
    BufferedReader in =
        new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
    String folder = args[1];
    EndpointOptions options =
        EndpointOptions.builder().hosts("127.0.0.1", "").sharedMemory(folder).build();
    try (Endpoint endpoint = new Endpoint(options)) {
      Peer me = endpoint.peer(rank, "", "");
      System.out.println(LISTENS + me.endpoint() + " " + me.host() + " " + me.port());
      List<String[]> places = new ArrayList<>();
      while (places.size() < most) {
        places.add(line(in).split(" ", 3));
      }
      Set<String> ran = new TreeSet<>();
      for (int i = 2; i < args.length; i++) {
        int size = Integer.parseInt(args[i]);
        if (rank < size) {
          // Where memory is shared, all ranks on one host first, whose connections serve the rest.
          int perHost = folder.isEmpty() ? 1 : size;
          ran.addAll(tryAll(endpoint, rank, roster(places, size, perHost)));
          ran.addAll(tryAll(endpoint, rank, roster(places, size, RANKS_PER_HOST)));
        }
      }
      EndpointStatistics statistics = endpoint.statistics();
      boolean shares = statistics.shared() > 0;
      if (shares == folder.isEmpty() || statistics.notShared() > 0) {
        throw new AssertionError("memory was " + (shares ? "" : "not ") + "shared: " + statistics);
      }
      ran.forEach(algorithm -> System.out.println(RAN + algorithm));
      System.out.println(DONE);
    } catch (Exception | AssertionError e) {
      e.printStackTrace();
      System.out.println(FAILED + e);
    }
  }

  private static String line(BufferedReader in) throws IOException {
    String line = in.readLine();
    if (line == null) {
      throw new IOException("the standard input has ended");
    }
    return line;
  }

  private static Roster roster(List<String[]> places, int size, int ranksPerHost) {
    List<Peer> peers = new ArrayList<>();
    for (int rank = 0; rank < size; rank++) {
      String[] place = places.get(rank);
      String node = "node " + rank / ranksPerHost;
      peers.add(
          new Peer(rank, place[0], place[1], Integer.parseInt(place[2]), node, "process " + rank));
    }
    return new Roster(100L * size + ranksPerHost, 0, new byte[TOKEN_BYTES], peers);
  }

  private static Set<String> tryAll(Endpoint endpoint, int rank, Roster roster) throws IOException {
    Set<String> ran = new TreeSet<>();
    CommunicatorOptions options = CommunicatorOptions.DEFAULT.withTimeout(Duration.ofSeconds(60));
    try (Communicator communicator = new Communicator(endpoint.join(roster, rank), options)) {
      RankCheck check = new RankCheck(communicator, 1);
      int hosts = communicator.topology().hosts(communicator.size());
      boolean several = 1 < hosts && hosts < communicator.size();
      for (Algorithm algorithm : Algorithms.all()) {
        boolean hierarchical = algorithm.traits().has(Traits.Feature.HIERARCHICAL);
        if (several == hierarchical && check.check(algorithm)) {
          ran.add(algorithm.collective().slug() + " " + algorithm.slug());
        }
      }
      tryTypes(communicator);
      SplitCheck split = new SplitCheck(communicator);
      split.everyAlgorithm(r -> Math.min(2, r % 4), r -> -r);
      split.someInNone();
      split.toAndFro();
    }
    return ran;
  }

  /** Elements of every size, odd numbers of bytes, and objects that fill rings and do not. */
  private static void tryTypes(Communicator communicator) {
    int rank = communicator.rank();
    int size = communicator.size();
    for (int length : new int[] {1, 7, 4095, 70_001, 300_007}) {
      byte[] bytes = new byte[length];
      SplittableRandom random = new SplittableRandom(length);
      random.nextBytes(bytes);
      byte[] mine = rank == size - 1 ? bytes.clone() : new byte[length];
      assertArrayEquals(bytes, communicator.broadcast(mine, size - 1));

      float[] floats = new float[length];
      Arrays.fill(floats, rank);
      float[] sums = new float[length];
      Arrays.fill(sums, size * (size - 1) * 0.5f);
      assertArrayEquals(sums, communicator.allReduce(floats, ReduceOp.SUM));

      int[] most = new int[length];
      Arrays.setAll(most, i -> i * (rank + 1));
      int[] all = new int[length];
      Arrays.setAll(all, i -> i * size);
      assertArrayEquals(all, communicator.allReduce(most, ReduceOp.MAX));

      String text = (char) ('a' + rank) + "-".repeat(length);
      StringBuilder expected = new StringBuilder();
      for (int r = 0; r < size; r++) {
        expected.append((char) ('a' + r)).append("-".repeat(length));
      }
      assertEquals(expected.toString(), communicator.allReduce(text, CONCATENATION));
      String said = rank == 0 ? text : null;
      assertEquals("a" + "-".repeat(length), communicator.objects().broadcast(said, 0));
    }
  }
}
