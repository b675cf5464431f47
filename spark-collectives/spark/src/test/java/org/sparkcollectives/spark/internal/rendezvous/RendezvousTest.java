package org.sparkcollectives.spark.internal.rendezvous;

import static java.util.Objects.requireNonNull;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.EOFException;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import org.apache.spark.SparkConf;
import org.apache.spark.rpc.RpcAddress;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.sparkcollectives.CommunicatorOptions;
import org.sparkcollectives.error.DeadlineException;
import org.sparkcollectives.error.InvalidInputException;
import org.sparkcollectives.error.RankFailedException;
import org.sparkcollectives.internal.transport.LinkErrors;
import org.sparkcollectives.internal.transport.Peer;
import org.sparkcollectives.spark.internal.conf.CollectiveConf;
import org.sparkcollectives.spark.internal.conf.Encryption;
import org.sparkcollectives.testing.Await;

/** What the driver makes of what ranks tell it. */
@Timeout(60)
class RendezvousTest {
  private static final int SIZE = 3;

  private final ScheduledExecutorService timer = Executors.newSingleThreadScheduledExecutor();
  private final Rendezvous rendezvous = rendezvous(new SparkConf(false));

  private Rendezvous rendezvous(SparkConf conf) {
    return rendezvous(conf, Admission.ALL);
  }

  private Rendezvous rendezvous(SparkConf conf, Admission admission) {
    return new Rendezvous(
        new Attempt("collectively", 1, 0, CollectiveConf.of(conf), 0),
        SIZE,
        admission,
        new Replies(new byte[1], Encryption.NONE, new NoHandout()),
        HostRacks.NONE,
        timer);
  }

  @AfterEach
  void stop() {
    rendezvous.close();
    timer.shutdownNow();
  }

  private List<Object> ask(Wire.Request request) {
    return ask(rendezvous, request);
  }

  private static List<Object> ask(Rendezvous rendezvous, Wire.Request request) {
    Asker asker = new Asker(request instanceof Wire.Join join ? join.rank() : 0);
    rendezvous.receive(request, asker);
    return asker.replies;
  }

  private static Wire.Member member(int rank) {
    return new Wire.Member("process " + rank, "host", 1, "node", "executor " + rank);
  }

  private void join(int rank) {
    ask(new Wire.Join(1, 0, rank, 7, member(rank), null, null, Members.NONE));
  }

  private List<Object> bring(int rank, byte @Nullable [] small) {
    return ask(new Wire.Join(1, 0, rank, 7, member(rank), null, small, Members.NONE));
  }

  private void leave(int rank, byte[] operand) {
    rendezvous.left(rank, left(rank, operand));
  }

  private static RankReport.Left left(int rank, byte @Nullable [] operand) {
    List<Shape> shapes =
        operand == null ? List.of() : List.of(new Shape(rank, "double", 1, 8, false));
    return new RankReport.Left("host", "executor " + rank, 7, shapes, operand);
  }

  private static byte[] operand(int rank) {
    return new byte[] {(byte) rank};
  }

  private void joinAll() {
    for (int rank = 0; rank < SIZE; rank++) {
      join(rank);
    }
  }

  private List<Object> broken(int rank, String peer) {
    return broken(rank, peer, "closed");
  }

  private List<Object> broken(int rank, String peer, String cause) {
    String text =
        "barrier #1 broke off on rank "
            + rank
            + " in round 0 receiving from "
            + peer
            + ": "
            + cause
            + ".";
    byte[] exception = Wire.tryEncode(new EOFException("closed"));
    return ask(
        new Wire.Failed(
            1, 0, rank, "rank " + rank, Wire.Severity.MAYBE_CONSEQUENCE, text, exception));
  }

