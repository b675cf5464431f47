package org.sparkcollectives.spark.internal.rendezvous;

import java.util.List;
import org.sparkcollectives.Communicator;

/** What a rank is to do once all have arrived. */
public sealed interface RankRole {
  /** Nothing: the rank is not needed. */
  RankRole NONE = new None();

  /** The rank is not needed. */
  record None() implements RankRole {}

  /**
   * The rank takes part in a collective.
   *
   * @param communicator the way to the other ranks
   */
  record Member(Communicator communicator) implements RankRole {}

  /**
   * The rank combines what all have brought; no other does anything.
   *
   * @param operands what all have brought, serialized, in rank order, its own among them
   */
  record Combine(List<byte[]> operands) implements RankRole {
    /**
     * Copies the list.
     *
     * @param operands what all have brought
     */
    public Combine {
      operands = List.copyOf(operands);
    }
  }
}
