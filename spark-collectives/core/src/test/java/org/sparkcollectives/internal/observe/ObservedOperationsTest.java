package org.sparkcollectives.internal.observe;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.lang.ref.WeakReference;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import jdk.jfr.Recording;
import jdk.jfr.consumer.RecordedEvent;
import jdk.jfr.consumer.RecordingFile;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.sparkcollectives.Communicator;
import org.sparkcollectives.CommunicatorOptions;
import org.sparkcollectives.error.CollectiveException;
import org.sparkcollectives.internal.transport.BufferPool;
import org.sparkcollectives.internal.transport.LinkProvider;
import org.sparkcollectives.internal.transport.Peer;
import org.sparkcollectives.internal.transport.RankTransport;
import org.sparkcollectives.internal.transport.Roster;
import org.sparkcollectives.internal.transport.TransportCounters;
import org.sparkcollectives.internal.transport.ring.MemoryMesh;
import org.sparkcollectives.internal.transport.ring.RingProvider;
import org.sparkcollectives.schedule.Collective;
import org.sparkcollectives.schedule.Problem;
import org.sparkcollectives.transport.Transport;
import org.sparkcollectives.vector.ReduceOp;

/** What is counted of operations, and what Flight Recorder gets of them. */
@Timeout(120)
class ObservedOperationsTest {
  private static final int RANKS = 3;
  private static final int LENGTH = 1000;

  /** Runs a program on all ranks; what their transports have counted then. */
  private static List<RankOperations> run(Consumer<Communicator> program) throws Exception {
    List<Transport> mesh = MemoryMesh.create(RANKS);
    ExecutorService threads = Executors.newFixedThreadPool(RANKS);
    try {
      CommunicatorOptions options = CommunicatorOptions.DEFAULT.withTimeout(Duration.ofSeconds(60));
      List<Future<?>> ranks = new ArrayList<>();
      for (Transport transport : mesh) {
        ranks.add(
            threads.submit(
                () -> {
                  try (Communicator communicator = new Communicator(transport, options)) {
                    program.accept(communicator);
                  }
                }));
      }
      for (Future<?> rank : ranks) {
        rank.get(60, TimeUnit.SECONDS);
      }
      return mesh.stream().map(transport -> ((RankTransport) transport).operations()).toList();
    } finally {
      mesh.forEach(Transport::close);
      threads.shutdownNow();
    }
  }

  private static void sums(Communicator communicator) {
    double[] vector = new double[LENGTH];
    for (int i = 0; i < 5; i++) {
      communicator.by("ring").allReduce(vector, ReduceOp.SUM);
    }
    communicator.by("ring").allReduce(new double[1], ReduceOp.SUM);
    communicator.split(communicator.rank() == 0 ? -1 : 0, 0);
    communicator.barrier();
  }

  private static OperationSum sum(RankOperations operations, String algorithm) {
    return operations.sums().stream()
        .filter(each -> each.algorithm().equals(algorithm))
        .findFirst()
        .orElseThrow();
  }

  @Test
  void operationsAreSummedUpByCollectiveAndAlgorithm() throws Exception {
    for (RankOperations operations : run(ObservedOperationsTest::sums)) {
      OperationSum ring = sum(operations, "ring");
      assertEquals(Collective.ALLREDUCE, ring.collective());
      assertEquals(6, ring.count());
      assertEquals((5 * LENGTH + 1) * 8L, ring.bytes());
      assertEquals(LENGTH * 8L, ring.largestBytes());
      assertEquals(RANKS, ring.blocks());
      assertTrue(ring.nanos() >= ring.largestNanos() && ring.largestNanos() > 0, ring::toString);
      assertEquals(1, sum(operations, "dissemination").count());
      // A ring sends every block but one twice: 4 of 3 parts of the vector, of any rank.
      long once = 2 * (RANKS - 1) * (long) LENGTH * 8 / RANKS;
      assertTrue(operations.sentBytes() >= 5 * (once - 16), () -> "" + operations.sentBytes());
      assertTrue(operations.sentBytes() <= 6 * (once + 16), () -> "" + operations.sentBytes());
    }
  }

  @Test
  void whatIsSentIsReceived() throws Exception {
    List<RankOperations> all = run(ObservedOperationsTest::sums);
    long sent = all.stream().mapToLong(RankOperations::sentBytes).sum();
    assertEquals(sent, all.stream().mapToLong(RankOperations::receivedBytes).sum());
  }

