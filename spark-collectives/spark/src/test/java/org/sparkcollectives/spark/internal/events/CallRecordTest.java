package org.sparkcollectives.spark.internal.events;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.Collections;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.sparkcollectives.internal.observe.OperationSum;
import org.sparkcollectives.schedule.Collective;
import org.sparkcollectives.select.Policy;
import org.sparkcollectives.spark.internal.rendezvous.Gatherings;
import org.sparkcollectives.spark.internal.rendezvous.RankReport;
import org.sparkcollectives.testing.Await;

/** Which of a call's operations is told as the one that it was made for. */
final class CallRecordTest {
  private static final int RANKS = 4;
  private static final long LARGE = 6_400_000;
  private static final long NANOS = 9_000_000;

  private static OperationSum sum(
      Collective collective, String algorithm, long count, long bytes, long largest) {
    return new OperationSum(
        collective, algorithm, count, bytes, NANOS + count, NANOS, largest, 4, false);
  }

  /** The event of a call whose ranks all did these operations. */
  private static CallEvent event(OperationSum... operations) {
    return event(Naming.CALL, operations);
  }

  private static CallEvent event(Naming naming, OperationSum... operations) {
    RankReport report = new RankReport(1, 1, 1, 1, 1, 1, List.of(operations), false, null);
    CallRecord record = new CallRecord(7, "call", "call at App.java:12", "");
    record.attempt(0, RANKS, Gatherings.of(0, RANKS, -1));
    record.attemptSucceeded(
        Gatherings.of(RANKS, RANKS, 91),
        Collections.nCopies(RANKS, report),
        Policy.DEFAULT,
        naming);
    return record.ended(null);
  }

  private static void assertMain(String algorithm, CallEvent event) {
    assertEquals(algorithm, event.algorithm);
    assertEquals(LARGE, event.bytes);
    assertEquals(NANOS / 1e6, event.measuredMillis);
  }

  @Test
  void partsAreTheMainOperationAndTheirLengthsAreNot() {
    assertMain("bruck", event(sum(Collective.ALLGATHER, "bruck", 2, LARGE + 16, LARGE)));
    assertMain("shift", event(sum(Collective.ALLTOALL, "shift", 2, LARGE + 256, LARGE)));
    assertMain(
        "linear",
        event(
            sum(Collective.BROADCAST, "binomial", 3, 44, 24),
            sum(Collective.SCATTER, "linear", 1, LARGE, LARGE)));
  }

  @Test
  void noneIsTheMainOneOfSeveralOfAKind() {
    assertEquals("", event(sum(Collective.ALLREDUCE, "ring", 2, 2 * LARGE, LARGE)).algorithm);
    OperationSum large = sum(Collective.BROADCAST, "two-tree", 1, LARGE, LARGE);
    OperationSum many = sum(Collective.ALLREDUCE, "ring", 100, 50 * LARGE, LARGE / 2);
    assertEquals("", event(large, many).algorithm);
    OperationSum objects = sum(Collective.ALLREDUCE, "recursive-doubling", 2, 0, 0);
    assertEquals("", event(objects).algorithm);
  }

  /** As by an interrupt of the caller, of which no attempt is told. */
  @Test
  void whatEndsACallEndsItsAttempt() {
    CallRecord record = new CallRecord(7, "call", "call at App.java:12", "");
    record.attempt(0, RANKS, Gatherings.of(0, RANKS, -1));
    record.attemptFailed("an executor was lost", Gatherings.of(RANKS, RANKS, 91));
    record.attempt(1, RANKS, Gatherings.of(1, RANKS, 92));
    CallEvent event = record.ended(new IllegalStateException("interrupted"));
    CallEvent.Attempt last = event.attempts.get(1);
    assertEquals(CallEvent.FAILED, last.state);
    assertEquals("interrupted", last.cause);
    assertEquals(1, last.came);
    assertEquals(92, last.stage);
    assertEquals(1, event.executors);
    assertEquals(
        List.of(true, false, false, false),
        event.rankFigures.stream().map(rank -> rank.arrived >= 0).toList());
    assertEquals(RANKS, event.attempts.get(0).came);
  }

  /** Operations do not know how long objects are, which have no price then. */
  @Test
  void objectsHaveNoPrediction() {
    CallEvent event = event(sum(Collective.ALLREDUCE, "recursive-doubling", 1, 0, 0));
    assertEquals("recursive-doubling", event.algorithm);
    Await.until("a reason, which may come after the call", () -> !event.why.isEmpty());
    assertEquals(0, event.predictedMillis);
    assertEquals(List.of(), event.candidates);
  }

  /** The event of a gathering by an algorithm, when it is explained. */
  private static CallEvent gathering(Naming naming, String algorithm) {
    CallEvent event = event(naming, sum(Collective.ALLGATHER, algorithm, 1, LARGE, LARGE));
    Await.until("a reason, which may come after the call", () -> !event.why.isEmpty());
    return event;
  }

  /** Ranks choose by the lengths of all parts, of which they do not tell the driver. */
  @Test
  void nobodyIsSaidToAskForWhatRanksChoseByTheLengthsOfTheirParts() {
    CallEvent named = gathering(Naming.CALL, "ring");
    assertEquals("the call asks for it", named.why);
    assertTrue(named.predictedMillis > 0 && !named.candidates.isEmpty());

    String lengths = "it is the cheapest for the lengths of parts or tuples that its ranks have";
    CallEvent chosen = gathering(Naming.NOBODY, "ring");
    assertEquals(lengths, chosen.why);
    assertEquals(0, chosen.predictedMillis);
    assertEquals(List.of(), chosen.candidates);

    CallEvent program = gathering(Naming.PROGRAM, "ring");
    assertEquals("the program asks for it, or " + lengths, program.why);
    assertEquals(named.predictedMillis, program.predictedMillis);

    CallEvent equal = gathering(Naming.NOBODY, "bruck");
    assertEquals("it is the cheapest", equal.why);
    assertTrue(equal.predictedMillis > 0 && !equal.candidates.isEmpty());
  }
}
