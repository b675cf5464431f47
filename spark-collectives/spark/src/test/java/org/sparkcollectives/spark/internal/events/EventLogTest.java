package org.sparkcollectives.spark.internal.events;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.Arrays;
import java.util.List;
import java.util.stream.IntStream;
import org.apache.spark.scheduler.SparkListenerEvent;
import org.apache.spark.util.JsonProtocol;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.sparkcollectives.internal.observe.OperationSum;
import org.sparkcollectives.schedule.Collective;
import org.sparkcollectives.select.Policy;
import org.sparkcollectives.spark.internal.rendezvous.Gatherings;
import org.sparkcollectives.spark.internal.rendezvous.RankReport;
import org.sparkcollectives.testing.Await;

/** What the event log holds of calls, as Spark writes and reads it. */
@Tag("cross-version")
class EventLogTest {

  private static SparkListenerEvent readBack(String json) {
    return JsonProtocol.sparkEventFromJson(json);
  }

  private static RankReport report(int rank) {
    OperationSum sum =
        new OperationSum(
            Collective.ALLREDUCE,
            "two-tree",
            1,
            8 << 20,
            5_000_000 + rank,
            5_000_000 + rank,
            8 << 20,
            64,
            true);
    return new RankReport(
        1_000_000, 2_000_000, 6_000_000 + rank, 500_000, 100 + rank, 7, List.of(sum), false, null);
  }

  /** A call of so many ranks that failed once. */
  private static CallEvent call(int ranks) {
    CallRecord record = new CallRecord(7, "allReduce", "allReduce at App.java:12", "2");
    record.attempt(0, ranks, Gatherings.of(0, ranks, -1));
    record.jobs(List.of(41));
    record.attemptFailed("executor 3 was lost", Gatherings.of(ranks - 1, ranks, 90));
    record.attempt(1, ranks, Gatherings.of(0, ranks, -1));
    record.jobs(List.of(42));
    record.attemptSucceeded(
        Gatherings.of(ranks, ranks, 91),
        IntStream.range(0, ranks).mapToObj(EventLogTest::report).toList(),
        Policy.DEFAULT,
        Naming.CALL);
    CallEvent event = record.ended(null);
    Await.until("prices, which may come after the call", () -> !event.candidates.isEmpty());
    return event;
  }

  @Test
  void aCallIsReadAsItWasWritten() {
    String json = JsonProtocol.sparkEventToJsonString(call(4));
    CallEvent read = (CallEvent) readBack(json);
    assertEquals(json, JsonProtocol.sparkEventToJsonString(read));
    assertEquals(7, read.call);
    assertEquals("allReduce at App.java:12", read.callSite);
    assertEquals("2", read.applicationAttempt);
    assertEquals(CallEvent.SUCCEEDED, read.state);
    assertEquals(2, read.attemptCount);
    assertEquals(
        List.of("FAILED executor 3 was lost 3 of 4 in 41 90", "SUCCEEDED  4 of 4 in 42 91"),
        read.attempts.stream()
            .map(
                a ->
                    a.state
                        + " "
                        + a.cause
                        + " "
                        + a.came
                        + " of "
                        + a.ranks
                        + " in "
                        + a.jobs.get(0)
                        + " "
                        + a.stage)
            .toList());
    assertEquals("ALLREDUCE", read.collective);
    assertEquals("two-tree", read.algorithm);
    assertEquals(64, read.blocks);
    assertEquals(8 << 20, read.bytes);
    assertTrue(read.ordered);
    assertTrue(read.predictedMillis > 0, () -> "" + read.predictedMillis);
    assertEquals(5.000003, read.measuredMillis);
    assertTrue(read.candidates.size() > 2 && read.candidates.size() <= 10);
    assertEquals(100 + 101 + 102 + 103, read.sentBytes);
    assertEquals(103, read.mostSentBytes);
    assertEquals(4, read.rankFigures.size());
    assertEquals(2.0, read.rankFigures.get(3).waited);
    assertEquals(3, read.operations.get(0).slowestRank);
    assertEquals(List.of(0, 0, 0, 0), read.participantHosts);
  }

  @Test
  void racksAreToldWhereTheyMatter() {
    List<Integer> racks = List.of(0, 1, 0, 1);
    assertEquals(racks, readBack(List.of("/b", "/a", "/b", "/a")).participantRacks);
    assertEquals(List.of(0, 1, 2, 3), readBack(List.of("/b", "/a", "/b", "/a")).participantHosts);
    assertEquals(List.of(), readBack(List.of("/b", "/b", "/b", "/b")).participantRacks);
    assertEquals(List.of(), readBack(List.of("", "", "", "")).participantRacks);
  }

