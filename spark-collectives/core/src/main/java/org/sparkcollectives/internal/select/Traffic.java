package org.sparkcollectives.internal.select;

import org.jspecify.annotations.Nullable;
import org.sparkcollectives.internal.algorithm.Algorithm;
import org.sparkcollectives.schedule.Piece;
import org.sparkcollectives.schedule.Problem;
import org.sparkcollectives.schedule.Round;
import org.sparkcollectives.schedule.Send;
import org.sparkcollectives.schedule.Topology;
import org.sparkcollectives.select.Candidate;

/**
 * What passes the network cards of all hosts, and what ranks send.
 *
 * @param busiest the busiest card, or null if nothing leaves its host
 * @param mostOfARank the most bytes that one rank sends
 */
record Traffic(Candidate.@Nullable Card busiest, double mostOfARank) {
  /** More rounds of all ranks together, or pieces of their messages, take too long to count. */
  private static final long MOST_COUNTED = 200_000;

  /** Counts an algorithm's schedules; null if these have too many rounds. */
  static @Nullable Traffic of(
      Algorithm algorithm, Problem problem, double bytesPerBlock, @Nullable BlockSizes sizes) {
    if (hasManyRounds(algorithm, problem)) {
      return null;
    }
    Topology topology = problem.topology();
    double[] sent = new double[topology.hosts(problem.size())];
    double[] received = new double[sent.length];
    double mostOfARank = 0;
    for (int rank = 0; rank < problem.size(); rank++) {
      int from = topology.host(rank);
      double ofRank = 0;
      for (Round round : algorithm.schedule(problem, rank).rounds()) {
        Send send = round.send();
        if (send != null) {
          double bytes = sizes == null ? send.size() * bytesPerBlock : bytes(send, sizes);
          int to = topology.host(send.peer());
          ofRank += bytes;
          sent[from] += from == to ? 0 : bytes;
          received[to] += from == to ? 0 : bytes;
        }
      }
      mostOfARank = Math.max(mostOfARank, ofRank);
    }
    int most = 0;
    for (int host = 1; host < sent.length; host++) {
      most = busy(sent, received, host) > busy(sent, received, most) ? host : most;
    }
    double bytes = busy(sent, received, most);
    return new Traffic(bytes == 0 ? null : new Candidate.Card(most, bytes), mostOfARank);
  }

  /** The bytes that pass the busiest card. */
  double busiestBytes() {
    return busiest == null ? 0 : busiest.bytes();
  }

  /**
   * Whether an explanation does without, for many rounds, or as messages of many ranks have a piece
   * for many of them where parts are not neighbours.
   */
  static boolean isLong(Algorithm algorithm, Problem problem) {
    if (hasManyRounds(algorithm, problem)) {
      return true;
    }
    long pieces = 0;
    for (Round round : algorithm.schedule(problem, problem.size() / 2).rounds()) {
      pieces += round.send() == null ? 0 : round.send().pieces().size();
    }
    return problem.size() * pieces > MOST_COUNTED;
  }

  private static boolean hasManyRounds(Algorithm algorithm, Problem problem) {
    return (long) problem.size() * Math.max(1, algorithm.rounds(problem)) > MOST_COUNTED;
  }

  /** How many blocks the ranks of a host send to others. */
  static long sent(Algorithm algorithm, Problem problem, int host) {
    Topology topology = problem.topology();
    long blocks = 0;
    for (int rank : topology.ranksOf(host)) {
      for (Round round : algorithm.schedule(problem, rank).rounds()) {
        Send send = round.send();
        if (send != null && topology.host(send.peer()) != host) {
          blocks += send.size();
        }
      }
    }
    return blocks;
  }

  private static double bytes(Send send, BlockSizes sizes) {
    double bytes = 0;
    for (Piece piece : send.pieces()) {
      bytes += sizes.bytes(piece.blocks().from(), piece.blocks().to());
    }
    return bytes;
  }

  private static double busy(double[] sent, double[] received, int host) {
    return Math.max(sent[host], received[host]);
  }
}
