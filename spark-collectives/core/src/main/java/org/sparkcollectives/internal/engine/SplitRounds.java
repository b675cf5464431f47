package org.sparkcollectives.internal.engine;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;
import org.sparkcollectives.schedule.BlockRange;
import org.sparkcollectives.schedule.Collective;
import org.sparkcollectives.schedule.LocalStep;
import org.sparkcollectives.schedule.Message;
import org.sparkcollectives.schedule.Piece;
import org.sparkcollectives.schedule.Receive;
import org.sparkcollectives.schedule.Round;
import org.sparkcollectives.schedule.Schedule;
import org.sparkcollectives.schedule.Send;

/**
 * A schedule's rounds with one piece per message: on the wire every piece is a message of its own,
 * so a round of several pieces becomes several, of the same number. All of its sends come before
 * its first receive is used, and none starts before all that they carry is there; a local step
 * follows the last piece that it works on. In an alltoall a piece holds blocks of one sender only,
 * since those of two do not follow each other.
 */
final class SplitRounds {
  final List<Round> rounds = new ArrayList<>();
  final List<Integer> numbers = new ArrayList<>();

  /** How many blocks at most may follow each other: a piece ends before a multiple of this. */
  private final int row;

  SplitRounds(Schedule schedule) {
    boolean pairs = schedule.problem().collective() == Collective.ALLTOALL;
    row = pairs ? schedule.problem().size() : Integer.MAX_VALUE;
    for (int number = 0; number < schedule.rounds().size(); number++) {
      Round round = schedule.rounds().get(number);
      if (isOne(round.send()) && isOne(round.receive())) {
        add(number, round.send(), round.receive(), round.local());
      } else {
        split(number, round);
      }
    }
  }

  private boolean isOne(@Nullable Message message) {
    return message == null
        || (message.pieces().size() == 1 && isWhole(message.pieces().get(0).blocks()));
  }

  private boolean isWhole(BlockRange blocks) {
    return blocks.isEmpty() || blocks.from() / row == (blocks.to() - 1) / row;
  }

  private List<Piece> pieces(Message message) {
    List<Piece> pieces = new ArrayList<>();
    for (Piece piece : message.pieces()) {
      BlockRange rest = piece.blocks();
      while (!isWhole(rest)) {
        int end = (rest.from() / row + 1) * row;
        pieces.add(new Piece(piece.slot(), new BlockRange(rest.from(), end)));
        rest = new BlockRange(end, rest.to());
      }
      pieces.add(new Piece(piece.slot(), rest));
    }
    return pieces;
  }

  private void split(int number, Round round) {
    Send last = null;
    if (round.send() != null) {
      for (Piece piece : pieces(round.send())) {
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
    List<Piece> arriving = pieces(receive);
    boolean[] again = rest.isEmpty() ? new boolean[arriving.size()] : comingAgain(arriving);
    for (int i = 0; i < arriving.size(); i++) {
      Piece piece = arriving.get(i);
      List<LocalStep> steps = rest;
      if (i < arriving.size() - 1) {
        steps = again[i] ? List.of() : within(piece.blocks(), rest);
      }
      add(number, last, new Receive(receive.peer(), List.of(piece)), steps);
      last = null;
    }
  }

  /** Of which pieces later ones hold some of the same blocks, in other slots. */
  static boolean[] comingAgain(List<Piece> pieces) {
    boolean[] again = new boolean[pieces.size()];
    NavigableMap<Integer, Integer> later = new TreeMap<>(); // ends of runs by their begins
    for (int i = again.length - 1; i >= 0; i--) {
      int from = pieces.get(i).blocks().from();
      int to = pieces.get(i).blocks().to();
      Map.Entry<Integer, Integer> run = later.lowerEntry(to);
      again[i] = run != null && run.getValue() > from;
      while (run != null && run.getValue() >= from) {
        later.remove(run.getKey());
        from = Math.min(from, run.getKey());
        to = Math.max(to, run.getValue());
        run = later.lowerEntry(run.getKey());
      }
      later.put(from, to);
    }
    return again;
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
