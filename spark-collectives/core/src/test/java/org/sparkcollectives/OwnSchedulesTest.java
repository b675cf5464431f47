package org.sparkcollectives;

import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotSame;
import static org.junit.jupiter.api.Assertions.assertSame;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.sparkcollectives.schedule.BlockRange;
import org.sparkcollectives.schedule.Collective;
import org.sparkcollectives.schedule.Problem;
import org.sparkcollectives.schedule.Schedule;

/** Which of the caller's own schedules stay compiled. */
class OwnSchedulesTest {
  private final OwnSchedules own = new OwnSchedules();

  private static Schedule schedule() {
    Problem problem = new Problem(Collective.BROADCAST, 1, 0, 1, false);
    return new Schedule(problem, "own", 0, BlockRange.of(0), List.of());
  }

  @Test
  void schedulesInTurnAreCompiledOnce() {
    List<Schedule> schedules = new ArrayList<>();
    List<OwnSchedules.Own> compiled = new ArrayList<>();
    for (int i = 0; i < OwnSchedules.KEPT; i++) {
      schedules.add(schedule());
      compiled.add(own.compiled(schedules.get(i)));
    }
    for (int i = 0; i < 3 * OwnSchedules.KEPT; i++) {
      int each = i % OwnSchedules.KEPT;
      assertSame(compiled.get(each), own.compiled(schedules.get(each)));
    }
    assertFalse(compiled.get(0).combines());
  }

  @Test
  void theOneUsedLongestAgoIsForgotten() {
    Schedule first = schedule();
    Schedule second = schedule();
    final OwnSchedules.Own program = own.compiled(first);
    final OwnSchedules.Own other = own.compiled(second);
    for (int i = 2; i < OwnSchedules.KEPT; i++) {
      own.compiled(schedule());
    }
    assertSame(program, own.compiled(first));
    own.compiled(schedule());
    assertSame(program, own.compiled(first));
    assertNotSame(other, own.compiled(second));
  }

  @Test
  void anEqualScheduleIsAnother() {
    assertNotSame(own.compiled(schedule()), own.compiled(schedule()));
  }
}
