package org.sparkcollectives;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.sparkcollectives.internal.engine.Program;
import org.sparkcollectives.schedule.Combine;
import org.sparkcollectives.schedule.Copy;
import org.sparkcollectives.schedule.LocalStep;
import org.sparkcollectives.schedule.Message;
import org.sparkcollectives.schedule.Piece;
import org.sparkcollectives.schedule.Round;
import org.sparkcollectives.schedule.Schedule;

/**
 * The schedules of the caller's own that a rank has run last, with their programs, so that those of
 * a loop are compiled once. A schedule is immutable, so one object is one program; to compare the
 * rounds of two would cost more than to compile. For one thread.
 */
final class OwnSchedules {
  /** How many are kept. */
  static final int KEPT = 8;

  /** The latest first. */
  private final List<Own> kept = new ArrayList<>(KEPT);

  /** A schedule, its program, and whether it needs an operator. */
  record Own(Schedule schedule, Program program, boolean combines) {}

  /** The schedule's program; compiled if the schedule is none of those kept. */
  @SuppressWarnings("ReferenceEquality") // equal schedules of different objects are compiled twice
  Own compiled(Schedule schedule) {
    for (int i = 0; i < kept.size(); i++) {
      Own own = kept.get(i);
      if (own.schedule() == schedule) {
        if (i > 0) {
          kept.remove(i);
          kept.add(0, own);
        }
        return own;
      }
    }
    Own own = new Own(schedule, program(schedule), combines(schedule));
    if (kept.size() == KEPT) {
      kept.remove(KEPT - 1);
    }
    kept.add(0, own);
    return own;
  }

  private static Program program(Schedule schedule) {
    String impossible = impossible(schedule);
    if (impossible != null) {
      throw CommunicatorErrors.scheduleImpossible(schedule, impossible);
    }
    try {
      return Program.compile(schedule);
    } catch (IllegalArgumentException | ArithmeticException e) {
      throw CommunicatorErrors.scheduleImpossible(schedule, String.valueOf(e.getMessage()));
    }
  }

  /** Which round names a rank, blocks or a slot that there are not, or null if none does. */
  private static @Nullable String impossible(Schedule schedule) {
    int most = schedule.rounds().stream().mapToInt(round -> pieces(round).size()).sum();
    for (int number = 0; number < schedule.rounds().size(); number++) {
      Round round = schedule.rounds().get(number);
      for (Message message : Arrays.asList(round.send(), round.receive())) {
        int peer = message == null ? -1 : message.peer();
        boolean known = peer >= 0 && peer < schedule.problem().size() && peer != schedule.rank();
        if (message != null && !known) {
          return "round " + number + " has a message with rank " + peer;
        }
      }
      for (Piece piece : pieces(round)) {
        if (piece.blocks().to() > schedule.problem().blocks()) {
          int blocks = schedule.problem().blocks();
          return "round " + number + " has blocks " + piece.blocks() + " of " + blocks;
        }
        if (piece.slot() < 0 || piece.slot() > most) {
          return "round " + number + " uses slot " + piece.slot() + ", and there are fewer uses";
        }
      }
    }
    return null;
  }

  /** What a round reads and writes. */
  private static List<Piece> pieces(Round round) {
    List<Piece> pieces = new ArrayList<>();
    for (Message message : Arrays.asList(round.send(), round.receive())) {
      if (message != null) {
        pieces.addAll(message.pieces());
      }
    }
    for (LocalStep step : round.local()) {
      pieces.add(new Piece(step.dst(), step.blocks()));
      if (step instanceof Copy copy) {
        pieces.add(new Piece(copy.src(), copy.blocks()));
      } else if (step instanceof Combine combine) {
        pieces.add(new Piece(combine.left(), combine.blocks()));
        pieces.add(new Piece(combine.right(), combine.blocks()));
      }
    }
    return pieces;
  }

  private static boolean combines(Schedule schedule) {
    return schedule.rounds().stream()
        .flatMap(round -> round.local().stream())
        .anyMatch(Combine.class::isInstance);
  }
}
