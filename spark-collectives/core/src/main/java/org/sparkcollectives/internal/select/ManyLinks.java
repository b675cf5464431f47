package org.sparkcollectives.internal.select;

import java.util.BitSet;
import java.util.Collection;
import java.util.Collections;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.stream.IntStream;
import org.sparkcollectives.internal.algorithm.Algorithm;
import org.sparkcollectives.internal.algorithm.Traits;
import org.sparkcollectives.schedule.Collective;
import org.sparkcollectives.schedule.Problem;
import org.sparkcollectives.schedule.Round;
import org.sparkcollectives.schedule.Topology;

/**
 * All-to-alls, allgathers and reductions in which ranks talk to so many others that their process
 * would run out of file descriptors, or its links of memory: each has rings of up to half a
 * mebibyte.
 */
final class ManyLinks {
  /** The most links of a process to ranks of other hosts, by sockets. */
  private static final int MOST = 1 << 12;

  /** The most links of a process within its host, which have rings. */
  private static final int MOST_NEAR = 1 << 10;

  /** Of so many ranks of a process links are counted. */
  private static final int COUNTED = 4;

  private final Problem problem;

  /** The ranks of a process that has the most. */
  private final int[] ranks;

  private ManyLinks(Problem problem) {
    this.problem = problem;
    this.ranks = fullestProcess(problem.topology());
  }

  /**
   * Which algorithms are not to be chosen for so many ranks: those that need more links than a
   * process can have, and where all do, all but the one that needs the fewest.
   *
   * @param able algorithms that solve the problem, at least one
   * @param problem the problem
   * @return these algorithms, each with the reason
   */
  static Map<Algorithm, String> refusals(Collection<Algorithm> able, Problem problem) {
    ManyLinks counted = new ManyLinks(problem);
    Map<Algorithm, Long> tooMany = new LinkedHashMap<>();
    able.forEach(algorithm -> tooMany.put(algorithm, counted.tooMany(algorithm)));
    long least = Collections.min(tooMany.values());
    Map<Algorithm, String> refusals = new HashMap<>();
    tooMany.forEach(
        (algorithm, links) -> {
          if (links > least) {
            refusals.put(algorithm, "it needs some " + links + " links in a process");
          }
        });
    return refusals;
  }

  /**
   * The links that an algorithm needs in a process, 0 if these are not too many. Of what is no
   * all-to-all, those algorithms have few in which a rank sends neither to every other one nor to
   * one on every host.
   */
  private long tooMany(Algorithm algorithm) {
    boolean toAll = algorithm.traits().has(Traits.Feature.SHIFTING);
    boolean toHosts = algorithm.traits().has(Traits.Feature.TO_HOSTS);
    boolean counted = toAll || toHosts || problem.collective() == Collective.ALLTOALL;
    if (!counted || 2L * algorithm.rounds(problem) * ranks.length <= MOST_NEAR) {
      return 0;
    }
    Topology topology = problem.topology();
    double near = 0;
    double far = 0;
    int others = Math.min(COUNTED, ranks.length) - 1;
    for (int i = 0; i <= others; i++) {
      int rank = ranks[others == 0 ? 0 : i * (ranks.length - 1) / others];
      // The first rank may be one that talks for the others: it stands for itself alone.
      double weight = i == 0 ? 1 : (ranks.length - 1.0) / others;
      int host = topology.host(rank);
      long allPeers = problem.size() - 1L;
      long nearPeers = topology.isFlat() ? 0 : topology.ranksOf(host).length - 1;
      if (toHosts) {
        allPeers = nearPeers + topology.hosts(problem.size()) - 1;
      } else if (!toAll) {
        BitSet peers = peers(algorithm, rank);
        allPeers = peers.cardinality();
        nearPeers = peers.stream().filter(peer -> topology.host(peer) == host).count();
      }
      near += weight * nearPeers;
      far += weight * (allPeers - nearPeers);
    }
    return near <= MOST_NEAR && far <= MOST ? 0 : Math.round(near + far);
  }

  private BitSet peers(Algorithm algorithm, int rank) {
    BitSet peers = new BitSet();
    for (Round round : algorithm.schedule(problem, rank).rounds()) {
      if (round.send() != null) {
        peers.set(round.send().peer());
      }
      if (round.receive() != null) {
        peers.set(round.receive().peer());
      }
    }
    return peers;
  }

  private static int[] fullestProcess(Topology topology) {
    int[] count = new int[topology.size()];
    int fullest = 0;
    for (int rank = 0; rank < topology.size(); rank++) {
      int process = topology.process(rank);
      count[process]++;
      fullest = count[process] > count[fullest] ? process : fullest;
    }
    int process = fullest;
    return topology.isFlat()
        ? new int[] {0}
        : IntStream.range(0, topology.size())
            .filter(rank -> topology.process(rank) == process)
            .toArray();
  }
}