  @Test
  void whoWaitsForAnotherRankIsSeenToWait() throws Exception {
    CountDownLatch begun = new CountDownLatch(RANKS - 1);
    List<RankOperations> all =
        run(
            communicator -> {
              if (communicator.rank() == 0) {
                await(begun);
                sleep(2_000);
              } else {
                begun.countDown();
              }
              communicator.barrier();
            });
    for (RankOperations operations : all.subList(1, RANKS)) {
      assertTrue(operations.waitedNanos() > 100_000_000, () -> "" + operations.waitedNanos());
    }
  }

  private static void await(CountDownLatch latch) {
    try {
      assertTrue(latch.await(60, TimeUnit.SECONDS));
    } catch (InterruptedException e) {
      throw new IllegalStateException(e);
    }
  }

  private static void sleep(long millis) {
    try {
      Thread.sleep(millis);
    } catch (InterruptedException e) {
      throw new IllegalStateException(e);
    }
  }

  @Test
  void theTimeOfTheLargestVectorIsNoOthers() {
    RankOperations operations = new RankOperations(new OperationTotals());
    Problem problem = new Problem(Collective.SCAN, 4, 0, 2, true);
    operations.add(problem, "two-tree", 16, 9000);
    operations.add(problem, "two-tree", 4096, 300);
    operations.add(problem, "two-tree", 4096, 400);
    operations.add(problem, "two-tree", 8, 5000);
    OperationSum sum = sum(operations, "two-tree");
    assertEquals(4096, sum.largestBytes());
    assertEquals(400, sum.largestNanos());
  }

  @Test
  void aProcessKnowsTheSumOfItsRanksAndWhatIsDoneFirst() {
    OperationTotals totals = new OperationTotals();
    List<String> first = new ArrayList<>();
    totals.onFirst(total -> first.add(total.collective().slug() + " " + total.algorithm()));
    RankOperations one = new RankOperations(totals);
    RankOperations other = new RankOperations(totals);
    Problem problem = new Problem(Collective.SCAN, 4, 0, 2, true);
    one.add(problem, "two-tree", 10, 100);
    other.add(problem, "two-tree", 20, 300);
    other.fail(problem, "two-tree");
    other.fail(problem, "binomial");
    one.traffic(1, 2, 3);
    other.traffic(10, 20, 30);
    assertEquals(List.of("scan two-tree", "scan binomial"), first);
    OperationTotals.Total total = totals.of(Collective.SCAN, "two-tree");
    assertEquals(
        List.of(2L, 30L, 400L, 1L),
        List.of(total.count(), total.bytes(), total.nanos(), total.failed()));
    assertEquals(
        List.of(11L, 22L, 33L),
        List.of(totals.sentBytes(), totals.receivedBytes(), totals.waitedNanos()));
    assertEquals(1, other.sums().size());
  }

  @Test
  void whatRanksHaveCountedStaysWhenTheyAreForgotten() throws InterruptedException {
    OperationTotals totals = new OperationTotals();
    Problem problem = new Problem(Collective.SCAN, 4, 0, 2, true);
    WeakReference<RankOperations> last = new WeakReference<>(new RankOperations(totals));
    for (int rank = 0; rank < 100; rank++) {
      RankOperations operations = new RankOperations(totals);
      operations.add(problem, "two-tree", 10, 100);
      operations.traffic(1, 2, 3);
      last = new WeakReference<>(operations);
    }
    long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(60);
    while (last.get() != null || totals.ranks() > 2) { // the new one, and one that is still queued
      assertTrue(System.nanoTime() < end, () -> totals.ranks() + " ranks are remembered");
      System.gc();
      Thread.sleep(10);
      assertEquals(0, new RankOperations(totals).sentBytes());
    }
    OperationTotals.Total total = totals.of(Collective.SCAN, "two-tree");
    assertEquals(List.of(100L, 1000L), List.of(total.count(), total.bytes()));
    assertEquals(
        List.of(100L, 200L, 300L),
        List.of(totals.sentBytes(), totals.receivedBytes(), totals.waitedNanos()));
  }

  @Test
  void namesOfTheUsersOwnSchedulesAreBounded() {
    RankOperations operations = new RankOperations(new OperationTotals());
    Problem problem = new Problem(Collective.REDUCE, 4, 0, 2, false);
    for (int i = 0; i < 10_000; i++) {
      operations.add(problem, "own-" + i, 1, 1);
    }
    assertTrue(operations.sums().size() <= 65, () -> "" + operations.sums().size());
    assertEquals(10_000, operations.sums().stream().mapToLong(OperationSum::count).sum());
  }

