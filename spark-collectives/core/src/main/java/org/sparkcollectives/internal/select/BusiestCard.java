package org.sparkcollectives.internal.select;

import org.jspecify.annotations.Nullable;
import org.sparkcollectives.internal.algorithm.Algorithm;
import org.sparkcollectives.schedule.Piece;
import org.sparkcollectives.schedule.Problem;
import org.sparkcollectives.schedule.Round;
import org.sparkcollectives.schedule.Send;
import org.sparkcollectives.schedule.Topology;
import org.sparkcollectives.select.Candidate;

/** Counts what passes the network cards of all hosts. */
final class BusiestCard {
  /** More rounds and pieces of all ranks together take too long to count for an explanation. */
  private static final long MOST_PIECES = 200_000;

  private BusiestCard() {}

  /** The busiest card of an algorithm, or null if nothing leaves its host or is too much. */
  static Candidate.@Nullable Card of(
      Algorithm algorithm, Problem problem, double bytesPerBlock, @Nullable BlockSizes sizes) {
    Topology topology = problem.topology();
    int size = problem.size();
    if (isTooMuch(algorithm, problem)) {
      return null;
    }
    double[] sent = new double[topology.hosts(size)];
    double[] received = new double[sent.length];
    for (int rank = 0; rank < size; rank++) {
      for (Round round : algorithm.schedule(problem, rank).rounds()) {
        int from = topology.host(rank);
        int to = round.send() == null ? from : topology.host(round.send().peer());
        if (round.send() != null && from != to) {
          double bytes =
              sizes == null ? round.send().size() * bytesPerBlock : bytes(round.send(), sizes);
          sent[from] += bytes;
          received[to] += bytes;
        }
      }
    }
    int most = 0;
    for (int host = 1; host < sent.length; host++) {
      most = busy(sent, received, host) > busy(sent, received, most) ? host : most;
    }
    double bytes = busy(sent, received, most);
    return bytes == 0 ? null : new Candidate.Card(most, bytes);
  }

  /** Messages may have a piece for many of the ranks, where parts are not neighbours. */
  private static boolean isTooMuch(Algorithm algorithm, Problem problem) {
    int size = problem.size();
    if ((long) size * Math.max(1, algorithm.rounds(problem)) > MOST_PIECES) {
      return true;
    }
    long pieces = 0;
    for (Round round : algorithm.schedule(problem, size / 2).rounds()) {
      pieces += round.send() == null ? 0 : round.send().pieces().size();
    }
    return size * pieces > MOST_PIECES;
  }

  /** The most bytes that one rank sends, or about so many where that takes too long to count. */
  static double mostOfARank(Algorithm algorithm, Problem problem, BlockSizes sizes) {
    if (isTooMuch(algorithm, problem)) {
      long sent = algorithm.blocksSent(problem);
      long wholes = sent / problem.blocks();
      return wholes * sizes.bytes(0, problem.blocks())
          + sizes.most((int) (sent % problem.blocks()));
    }
    double most = 0;
    for (int rank = 0; rank < problem.size(); rank++) {
      double sent = 0;
      for (Round round : algorithm.schedule(problem, rank).rounds()) {
        sent += round.send() == null ? 0 : bytes(round.send(), sizes);
      }
      most = Math.max(most, sent);
    }
    return most;
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