  @Test
  void aReportMayComeFromRanksThatHaveLinks() {
    assertFalse(rendezvous.reportsMayCome());
    join(0);
    join(2);
    assertFalse(rendezvous.reportsMayCome(), "ranks that wait have nothing to report");
    join(1);
    assertTrue(rendezvous.reportsMayCome());
    rendezvous.hear(new Wire.Returned(1, 0, 0, 1));
    rendezvous.hear(new Wire.Returned(1, 0, 1, 1));
    assertTrue(rendezvous.reportsMayCome());
    rendezvous.hear(new Wire.Returned(1, 0, 2, 1));
    assertFalse(rendezvous.reportsMayCome());
    assertNull(rendezvous.awaitFailure(0));
  }

  @Test
  void noReportComesFromRanksWhoseVectorsAreCombinedHere() {
    for (int rank = 0; rank < SIZE; rank++) {
      bring(rank, new byte[1]);
    }
    assertFalse(rendezvous.reportsMayCome());
  }

  @Test
  void ranksThatLeaveTheirOperandsToTheDriverTakePart() {
    for (int rank = 0; rank < SIZE; rank++) {
      leave(rank, operand(rank));
    }
    assertEquals(SIZE, rendezvous.admitted());
    assertTrue(rendezvous.attendance().gathered());
    assertFalse(rendezvous.reportsMayCome());
    assertNull(rendezvous.awaitFailure(0));
  }

  @Test
  void ranksThatBringNothingLeaveAndTheOthersGetLinks() throws IOException {
    Rendezvous meets = rendezvous(new SparkConf(false), Admission.WITH_VECTOR);
    meets.left(1, left(1, null));
    List<List<Object>> replies = new ArrayList<>();
    for (int rank : new int[] {0, 2}) {
      List<Shape> shapes = List.of(new Shape(rank, "double", 1 << 20, 8 << 20, false));
      replies.add(
          ask(meets, new Wire.Join(1, 0, rank, 7, member(rank), shapes, null, Members.NONE)));
    }
    Wire.Joined joined = (Wire.Joined) replies.get(1).get(0);
    assertEquals(1, joined.rank());
    Peer itself = Members.decode(requireNonNull(joined.told()).bytes()).peers().get(1);
    assertEquals("rank 2 on host (executor 2)", itself.toString(), "as the driver calls it");
    assertEquals(2, meets.admitted());
    meets.close();
  }

  @Test
  void aSecondMessageOfARankThatHasLeftChangesNothing() {
    leave(0, operand(0));
    leave(0, operand(0));
    leave(1, operand(1));
    leave(2, operand(2));
    assertEquals(SIZE, rendezvous.admitted());
    assertNull(rendezvous.awaitFailure(0));
  }

  @Test
  void objectsThatWaitWhereArraysHaveLeftAreRefused() {
    leave(0, operand(0));
    leave(2, operand(2));
    Object reply = bring(1, new byte[1]).get(0);
    String text = "collectively cannot combine elements of different classes";
    assertTrue(assertInstanceOf(Wire.Aborted.class, reply).text().startsWith(text));
    assertFalse(rendezvous.awaitFailure(0).retryable());
  }

  @Test
  void theOthersDoNotWaitForEverForARankThatIsToListen() throws Exception {
    Rendezvous meets = rendezvous(new SparkConf(false).set("spark.collectives.timeout", "300ms"));
    Wire.Member silent = new Wire.Member("executor 0", "host", 0, "host", "silent");
    byte[] little = new byte[1];
    meets.hear(new Wire.Computing(1, 0, 0, 7, 0));
    ask(meets, new Wire.Join(1, 0, 0, 7, silent, null, little, Members.NONE));
    ask(meets, new Wire.Join(1, 0, 1, 7, member(1), null, null, Members.NONE));
    List<Object> waits = ask(meets, new Wire.Join(1, 0, 2, 7, member(2), null, null, Members.NONE));
    Failure failure = meets.awaitFailure(20_000);
    assertInstanceOf(DeadlineException.class, failure.exception());
    assertInstanceOf(Wire.Aborted.class, waits.get(0));
    meets.close();
  }