  @Test
  void aProcessWhoseRanksComeAndGoKeepsFewOfTheirNames() {
    OperationTotals totals = new OperationTotals();
    List<OperationTotals.Total> first = new ArrayList<>();
    totals.onFirst(first::add);
    Problem problem = new Problem(Collective.REDUCE, 4, 0, 2, false);
    for (int i = 0; i < 1000; i++) {
      new RankOperations(totals).add(problem, "own-" + i, 1, 1);
    }
    new RankOperations(totals).add(problem, "own-0", 1, 1);
    assertEquals(65, first.size());
    assertEquals("others", first.get(64).algorithm());
    assertEquals(2, totals.of(Collective.REDUCE, "own-0").count());
    assertEquals(936, totals.of(Collective.REDUCE, "own-999").count());
    assertEquals("binomial", totals.of(Collective.BROADCAST, "binomial").algorithm());
  }

  @Test
  void flightRecorderGetsAnEventForEachOperation(@TempDir Path folder) throws Exception {
    List<RecordedEvent> events = recorded(folder.resolve("a.jfr"), true);
    List<RecordedEvent> rings =
        events.stream().filter(event -> event.getString("algorithm").equals("ring")).toList();
    assertEquals(6 * RANKS, rings.size());
    RecordedEvent large =
        rings.stream().max(Comparator.comparingLong(e -> e.getLong("bytes"))).orElseThrow();
    assertEquals("allreduce", large.getString("collective"));
    assertEquals(LENGTH * 8L, large.getLong("bytes"));
    assertEquals(RANKS, large.getInt("ranks"));
    assertTrue(large.getBoolean("succeeded"));
    assertTrue(large.getLong("sent") > 0);
    assertTrue(large.getDuration().toNanos() > 0);
    assertEquals(RANKS, rings.stream().map(event -> event.getInt("rank")).distinct().count());
    assertEquals(List.of(), recorded(folder.resolve("b.jfr"), false));
  }

  @Test
  void theRankOfAnEventIsThatOfTheCommunicatorWhoseRanksItTells(@TempDir Path folder)
      throws Exception {
    Path file = folder.resolve("a.jfr");
    List<RecordedEvent> events =
        recorded(
            file,
            true,
            communicator -> {
              int rank = communicator.rank();
              try (Communicator part = communicator.split(rank == 0 ? -1 : 0, rank)) {
                if (part != null) {
                  part.by("recursive-doubling").allReduce(new double[LENGTH], ReduceOp.SUM);
                }
              }
            });
    List<RecordedEvent> sums =
        events.stream().filter(event -> event.getLong("bytes") == LENGTH * 8L).toList();
    assertEquals(List.of(2, 2), sums.stream().map(event -> event.getInt("ranks")).toList());
    assertEquals(List.of(0, 1), sums.stream().map(event -> event.getInt("rank")).sorted().toList());
  }

  private static List<RecordedEvent> recorded(Path file, boolean enabled) throws Exception {
    return recorded(file, enabled, ObservedOperationsTest::sums);
  }

  private static List<RecordedEvent> recorded(
      Path file, boolean enabled, Consumer<Communicator> program) throws Exception {
    try (Recording recording = new Recording()) {
      if (enabled) {
        recording.enable(OperationEvent.class).withoutThreshold();
      } else {
        recording.disable(OperationEvent.class);
      }
      recording.start();
      run(program);
      recording.stop();
      recording.dump(file);
    }
    return events(file);
  }

  private static List<RecordedEvent> events(Path file) throws IOException {
    return RecordingFile.readAllEvents(file).stream()
        .filter(event -> event.getEventType().getName().equals("org.sparkcollectives.Operation"))
        .toList();
  }

  @Test
  void aFailureIsCountedForTheProcess() throws Exception {
    TransportCounters counters = new TransportCounters();
    List<OperationTotals.Total> totals = new ArrayList<>();
    counters.operations().onFirst(totals::add);
    Roster roster =
        new Roster(
            0,
            0,
            new byte[0],
            List.of(
                new Peer(0, "here", "", 0, "here", ""), new Peer(1, "here", "", 0, "here", "")));
    List<LinkProvider> rings = List.of(new RingProvider(1024));
    RankTransport transport =
        RankTransport.join(roster, 0, rings, counters, new BufferPool(), ended -> {});
    CommunicatorOptions options = CommunicatorOptions.DEFAULT.withTimeout(Duration.ofMillis(50));
    try (Communicator lonely = new Communicator(transport, options)) {
      assertThrows(CollectiveException.class, lonely::barrier);
    }
    assertEquals(List.of(), transport.operations().sums());
    assertEquals(List.of(1L), totals.stream().map(OperationTotals.Total::failed).toList());
  }
}
