package org.sparkcollectives;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;

import java.io.BufferedReader;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.TreeSet;
import org.sparkcollectives.internal.algorithm.Algorithm;
import org.sparkcollectives.internal.algorithm.Algorithms;
import org.sparkcollectives.internal.algorithm.Traits;
import org.sparkcollectives.testing.Introductions;
import org.sparkcollectives.vector.ReduceOp;

/**
 * A rank that is a process of its own, a member of one group after the other. It tries every
 * algorithm with as many ranks as it is told, and prints which have run.
 */
final class SocketRank {
  /** What the line starts with that names an algorithm that has run with all numbers of ranks. */
  static final String RAN = "RAN ";

  /** The last line when all went well. */
  static final String DONE = "DONE";

  /** What the last line starts with when an algorithm fails; the reason follows. */
  static final String FAILED = "FAILED ";

  private static final ReduceOp<String> CONCATENATION =
      ReduceOp.ofObjects("concatenation", false, String::concat);

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
    String folder = args[1];
    BufferedReader in =
        new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
    try {
      Set<String> ran = new TreeSet<>();
      long shared = 0;
      for (int i = 2; i < args.length; i++) {
        int size = Integer.parseInt(args[i]);
        if (rank >= size) {
          continue;
        }
        for (int perHost : ranksPerHost(folder, size)) {
          GroupOptions.Builder options =
              GroupOptions.builder()
                  .node("node " + rank / perHost)
                  .label("process " + rank)
                  .sharedMemory(folder)
                  .communicator(CommunicatorOptions.DEFAULT.withTimeout(Duration.ofSeconds(60)));
          try (Group group = Introductions.open(in, rank, size, "127.0.0.1", options)) {
            ran.addAll(tryAll(group));
            shared += group.connections().shared();
            assertEquals(0, group.connections().notShared());
          }
        }
      }
      assertEquals(folder.isEmpty(), shared == 0, shared + " connections share memory");
      ran.forEach(algorithm -> System.out.println(RAN + algorithm));
      System.out.println(DONE);
    } catch (Exception | AssertionError e) {
      e.printStackTrace();
      System.out.println(FAILED + e);
    }
  }

  /**
   * How many ranks share a host, for each of the groups of a size: one or all, and some, as many on
   * each host where the size is even.
   */
  static List<Integer> ranksPerHost(String folder, int size) {
    return List.of(folder.isEmpty() ? 1 : size, size % 2 == 0 ? 2 : 3);
  }

  private static Set<String> tryAll(Group group) {
    Set<String> ran = new TreeSet<>();
    try (Communicator communicator = group.communicator()) {
      RankCheck check = new RankCheck(communicator, 1);
      int hosts = communicator.topology().hosts(communicator.size());
      boolean several = 1 < hosts && hosts < communicator.size();
      for (Algorithm algorithm : Algorithms.all()) {
        boolean hierarchical = algorithm.traits().has(Traits.Feature.HIERARCHICAL);
        if (several == hierarchical && check.check(algorithm)) {
          ran.add(algorithm.collective().slug() + " " + algorithm.slug());
        }
      }
    }
    try (Communicator next = group.communicator()) { // over the same connections
      tryTypes(next);
      SplitCheck split = new SplitCheck(next);
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
