package org.sparkcollectives.spark.internal.rendezvous;

import static java.util.Objects.requireNonNull;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Small operands that have come with the ranks' arrivals, and who is to combine them. Ranks of
 * which it is certain that all others bring as little are dismissed as soon as another such rank
 * has come, so that their tasks end while others still begin. Not thread-safe.
 */
final class Gathering {
  private static final int NOBODY = -1;

  private final @Nullable Small[] brought;
  private final Set<Integer> dismissed = new HashSet<>();

  /** The last that came of those which can be dismissed. */
  private int last = NOBODY;

  Gathering(int size) {
    this.brought = new Small[size];
  }

  /**
   * Takes what a rank brings.
   *
   * @param rank the rank
   * @param small its operand, or null if it brings none or a large one
   * @return a rank that is dismissed now, or -1
   */
  int add(int rank, @Nullable Small small) {
    brought[rank] = small;
    if (small == null || !small.alike()) {
      return NOBODY;
    }
    int before = last;
    last = rank;
    if (before != NOBODY) {
      dismissed.add(before);
    }
    return before;
  }

  /** Whether a rank has been told that it is not needed. */
  boolean hasDismissed(int rank) {
    return dismissed.contains(rank);
  }

  /** Whether any rank has been told so. */
  boolean hasDismissed() {
    return !dismissed.isEmpty();
  }

  /**
   * The operands of those who take part, in rank order.
   *
   * @param takes who takes part
   * @return empty if somebody who does has not sent it
   */
  List<byte[]> operands(boolean[] takes) {
    List<byte[]> operands = new ArrayList<>();
    for (int rank = 0; rank < takes.length; rank++) {
      Small small = brought[rank];
      if (takes[rank] && small == null) {
        return List.of();
      } else if (takes[rank]) {
        operands.add(requireNonNull(small).bytes());
      }
    }
    return operands;
  }

  /** The rank that combines: it still waits, and has brought an operand. */
  int combiner(boolean[] takes) {
    if (last != NOBODY) {
      return last;
    }
    int first = 0;
    while (!takes[first]) {
      first++;
    }
    return first;
  }
}