  @Test
  void thatAnExecutorIsLostWhoseOperandIsHereIsNoMatter() {
    leave(1, operand(1));
    bring(2, new byte[1]);
    rendezvous.disconnected(new RpcAddress("host", 1));
    assertNull(rendezvous.awaitFailure(0));
    rendezvous.disconnected(new RpcAddress("host", 2));
    assertTrue(rendezvous.awaitFailure(0).retryable());
  }

  @Test
  void operandsThatDoNotGoTogetherAreRefused() {
    leave(0, operand(0));
    leave(2, operand(2));
    List<Object> odd = bring(1, null);
    String text = "collectively cannot combine elements of different classes";
    Wire.Aborted aborted = assertInstanceOf(Wire.Aborted.class, odd.get(0));
    assertTrue(aborted.text().startsWith(text), aborted.text());
    assertFalse(rendezvous.awaitFailure(0).retryable());
  }

  @Test
  void ranksWhoseLittleDoesNotSufficeAreToListen() {
    List<List<Object>> hopeful = new ArrayList<>();
    for (int rank : new int[] {0, 2}) {
      Wire.Member silent = new Wire.Member("executor " + rank, "host", 0, "host", "silent");
      byte[] little = new byte[1];
      hopeful.add(ask(new Wire.Join(1, 0, rank, 7, silent, null, little, Members.NONE)));
    }
    List<Object> large = bring(1, null);
    assertEquals(List.of(), large, "the others are to come again");
    for (List<Object> replies : hopeful) {
      assertEquals(List.of(new Wire.Listen()), replies);
    }
    List<Object> again = bring(2, null);
    assertEquals(List.of(), again);
    assertInstanceOf(Wire.Joined.class, bring(0, null).get(0));
    assertInstanceOf(Wire.Joined.class, large.get(0));
    assertInstanceOf(Wire.Joined.class, again.get(0));
    assertEquals(SIZE, rendezvous.admitted());
  }

  @Test
  void ranksThatAreToListenHearOfAFailureMeanwhile() {
    Wire.Member silent = new Wire.Member("executor 0", "host", 0, "host", "silent");
    ask(new Wire.Join(1, 0, 0, 7, silent, null, new byte[1], Members.NONE));
    bring(1, null);
    List<Object> waits = bring(2, null);
    rendezvous.disconnected(new RpcAddress("host", 2));
    assertInstanceOf(Wire.Aborted.class, waits.get(0));
    assertInstanceOf(Wire.Aborted.class, bring(0, null).get(0));
  }

  @Test
  void aBrokenConnectionToARankThatHasReturnedIsTheProgramsFault() {
    joinAll();
    rendezvous.hear(new Wire.Returned(1, 0, 2, 1));
    List<Object> reply = broken(0, "rank 2 on host (executor 2)");
    assertEquals(List.of(), reply, "the rank is held until the cause is known");
    assertTrue(rendezvous.reportsMayCome());
    Failure failure = rendezvous.awaitFailure(20_000);
    assertFalse(failure.retryable());
    assertInstanceOf(InvalidInputException.class, failure.exception());
    String text = failure.exception().getMessage();
    String start = "rank 2 on host (executor 2) has returned while others wait for it in";
    assertTrue(text.startsWith(start + " collectively: barrier #1 broke off on rank 0"), text);
    assertEquals(1, reply.size());
  }

  private void called(int rank, long number) {
    var call = new CommunicatorOptions.Call(0, number, 17, "rank " + rank, "barrier #" + number);
    ask(new Wire.Called(1, 0, rank, List.of(call)));
  }

  @Test
  void aRankThatHasCalledLessThanOthersWaitInIsKnownAtOnce() {
    joinAll();
    called(0, 3);
    rendezvous.hear(new Wire.Returned(1, 0, 1, 3));
    assertNull(rendezvous.awaitFailure(0), "it was in all that others are in");
    rendezvous.hear(new Wire.Returned(1, 0, 2, 2));
    Failure failure = requireNonNull(rendezvous.awaitFailure(0));
    assertFalse(failure.retryable());
    assertInstanceOf(InvalidInputException.class, failure.exception());
    assertTrue(
        failure
            .text()
            .startsWith(
                "rank 2 on host (executor 2) has returned without what others have called: it was in"
                    + " 2 operations, and rank 0 has called number 3, barrier #3. "),
        failure.text());
  }

