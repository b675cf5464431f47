package org.sparkcollectives.internal.draw;

import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import org.sparkcollectives.schedule.BlockRange;
import org.sparkcollectives.schedule.Combine;
import org.sparkcollectives.schedule.LocalStep;
import org.sparkcollectives.schedule.Piece;
import org.sparkcollectives.schedule.Receive;
import org.sparkcollectives.schedule.Round;
import org.sparkcollectives.schedule.Schedule;

/**
 * A message, as its receiver sees it.
 *
 * @param round the round in which it travels
 * @param from the sender
 * @param to the receiver
 * @param ranges its blocks
 * @param operand whether it carries an operand, which the receiver combines
 */
record Transfer(int round, int from, int to, List<BlockRange> ranges, boolean operand) {

  /** The messages of all ranks, by round and receiver. */
  static List<Transfer> of(List<Schedule> schedules) {
    int rounds = rounds(schedules);
    List<Transfer> transfers = new ArrayList<>();
    for (int round = 0; round < rounds; round++) {
      for (Schedule schedule : schedules) {
        Round mine = round < schedule.rounds().size() ? schedule.rounds().get(round) : Round.IDLE;
        Receive receive = mine.receive();
        if (receive != null) {
          transfers.add(
              new Transfer(
                  round,
                  receive.peer(),
                  schedule.rank(),
                  receive.ranges(),
                  isOperand(schedule, receive, mine.local())));
        }
      }
    }
    return transfers;
  }

  static int rounds(List<Schedule> schedules) {
    return schedules.stream().mapToInt(schedule -> schedule.rounds().size()).max().orElse(0);
  }

  /** An operand is received into scratch, or combined as soon as it is there. */
  private static boolean isOperand(Schedule schedule, Receive receive, List<LocalStep> local) {
    if (!schedule.problem().collective().reducing()) {
      return false;
    }
    return receive.pieces().stream()
        .anyMatch(piece -> piece.slot() != 0 || local.stream().anyMatch(s -> combines(s, piece)));
  }

  private static boolean combines(LocalStep step, Piece piece) {
    return step instanceof Combine combine
        && (combine.left() == piece.slot() || combine.right() == piece.slot())
        && combine.blocks().from() < piece.blocks().to()
        && piece.blocks().from() < combine.blocks().to();
  }

  /** All block numbers of the message. */
  IntStream blocks() {
    return ranges.stream().flatMapToInt(range -> IntStream.range(range.from(), range.to()));
  }
}
