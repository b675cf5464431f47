package org.sparkcollectives.spark.internal.rendezvous;

import static java.util.Objects.requireNonNull;

import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Small operands that have come with the ranks' arrivals. Not thread-safe. */
final class Gathering {
  private final @Nullable Small[] brought;

  Gathering(int size) {
    this.brought = new Small[size];
  }

  /** Takes what a rank brings, null if it brings nothing or something large. */
  void add(int rank, @Nullable Small small) {
    brought[rank] = small;
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
}