  @Test
  void whoIsInMoreThanARankThatHasReturnedIsTold() {
    joinAll();
    rendezvous.hear(new Wire.Returned(1, 0, 2, 0));
    called(1, 1);
    Failure failure = requireNonNull(rendezvous.awaitFailure(0));
    assertTrue(failure.text().contains("was in 0 operations, and rank 1"), failure.text());
  }

  @Test
  void aResetConnectionToARankThatHasReturnedIsNot() {
    joinAll();
    rendezvous.hear(new Wire.Returned(1, 0, 2, 1));
    String reset =
        String.valueOf(LinkErrors.linkBroken("r", new IOException("reset")).getMessage());
    broken(0, "rank 2 on host (executor 2)", reset);
    Failure failure = rendezvous.awaitFailure(20_000);
    assertTrue(failure.retryable());
    assertInstanceOf(RankFailedException.class, failure.exception());
  }

  @Test
  void aBrokenConnectionToAnotherRankIsNot() {
    joinAll();
    rendezvous.hear(new Wire.Returned(1, 0, 2, 1));
    broken(0, "rank 1 on host (executor 1)");
    Failure failure = rendezvous.awaitFailure(20_000);
    assertTrue(failure.retryable());
    assertInstanceOf(RankFailedException.class, failure.exception());
  }

  @Test
  void aLostProcessIsTheCauseAlthoughARankHasReturned() {
    joinAll();
    rendezvous.hear(new Wire.Returned(1, 0, 2, 1));
    broken(0, "rank 2 on host (executor 2)");
    rendezvous.disconnected(new RpcAddress("host", 1));
    Failure failure = rendezvous.awaitFailure(0);
    assertTrue(failure.retryable());
    assertTrue(failure.text().contains("lost rank 1 on host (executor 1)"), failure.text());
  }

  @Test
  void ranksThatHaveBegunMayComputeForLongerThanOthersWaitForTasks() throws Exception {
    Rendezvous meets = rendezvous(new SparkConf(false).set("spark.collectives.timeout", "300ms"));
    meets.hear(new Wire.Computing(1, 0, 1, 7, 0));
    meets.hear(new Wire.Computing(1, 0, 2, 7, 0));
    assertFalse(meets.nobodyYet());
    List<Object> first = ask(meets, new Wire.Join(1, 0, 0, 7, member(0), null, null, Members.NONE));
    assertNull(meets.awaitFailure(1_000));
    ask(meets, new Wire.Join(1, 0, 1, 7, member(1), null, null, Members.NONE));
    ask(meets, new Wire.Join(1, 0, 2, 7, member(2), null, null, Members.NONE));
    assertInstanceOf(Wire.Joined.class, first.get(0));
    meets.close();
  }

  @Test
  void tasksThatHaveNotBegunAreWaitedForAsLongAsTheTimeout() {
    Rendezvous meets = rendezvous(new SparkConf(false).set("spark.collectives.timeout", "100ms"));
    meets.hear(new Wire.Computing(1, 0, 1, 7, 0));
    ask(meets, new Wire.Join(1, 0, 0, 7, member(0), null, null, Members.NONE));
    Failure failure = meets.awaitFailure(20_000);
    assertTrue(failure.text().contains("100 ms after the first: [2]"), failure.text());
    meets.close();
  }

