package org.sparkcollectives.schedule;

import java.util.List;

/**
 * One side of a message between two ranks. It carries one run of blocks or several, in the same
 * sequence and with the same ranges on both sides; the slots may differ. A message of one run of no
 * blocks, {@link BlockRange#NONE}, is a signal: it goes when its sender has received all that
 * earlier rounds bring it, and its receiver sends nothing of later rounds before it has come.
 */
public sealed interface Message permits Send, Receive {

  /**
   * The other side.
   *
   * @return its rank
   */
  int peer();

  /**
   * What the message carries.
   *
   * @return the runs of blocks, at least one
   */
  List<Piece> pieces();

  /**
   * Whether the message is a signal.
   *
   * @return true if it carries no blocks
   */
  default boolean isSignal() {
    return pieces().size() == 1 && pieces().get(0).blocks().equals(BlockRange.NONE);
  }

  /**
   * How many blocks the message carries.
   *
   * @return a number of blocks
   */
  default int size() {
    List<Piece> pieces = pieces();
    int sum = 0;
    for (int i = 0; i < pieces.size(); i++) {
      sum += pieces.get(i).blocks().size();
    }
    return sum;
  }

  /**
   * The ranges of blocks, without slots: what both sides must agree on.
   *
   * @return a range for each piece
   */
  default List<BlockRange> ranges() {
    return pieces().stream().map(Piece::blocks).toList();
  }

  /**
   * Whether another message has the same ranges of blocks.
   *
   * @param other the other message
   * @return true if {@link #ranges()} are equal
   */
  default boolean hasRangesOf(Message other) {
    List<Piece> pieces = pieces();
    List<Piece> others = other.pieces();
    boolean same = pieces.size() == others.size();
    for (int i = 0; same && i < pieces.size(); i++) {
      BlockRange range = pieces.get(i).blocks();
      BlockRange its = others.get(i).blocks();
      same = range.from() == its.from() && range.to() == its.to();
    }
    return same;
  }
}
