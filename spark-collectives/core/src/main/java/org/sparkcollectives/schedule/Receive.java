package org.sparkcollectives.schedule;

import java.util.List;

/**
 * Receives the blocks that the peer's send of the same round names.
 *
 * @param peer the sender's rank
 * @param pieces what is received and where it is written, at least one run of blocks
 */
public record Receive(int peer, List<Piece> pieces) implements Message {

  /**
   * Copies the list.
   *
   * @param peer the sender's rank
   * @param pieces what is received and where it is written, at least one run of blocks
   */
  public Receive {
    pieces = List.copyOf(pieces);
  }

  /**
   * Receives one run of blocks.
   *
   * @param peer the sender's rank
   * @param slot the slot written, 0 for the user's vector
   * @param blocks the blocks, none in a signal
   */
  public Receive(int peer, int slot, BlockRange blocks) {
    this(peer, List.of(new Piece(slot, blocks)));
  }
}