  @Test
  void aLimitOfComputingEndsTheAttempt() {
    SparkConf conf = new SparkConf(false).set("spark.collectives.compute.timeout", "1200ms");
    Rendezvous meets = rendezvous(conf);
    for (int rank = 0; rank < SIZE; rank++) { // the one has been silent for the first second
      meets.hear(new Wire.Computing(1, 0, rank, 7, rank == 1 ? 1_000_000_000 : 0));
    }
    List<Object> first = ask(meets, new Wire.Join(1, 0, 0, 7, member(0), null, null, Members.NONE));
    ask(meets, new Wire.Join(1, 0, 2, 7, member(2), null, null, Members.NONE));
    Failure failure = meets.awaitFailure(20_000);
    assertInstanceOf(DeadlineException.class, failure.exception());
    String text = failure.text();
    assertTrue(text.contains("rank 1 has computed its partitions for 1200 ms"), text);
    assertTrue(text.contains("spark.collectives.compute.timeout"), text);
    assertFalse(failure.retryable());
    assertInstanceOf(Wire.Aborted.class, first.get(0));
    meets.close();
  }

  @Test
  void aRankThatWaitsForOthersOfItsExecutorDoesNotCompute() {
    SparkConf conf = new SparkConf(false).set("spark.collectives.compute.timeout", "2000ms");
    Rendezvous meets = rendezvous(conf);
    meets.hear(new Wire.Computing(1, 0, 0, 7, 0));
    meets.hear(new Wire.Computing(1, 0, 0, 7, -1));
    meets.hear(new Wire.Computing(1, 0, 1, 7, -1));
    assertNull(meets.awaitFailure(2_500));
    meets.hear(new Wire.Computing(1, 0, 2, 7, 0));
    String text = meets.awaitFailure(20_000).text();
    assertTrue(text.contains("rank 2 has computed its partitions for 2000 ms"), text);
    meets.close();
  }

  private List<Object> watch(int rank, long computingNanos) {
    return ask(new Wire.Watch(1, 0, rank, computingNanos));
  }

  @Test
  void whoIsLateWaitsOnWhileAnotherRankComputes() {
    joinAll();
    List<List<Object>> watchers = List.of(watch(0, -1), watch(1, -1), watch(2, -1));
    List<Object> late = ask(new Wire.Late(1, 0, 0));
    List<Object> alsoLate = ask(new Wire.Late(1, 0, 1));
    for (List<Object> watcher : watchers) {
      assertEquals(1, watcher.size(), "each is asked once");
      assertInstanceOf(Wire.Report.class, watcher.get(0));
    }
    watch(0, -1);
    watch(1, -1);
    assertEquals(List.of(), late);
    List<Object> again = watch(2, 5_000_000_000L);
    assertInstanceOf(Wire.Wait.class, late.get(0));
    assertInstanceOf(Wire.Wait.class, alsoLate.get(0));
    assertNull(rendezvous.awaitFailure(0));
    assertEquals(List.of(), again, "it goes on listening");
  }

  @Test
  void whoIsLateGivesUpWhenAllRanksAreInOperations() {
    joinAll();
    watch(0, -1);
    watch(1, -1);
    watch(2, 1);
    rendezvous.hear(new Wire.Returned(1, 0, 2, 1));
    List<Object> late = ask(new Wire.Late(1, 0, 0));
    watch(0, -1);
    assertEquals(List.of(), late);
    watch(1, -1);
    assertInstanceOf(Wire.Over.class, late.get(0), "who has returned computes nothing");
  }

  @Test
  void whoIsLateGivesUpWhenTheOthersDoNotAnswer() throws Exception {
    joinAll();
    watch(1, -1);
    List<Object> late = ask(new Wire.Late(1, 0, 0));
    Await.until("an answer", () -> !late.isEmpty());
    assertInstanceOf(Wire.Over.class, late.get(0));
  }

