package org.sparkcollectives.internal.engine;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;
import org.sparkcollectives.schedule.BlockRange;
import org.sparkcollectives.schedule.Collective;
import org.sparkcollectives.schedule.Copy;
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
 * follows the last piece that it works on, or the whole message where a later piece of the rank's
 * own one has yet to read what the step writes. In an alltoall a piece holds blocks of one sender
 * only, since those of two do not follow each other.
 */
final class SplitRounds {
  final List<Round> rounds = new ArrayList<>();
  final List<Integer> numbers = new ArrayList<>();

  /** How many blocks at most may follow each other: a piece ends before a multiple of this. */
  private final int row;

  private final Schedule schedule;

  SplitRounds(Schedule schedule) {
    this.schedule = schedule;
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
    Send send = round.send();
    List<Piece> leaving = send == null ? List.of() : pieces(send);
    Send last = null;
    if (send != null) {
      for (Piece piece : leaving) {
        if (last != null) {
          add(number, last, null, List.of());
        }
        last = new Send(send.peer(), List.of(piece));
      }
    }
    Receive receive = round.receive();
    if (receive == null) {
      add(number, last, null, round.local());
      return;
    }
    List<Piece> arriving = pieces(receive);
    List<List<LocalStep>> steps = stepsOf(arriving, round.local());
    List<LocalStep> after = List.of();
    if (waitsForLaterSends(leaving, arriving, steps)) {
      after = new ArrayList<>();
      arriving = apart(arriving, after);
      after.addAll(round.local());
      steps = Collections.nCopies(arriving.size(), List.of());
    }
    for (int i = 0; i < arriving.size(); i++) {
      add(number, last, new Receive(receive.peer(), List.of(arriving.get(i))), steps.get(i));
      last = null;
    }
    if (!after.isEmpty()) {
      add(number, null, null, after);
    }
  }

  /** Of each piece the steps that follow it: those within it, or after the last all others. */
  private static List<List<LocalStep>> stepsOf(List<Piece> arriving, List<LocalStep> local) {
    List<LocalStep> rest = new ArrayList<>(local);
    boolean[] again = rest.isEmpty() ? new boolean[arriving.size()] : comingAgain(arriving);
    List<List<LocalStep>> steps = new ArrayList<>();
    for (int i = 0; i < arriving.size() - 1; i++) {
      steps.add(again[i] ? List.of() : within(arriving.get(i).blocks(), rest));
    }
    steps.add(rest);
    return steps;
  }

  /**
   * Whether something is to be written while a piece arrives, or before the next one does, that a
   * later piece of this rank's own message still has to read there. Two ranks of which each waited
   * so for the other would wait for ever; what an equal or earlier piece reads has left by then.
   */
  private static boolean waitsForLaterSends(
      List<Piece> leaving, List<Piece> arriving, List<List<LocalStep>> steps) {
    for (int i = 0; i < arriving.size() && i + 1 < leaving.size(); i++) {
      List<Piece> later = leaving.subList(i + 1, leaving.size());
      Piece piece = arriving.get(i);
      boolean waits = piece.slot() == 0 && isIn(later, 0, piece.blocks());
      List<LocalStep> own = steps.get(i);
      if (i == arriving.size() - 1) {
        own = own.subList(0, Compiler.fusedSteps(piece, own));
      }
      for (LocalStep step : own) {
        waits |= isIn(later, step.dst(), step.blocks());
      }
      if (waits) {
        return true;
      }
    }
    return false;
  }

  private static boolean isIn(List<Piece> pieces, int slot, BlockRange range) {
    for (Piece piece : pieces) {
      BlockRange blocks = piece.blocks();
      if (piece.slot() == slot && blocks.from() < range.to() && range.from() < blocks.to()) {
        return true;
      }
    }
    return false;
  }

  /** Pieces for the user's vector in a slot that nothing else uses, with steps that copy them. */
  private List<Piece> apart(List<Piece> arriving, List<LocalStep> copies) {
    int unusedSlot = Compiler.slots(schedule.rounds());
    List<Piece> pieces = new ArrayList<>();
    for (Piece piece : arriving) {
      if (piece.slot() == 0) {
        pieces.add(new Piece(unusedSlot, piece.blocks()));
        copies.add(new Copy(0, unusedSlot, piece.blocks()));
      } else {
        pieces.add(piece);
      }
    }
    return pieces;
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
