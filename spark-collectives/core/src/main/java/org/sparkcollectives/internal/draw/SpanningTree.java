package org.sparkcollectives.internal.draw;

import java.util.List;
import java.util.SortedSet;
import java.util.stream.IntStream;

/**
 * A tree over all ranks along which some blocks travel.
 *
 * @param root the rank at the top
 * @param parents the parent of each rank, -1 for the root
 * @param up for each rank the rounds in which it sends to its parent
 * @param down for each rank the rounds in which its parent sends to it
 * @param blocks the blocks that travel along it
 */
record SpanningTree(
    int root,
    List<Integer> parents,
    List<SortedSet<Integer>> up,
    List<SortedSet<Integer>> down,
    List<Integer> blocks) {

  int size() {
    return parents.size();
  }

  /** The children of each rank, by the round in which their edge is first used. */
  int[] children(int rank) {
    return IntStream.range(0, size()).filter(child -> parents.get(child) == rank).toArray();
  }

  /** Whether a message goes along an edge, in a round in which that is used this way. */
  boolean carries(Transfer transfer) {
    return parents.get(transfer.to()) == transfer.from()
        ? down.get(transfer.to()).contains(transfer.round())
        : parents.get(transfer.from()) == transfer.to()
            && up.get(transfer.from()).contains(transfer.round());
  }

  /** How far each rank is from the root. */
  int[] depths() {
    int[] depths = new int[size()];
    for (int rank = 0; rank < size(); rank++) {
      for (int at = rank; parents.get(at) >= 0; at = parents.get(at)) {
        depths[rank]++;
      }
    }
    return depths;
  }

  /** Whether every edge is used in odd rounds only or in even rounds only, and some edge twice. */
  boolean isColoured() {
    boolean often = false;
    for (List<SortedSet<Integer>> direction : List.of(up, down)) {
      for (SortedSet<Integer> rounds : direction) {
        often |= rounds.size() > 1;
        if (rounds.stream().map(round -> round % 2).distinct().count() > 1) {
          return false;
        }
      }
    }
    return often;
  }
}