  /** The event of a call whose ranks are on hosts of these racks. */
  private static CallEvent readBack(List<String> racks) {
    int ranks = racks.size();
    CallRecord record = new CallRecord(7, "allReduce", "allReduce at App.java:12", "");
    record.attempt(0, ranks, Gatherings.inRacks(racks));
    record.attemptSucceeded(
        Gatherings.inRacks(racks),
        IntStream.range(0, ranks).mapToObj(EventLogTest::report).toList(),
        Policy.DEFAULT,
        Naming.CALL);
    return (CallEvent) readBack(JsonProtocol.sparkEventToJsonString(record.ended(null)));
  }

  @Test
  void fieldsOfOtherVersionsAreIgnoredAndThoseMissingHaveDefaults() {
    String name = CallEvent.class.getName();
    CallEvent read =
        (CallEvent)
            readBack(
                "{\"Event\":\""
                    + name
                    + "\",\"call\":3,\"colour\":{\"red\":[1,2]},\"attempts\":[{\"number\":0,"
                    + "\"mood\":\"good\"}]}");
    assertEquals(3, read.call);
    assertEquals("", read.algorithm);
    assertEquals(1, read.attempts.size());
    assertEquals(-1, read.attempts.get(0).stage);
    assertEquals(List.of(), read.rankFigures);
    assertEquals(List.of(), read.participantRacks);
  }

  @Test
  void anEventIsBoundedWhateverTheCallWas() {
    CallEvent event = call(5_000);
    assertEquals(CallRecord.MOST_RANKS, event.rankFigures.size());
    List<Integer> told = event.rankFigures.stream().map(rank -> rank.rank).toList();
    assertTrue(told.containsAll(List.of(4_999, 4_998)), told::toString); // worked longest
    assertEquals(told.stream().sorted().toList(), told);

    CallRecord record = new CallRecord(1, "reduce", "x".repeat(100_000), "");
    for (int attempt = 0; attempt < 500; attempt++) {
      record.attempt(attempt, 3, Gatherings.of(0, 3, -1));
      record.attemptFailed("y".repeat(100_000), Gatherings.of(0, 3, -1));
    }
    CallEvent failed = record.ended(new IllegalStateException("z".repeat(100_000)));
    assertEquals(500, failed.attemptCount);
    assertEquals(0, failed.attempts.get(0).number);
    assertEquals(499, failed.attempts.get(failed.attempts.size() - 1).number);
    String json = JsonProtocol.sparkEventToJsonString(failed);
    assertTrue(json.length() < 60_000, () -> "" + json.length());
  }

  @Test
  void aTrainingKeepsTheEndsOfALongHistory() {
    TrainingEvent training = new TrainingEvent();
    double[] values = IntStream.range(0, 12_345).mapToDouble(i -> 1e6 / (i + 1)).toArray();
    training.objective(values);
    TrainingEvent read = (TrainingEvent) readBack(JsonProtocol.sparkEventToJsonString(training));
    assertTrue(read.objective.size() <= TrainingEvent.MOST_VALUES + 1);
    assertEquals(values[0], read.objective.get(0));
    assertEquals(values[values.length - 1], read.objective.get(read.objective.size() - 1));
    assertEquals(values[read.step], read.objective.get(1));

    training.objective(new double[] {3, 2, 1});
    assertEquals(Arrays.asList(3.0, 2.0, 1.0), training.objective);
    assertEquals(1, training.step);
  }

  @Test
  void theLogLineTellsWhatAnOperatorNeeds() {
    String line = CallLog.line(call(4));
    assertTrue(line.startsWith("allReduce at App.java:12 (call 7): 8388608 bytes by two-tree"));
    assertTrue(line.contains(" on 4 ranks of 1 host in "), line);
    assertTrue(line.contains("of which the operation took 5.00 ms"), line);
    assertTrue(line.contains("came last"), line);
    assertTrue(line.endsWith("attempt 2 was the first to succeed"), line);
    CallRecord record = new CallRecord(8, "reduce", "reduce at App.java:13", "");
    record.attempt(0, 3, Gatherings.of(0, 3, -1));
    CallEvent failed = record.ended(new IllegalStateException("no luck"));
    assertTrue(CallLog.line(failed).startsWith("reduce at App.java:13 (call 8) failed in "));
    assertTrue(CallLog.line(failed).endsWith(": no luck"));
  }

  @Test
  void theLogLineOfACallThatRunsTellsHowFarItIs() {
    CallRecord record = new CallRecord(9, "collectively", "fit at App.java:14", "");
    assertEquals("", record.running().progress());
    record.attempt(0, 1, Gatherings.telling("iteration 12"));
    assertEquals(
        "fit at App.java:14 (call 9), 34 s: iteration 12",
        CallLog.line(record.running(), record.running().startedAt + 34_567));
    record.attempt(1, 1, Gatherings.telling(""));
    assertEquals("", record.running().progress());
  }
}
