package org.sparkcollectives.internal.select;

import java.util.BitSet;
import org.jspecify.annotations.Nullable;
import org.sparkcollectives.internal.algorithm.Algorithm;
import org.sparkcollectives.schedule.Problem;
import org.sparkcollectives.schedule.Round;
import org.sparkcollectives.schedule.Topology;

/**
 * All-to-alls in which ranks talk to so many others that their process would run out of file
 * descriptors, or its links of memory: each has rings of up to half a mebibyte.
 */
final class ManyLinks {
  /** The most links of the ranks of a process. */
  private static final int MOST = 1 << 12;

  /** The most of them that stay within their host, and have rings. */
  private static final int MOST_NEAR = 1 << 10;

  private ManyLinks() {}

  /** Why an algorithm makes no sense for so many ranks, or null if it does. */
  static @Nullable String refusal(Algorithm algorithm, Problem problem) {
    long ranks = ranksPerProcess(problem.topology());
    if (2L * algorithm.rounds(problem) * ranks <= MOST_NEAR) {
      return null;
    }
    BitSet peers = peers(algorithm, problem);
    Topology topology = problem.topology();
    long links = ranks * peers.cardinality();
    long near =
        ranks * peers.stream().filter(peer -> topology.host(peer) == topology.host(0)).count();
    return links <= MOST && near <= MOST_NEAR
        ? null
        : "it needs some " + links + " links in a process";
  }

  /** The peers of rank 0, which has as many as others. */
  private static BitSet peers(Algorithm algorithm, Problem problem) {
    BitSet peers = new BitSet();
    for (Round round : algorithm.schedule(problem, 0).rounds()) {
      if (round.send() != null) {
        peers.set(round.send().peer());
      }
      if (round.receive() != null) {
        peers.set(round.receive().peer());
      }
    }
    return peers;
  }

  /** The most ranks that share a process. */
  private static int ranksPerProcess(Topology topology) {
    int[] ranks = new int[topology.size()];
    int most = 1;
    for (int rank = 0; rank < ranks.length; rank++) {
      most = Math.max(most, ++ranks[topology.process(rank)]);
    }
    return most;
  }
}
