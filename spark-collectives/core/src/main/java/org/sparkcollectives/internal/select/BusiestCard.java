package org.sparkcollectives.internal.select;

import org.jspecify.annotations.Nullable;
import org.sparkcollectives.internal.algorithm.Algorithm;
import org.sparkcollectives.schedule.Problem;
import org.sparkcollectives.schedule.Round;
import org.sparkcollectives.schedule.Topology;
import org.sparkcollectives.select.Candidate;

/** Counts what passes the network cards of all hosts. */
final class BusiestCard {
  /** More rounds of all ranks together take too long to count for an explanation. */
  private static final long MOST_ROUNDS = 200_000;

  private BusiestCard() {}

  /** The busiest card of an algorithm, or null if nothing leaves its host or is too much. */
  static Candidate.@Nullable Card of(Algorithm algorithm, Problem problem, double bytesPerBlock) {
    Topology topology = problem.topology();
    int size = problem.size();
    if ((long) size * Math.max(1, algorithm.rounds(problem)) > MOST_ROUNDS) {
      return null;
    }
    long[] sent = new long[topology.hosts(size)];
    long[] received = new long[sent.length];
    for (int rank = 0; rank < size; rank++) {
      for (Round round : algorithm.schedule(problem, rank).rounds()) {
        int from = topology.host(rank);
        int to = round.send() == null ? from : topology.host(round.send().peer());
        if (round.send() != null && from != to) {
          sent[from] += round.send().size();
          received[to] += round.send().size();
        }
      }
    }
    int most = 0;
    for (int host = 1; host < sent.length; host++) {
      most = busy(sent, received, host) > busy(sent, received, most) ? host : most;
    }
    long blocks = busy(sent, received, most);
    return blocks == 0 ? null : new Candidate.Card(most, blocks * bytesPerBlock);
  }

  private static long busy(long[] sent, long[] received, int host) {
    return Math.max(sent[host], received[host]);
  }
}
