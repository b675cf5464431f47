package org.sparkcollectives;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import org.sparkcollectives.algorithm.Algorithm;
import org.sparkcollectives.algorithm.Algorithms;
import org.sparkcollectives.algorithm.Traits;
import org.sparkcollectives.transport.Peer;
import org.sparkcollectives.transport.Roster;
import org.sparkcollectives.transport.tcp.Endpoint;
import org.sparkcollectives.transport.tcp.EndpointOptions;

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

  /** The ranks that share a host where hosts matter. */
  private static final int RANKS_PER_HOST = 3;

  private SocketRank() {}

  /**
   * Runs a rank.
   *
   * @param args the rank, then the numbers of ranks to try, the largest last
   * @throws Exception if anything but an algorithm fails
   */
  public static void main(String[] args) throws Exception {
    int rank = Integer.parseInt(args[0]);
    int most = Integer.parseInt(args[args.length - 1]);
    BufferedReader in =
        new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
    EndpointOptions options = EndpointOptions.builder().hosts("127.0.0.1", "").build();
    try (Endpoint endpoint = new Endpoint(options)) {
      Peer me = endpoint.peer(rank, "", "");
      System.out.println(LISTENS + me.endpoint() + " " + me.host() + " " + me.port());
      List<String[]> places = new ArrayList<>();
      while (places.size() < most) {
        places.add(line(in).split(" ", 3));
      }
      Set<String> ran = new TreeSet<>();
      for (int i = 1; i < args.length; i++) {
        int size = Integer.parseInt(args[i]);
        if (rank < size) {
          ran.addAll(tryAll(endpoint, rank, roster(places, size, 1)));
          ran.addAll(tryAll(endpoint, rank, roster(places, size, RANKS_PER_HOST)));
        }
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
      boolean flat = communicator.topology().isFlat();
      for (Algorithm algorithm : Algorithms.all()) {
        boolean hosts = algorithm.traits().has(Traits.Feature.HIERARCHICAL);
        if (flat != hosts && check.check(algorithm)) {
          ran.add(algorithm.collective().slug() + " " + algorithm.slug());
        }
      }
    }
    return ran;
  }
}
