package org.sparkcollectives.engine;

import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.sparkcollectives.schedule.BlockRange;
import org.sparkcollectives.schedule.LocalStep;
import org.sparkcollectives.schedule.Piece;
import org.sparkcollectives.schedule.Receive;
import org.sparkcollectives.schedule.Round;
import org.sparkcollectives.schedule.Schedule;
import org.sparkcollectives.schedule.Send;

/**
 * A schedule's rounds with one piece per message: on the wire every piece is a message of its own,
 * so a round of several pieces becomes several, of the same number. All of its sends come before
 * its first receive is used; a local step follows the piece that it works on.
 */
final class Frames {
  final List<Round> rounds = new ArrayList<>();
  final List<Integer> numbers = new ArrayList<>();

  Frames(Schedule schedule) {
    for (int number = 0; number < schedule.rounds().size(); number++) {
      Round round = schedule.rounds().get(number);
      int sends = round.send() == null ? 0 : round.send().pieces().size();
      int receives = round.receive() == null ? 0 : round.receive().pieces().size();
      if (sends <= 1 && receives <= 1) {
        add(number, round.send(), round.receive(), round.local());
      } else {
        split(number, round);
      }
    }
  }

  private void split(int number, Round round) {
    Send last = null;
    if (round.send() != null) {
      for (Piece piece : round.send().pieces()) {
        if (last != null) {
          add(number, last, null, List.of());
        }
        last = new Send(round.send().peer(), List.of(piece));
      }
    }
    Receive receive = round.receive();
    if (receive == null) {
      add(number, last, null, round.local());
      return;
    }
    List<LocalStep> rest = new ArrayList<>(round.local());
    for (int i = 0; i < receive.pieces().size(); i++) {
      Piece piece = receive.pieces().get(i);
      boolean isLast = i == receive.pieces().size() - 1;
      List<LocalStep> steps = isLast ? rest : within(piece.blocks(), rest);
      add(number, last, new Receive(receive.peer(), List.of(piece)), steps);
      last = null;
    }
  }

  /** Takes out the steps within a range, as long as none before them works on the same blocks. */
  private static List<LocalStep> within(BlockRange range, List<LocalStep> rest) {
    List<LocalStep> taken = new ArrayList<>();
    for (int i = 0; i < rest.size(); ) {
      BlockRange blocks = rest.get(i).blocks();
      if (range.from() <= blocks.from() && blocks.to() <= range.to()) {
        taken.add(rest.remove(i));
      } else if (blocks.from() < range.to() && range.from() < blocks.to()) {
        break;
      } else {
        i++;
      }
    }
    return taken;
  }

  private void add(
      int number, @Nullable Send send, @Nullable Receive receive, List<LocalStep> local) {
    rounds.add(new Round(send, receive, local));
    numbers.add(number);
  }
}
