package org.sparkcollectives.schedule;

import java.util.List;

/**
 * Sends blocks, as they are when the round begins, to another rank.
 *
 * @param peer the receiver's rank
 * @param pieces what is sent, at least one run of blocks
 */
public record Send(int peer, List<Piece> pieces) implements Message {

  /**
   * Copies the list.
   *
   * @param peer the receiver's rank
   * @param pieces what is sent, at least one run of blocks
   */
  public Send {
    pieces = List.copyOf(pieces);
  }

  /**
   * Sends one run of blocks.
   *
   * @param peer the receiver's rank
   * @param slot the slot read, 0 for the user's vector
   * @param blocks the blocks, none in a signal
   */
  public Send(int peer, int slot, BlockRange blocks) {
    this(peer, List.of(new Piece(slot, blocks)));
  }
}