  @Test
  void computingBetweenOperationsHasALimitWhereOneIsSet() {
    SparkConf conf = new SparkConf(false).set("spark.collectives.compute.timeout", "2s");
    Rendezvous meets = rendezvous(conf);
    for (int rank = 0; rank < SIZE; rank++) {
      ask(meets, new Wire.Join(1, 0, rank, 7, member(rank), null, null, Members.NONE));
    }
    ask(meets, new Wire.Watch(1, 0, 2, -1));
    List<Object> late = ask(meets, new Wire.Late(1, 0, 0));
    List<Object> told = ask(meets, new Wire.Watch(1, 0, 2, 3_000_000_000L));
    assertEquals(1, late.size());
    assertInstanceOf(Wire.Aborted.class, told.get(0));
    Failure failure = meets.awaitFailure(0);
    assertInstanceOf(DeadlineException.class, failure.exception());
    String text = failure.text();
    assertTrue(text.contains("rank 2 on host (executor 2) has called no operation for 2000"), text);
    assertTrue(text.contains("spark.collectives.compute.timeout"), text);
    meets.close();
  }

  @Test
  void aRankThatCannotFetchEndsBeforeTheOthersHear() {
    joinAll();
    List<Object> watcher = ask(new Wire.Watch(1, 0, 1, -1));
    List<Object> waits = broken(1, "rank 0 on host (executor 0)");
    List<Object> told =
        ask(
            new Wire.Failed(
                1, 0, 0, "rank 0", Wire.Severity.INPUT_LOST, "FetchFailed", new byte[0]));
    assertInstanceOf(Wire.Over.class, told.get(0), "so that its task ends, and Spark knows why");
    assertEquals(List.of(), watcher);
    assertEquals(List.of(), waits, "else it would end first");
    assertTrue(rendezvous.inputLost());
    assertFalse(rendezvous.reportsMayCome());
    Failure failure = rendezvous.awaitFailure(0);
    assertTrue(failure.retryable());
    assertEquals("FetchFailed", failure.text());
    Await.until("an answer", () -> !waits.isEmpty());
    assertInstanceOf(Wire.Aborted.class, watcher.get(0), "where Spark does not end the job");
    assertEquals(1, waits.size());
  }

  @Test
  void aDeadlineNamesTheRankThatHasReturned() {
    joinAll();
    rendezvous.hear(new Wire.Returned(1, 0, 2, 1));
    for (int rank = 0; rank < 2; rank++) {
      DeadlineException late = new DeadlineException("barrier #1 took too long: 1 s. Wait.", null);
      ask(
          new Wire.Failed(
              1, 0, rank, "rank", Wire.Severity.DEADLINE, "late", Wire.tryEncode(late)));
    }
    Failure failure = rendezvous.awaitFailure(20_000);
    assertTrue(
        failure.text().contains("in vain for rank 2 on host (executor 2), which has returned"),
        failure.text());
  }

  @Test
  void aSecondJoinOfARankIsRefusedAndChangesNothing() throws IOException {
    List<Object> first = ask(new Wire.Join(1, 0, 0, 7, member(0), null, null, Members.NONE));
    List<Object> second = ask(new Wire.Join(1, 0, 0, 7, member(7), null, null, Members.NONE));
    Wire.Aborted refused = assertInstanceOf(Wire.Aborted.class, second.get(0));
    assertTrue(refused.text().contains("rank 0 is not expected"), refused.text());
    assertEquals(List.of(), first, "the first one waits on");
    join(1);
    join(2);
    Wire.Joined joined = assertInstanceOf(Wire.Joined.class, first.get(0));
    assertEquals(member(0), Members.decode(requireNonNull(joined.told()).bytes()).member(0));

    List<Object> late = ask(new Wire.Join(1, 0, 1, 7, member(7), null, null, Members.NONE));
    assertInstanceOf(Wire.Aborted.class, late.get(0), "a live job is not disturbed");
    assertEquals(1, first.size());
    assertNull(rendezvous.awaitFailure(0));
  }

  @Test
  void aRankThatDoesNotExistIsRefused() {
    for (int rank : new int[] {-1, SIZE, Integer.MAX_VALUE}) {
      List<Object> reply = ask(new Wire.Join(1, 0, rank, 7, member(0), null, null, Members.NONE));
      assertInstanceOf(Wire.Aborted.class, reply.get(0));
    }
    assertTrue(rendezvous.nobodyYet());
  }
}
