package org.sparkcollectives;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.sparkcollectives.internal.algorithm.ScheduleBuilder;
import org.sparkcollectives.internal.engine.Program;
import org.sparkcollectives.schedule.Combine;
import org.sparkcollectives.schedule.Copy;
import org.sparkcollectives.schedule.LocalStep;
import org.sparkcollectives.schedule.Message;
import org.sparkcollectives.schedule.Piece;
import org.sparkcollectives.schedule.Receive;
import org.sparkcollectives.schedule.Round;
import org.sparkcollectives.schedule.Schedule;
import org.sparkcollectives.schedule.Send;

/**
 * The schedules of the caller's own that a rank has run last, with their programs, so that those of
 * a loop are compiled once. A schedule is immutable, so one object is one program; to compare the
 * rounds of two would cost more than to compile. For one thread.
 */
final class OwnSchedules {
  private static final int VECTOR = ScheduleBuilder.VECTOR;

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
      return Program.compile(dense(schedule));
    } catch (IllegalArgumentException | ArithmeticException e) {
      throw CommunicatorErrors.scheduleImpossible(schedule, String.valueOf(e.getMessage()));
    }
  }

  /** Which round names a rank, blocks or a slot that there are not, or null if none does. */
  private static @Nullable String impossible(Schedule schedule) {
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
        if (piece.slot() < 0) {
          return "round " + number + " uses slot " + piece.slot();
        }
      }
    }
    return null;
  }

  /** The same schedule with slots numbered without gaps, of which a program has a table. */
  private static Schedule dense(Schedule schedule) {
    Map<Integer, Integer> numbers = new HashMap<>(Map.of(VECTOR, VECTOR));
    for (Round round : schedule.rounds()) {
      pieces(round).forEach(piece -> numbers.putIfAbsent(piece.slot(), numbers.size()));
    }
    if (numbers.entrySet().stream().allMatch(each -> each.getKey().equals(each.getValue()))) {
      return schedule;
    }
    return new Schedule(
        schedule.problem(),
        schedule.algorithm(),
        schedule.rank(),
        schedule.owned(),
        schedule.rounds().stream().map(round -> renumbered(round, numbers)).toList());
  }

  private static Round renumbered(Round round, Map<Integer, Integer> numbers) {
    Send send = round.send();
    Receive receive = round.receive();
    return new Round(
        send == null ? null : new Send(send.peer(), renumbered(send.pieces(), numbers)),
        receive == null ? null : new Receive(receive.peer(), renumbered(receive.pieces(), numbers)),
        round.local().stream().map(step -> renumbered(step, numbers)).toList());
  }

  private static List<Piece> renumbered(List<Piece> pieces, Map<Integer, Integer> numbers) {
    return pieces.stream()
        .map(piece -> new Piece(numbers.getOrDefault(piece.slot(), VECTOR), piece.blocks()))
        .toList();
  }

  private static LocalStep renumbered(LocalStep step, Map<Integer, Integer> numbers) {
    int dst = numbers.getOrDefault(step.dst(), VECTOR);
    if (step instanceof Combine combine) {
      int left = numbers.getOrDefault(combine.left(), VECTOR);
      return new Combine(dst, left, numbers.getOrDefault(combine.right(), VECTOR), step.blocks());
    }
    return new Copy(dst, numbers.getOrDefault(((Copy) step).src(), VECTOR), step.blocks());
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
