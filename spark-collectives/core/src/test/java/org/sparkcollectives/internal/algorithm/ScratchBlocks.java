package org.sparkcollectives.internal.algorithm;

import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.sparkcollectives.schedule.BlockRange;
import org.sparkcollectives.schedule.Combine;
import org.sparkcollectives.schedule.Copy;
import org.sparkcollectives.schedule.LocalStep;
import org.sparkcollectives.schedule.Message;
import org.sparkcollectives.schedule.Piece;
import org.sparkcollectives.schedule.Round;
import org.sparkcollectives.schedule.Schedule;

/** Counts the memory that a schedule needs besides the user's vector. */
final class ScratchBlocks {
  private ScratchBlocks() {}

  /**
   * The most scratch blocks that a rank carries over from one round to the next: those written
   * before and read after. An operand that is combined in the round that receives it does not
   * count.
   *
   * @param schedule the rank's schedule
   * @return a number of blocks
   */
  static int carried(Schedule schedule) {
    Set<Long> live = new HashSet<>();
    int most = 0;
    List<Round> rounds = schedule.rounds();
    for (int i = rounds.size() - 1; i >= 0; i--) {
      Round round = rounds.get(i);
      for (int step = round.local().size() - 1; step >= 0; step--) {
        back(live, round.local().get(step));
      }
      if (round.receive() != null) {
        mark(live, round.receive(), false);
      }
      if (round.send() != null) {
        mark(live, round.send(), true);
      }
      most = Math.max(most, live.size());
    }
    return most;
  }

  private static void back(Set<Long> live, LocalStep step) {
    mark(live, step.dst(), step.blocks(), false);
    if (step instanceof Combine combine) {
      mark(live, combine.left(), step.blocks(), true);
      mark(live, combine.right(), step.blocks(), true);
    } else if (step instanceof Copy copy) {
      mark(live, copy.src(), step.blocks(), true);
    }
  }

  private static void mark(Set<Long> live, Message message, boolean read) {
    for (Piece piece : message.pieces()) {
      mark(live, piece.slot(), piece.blocks(), read);
    }
  }

  private static void mark(Set<Long> live, int slot, BlockRange blocks, boolean read) {
    for (int block = blocks.from(); slot > 0 && block < blocks.to(); block++) {
      long key = (long) slot << Integer.SIZE | block;
      if (read) {
        live.add(key);
      } else {
        live.remove(key);
      }
    }
  }
}
