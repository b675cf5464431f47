package org.sparkcollectives;

import java.util.ArrayList;
import java.util.List;
import org.sparkcollectives.internal.engine.Program;
import org.sparkcollectives.schedule.Combine;
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
    Own own = new Own(schedule, Program.compile(schedule), combines(schedule));
    if (kept.size() == KEPT) {
      kept.remove(KEPT - 1);
    }
    kept.add(0, own);
    return own;
  }

  private static boolean combines(Schedule schedule) {
    return schedule.rounds().stream()
        .flatMap(round -> round.local().stream())
        .anyMatch(Combine.class::isInstance);
  }
}
