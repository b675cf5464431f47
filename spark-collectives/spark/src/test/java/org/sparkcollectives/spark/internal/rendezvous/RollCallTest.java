package org.sparkcollectives.spark.internal.rendezvous;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Roll calls that follow upon each other. */
class RollCallTest {
  private static final int SIZE = 3;
  private static final long NOT = -1;
  private static final long COMPUTES = 5_000_000_000L;

  private final RollCall rollCall = new RollCall();

  @BeforeEach
  void allListen() {
    for (int rank = 0; rank < SIZE; rank++) {
      watch(rank, NOT);
    }
  }

  private void watch(int rank, long computingNanos) {
    rollCall.watch(new Wire.Watch(1, 0, rank, computingNanos), new Asker(1));
  }

  private int late(Asker asker) {
    return rollCall.late(asker, rank -> false);
  }

  @Test
  void theAlarmOfAnEarlierRollCallDoesNotEndALaterOne() {
    Asker first = new Asker(1);
    int earlier = late(first);
    watch(0, NOT);
    watch(1, NOT);
    watch(2, COMPUTES);
    assertInstanceOf(Wire.Wait.class, first.replies.get(0));

    Asker second = new Asker(1);
    int later = late(second);
    assertTrue(later > earlier && earlier > 0);
    rollCall.end(earlier);
    assertEquals(List.of(), second.replies, "its own two seconds are not over");
    watch(2, COMPUTES);
    assertInstanceOf(Wire.Wait.class, second.replies.get(0));

    Asker third = new Asker(1);
    rollCall.end(late(third));
    assertInstanceOf(Wire.Over.class, third.replies.get(0));
  }

  @Test
  void anAnswerThatIsUnderWayCountsInTheNextRollCall() {
    late(new Asker(1));
    watch(1, COMPUTES);
    Asker second = new Asker(1);
    late(second);
    watch(0, NOT);
    watch(1, NOT);
    assertEquals(List.of(), second.replies, "rank 2 has still to answer");
    watch(2, COMPUTES);
    assertInstanceOf(Wire.Wait.class, second.replies.get(0));
  }

  @Test
  void whoIsLateTogetherIsAskedForOnce() {
    Asker first = new Asker(1);
    Asker second = new Asker(1);
    int number = late(first);
    assertEquals(0, late(second));
    rollCall.end(number);
    assertEquals(1, first.replies.size());
    assertEquals(1, second.replies.size());
  }
}
