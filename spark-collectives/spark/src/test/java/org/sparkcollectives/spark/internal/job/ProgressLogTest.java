package org.sparkcollectives.spark.internal.job;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.sparkcollectives.spark.internal.events.CallRecord;

/** When the driver's log has a line of a call that goes on. */
class ProgressLogTest {
  @Test
  void thereIsALineEveryTenSecondsWhileThereIsNews() {
    ProgressLog log = new ProgressLog(new CallRecord(1, "op", "op at App.java:1", "").running(), 0);
    List<Integer> lines = new ArrayList<>();
    for (int second = 1; second <= 60; second++) {
      String progress = second < 4 ? "" : second < 35 ? "iteration " + second : "the last";
      if (log.isDue(progress, TimeUnit.SECONDS.toNanos(second))) {
        lines.add(second);
      }
    }
    assertEquals(List.of(10, 20, 30, 40), lines);
  }

  @Test
  void aCallThatTellsNothingHasNoLine() {
    ProgressLog log = new ProgressLog(new CallRecord(1, "op", "op at App.java:1", "").running(), 0);
    log.run();
    assertEquals(false, log.isDue("", Long.MAX_VALUE / 2));
  }
}
