package org.sparkcollectives;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.EOFException;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.SplittableRandom;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.sparkcollectives.error.CollectiveException;
import org.sparkcollectives.error.DeadlineException;
import org.sparkcollectives.error.InvalidInputException;
import org.sparkcollectives.error.RankFailedException;
import org.sparkcollectives.internal.algorithm.Algorithm;
import org.sparkcollectives.internal.algorithm.Algorithms;
import org.sparkcollectives.internal.engine.Engine;
import org.sparkcollectives.internal.transport.ring.MemoryMesh;
import org.sparkcollectives.schedule.Collective;
import org.sparkcollectives.schedule.Topology;
import org.sparkcollectives.select.Request;
import org.sparkcollectives.testing.ForwardingTransport;
import org.sparkcollectives.transport.Cancellation;
import org.sparkcollectives.transport.Deadline;
import org.sparkcollectives.transport.Link;
import org.sparkcollectives.transport.Transport;
import org.sparkcollectives.vector.ReduceOp;

@Timeout(120)
class CommunicatorTest {
  private static final CommunicatorOptions OPTIONS =
      CommunicatorOptions.DEFAULT.withTimeout(Duration.ofSeconds(30));
  private static final ReduceOp<String> CONCATENATION =
      ReduceOp.ofObjects("concatenation", false, String::concat, () -> "");

  private static double[] vector(int rank, int length) {
    return new SplittableRandom(1000 + rank).doubles(length).toArray();
  }

  @Test
  void everyOperationOnEverySize() {
    for (int size : new int[] {1, 2, 3, 4, 5, 7, 8}) {
      List<String> seen =
          Group.threads(
              size,
              OPTIONS,
              c -> {
                int[] sum = c.allReduce(new int[] {c.rank(), 1}, ReduceOp.SUM);
                assertArrayEquals(new int[] {size * (size - 1) / 2, size}, sum);
                int last = size - 1;
                long[] max = c.reduce(new long[] {c.rank()}, ReduceOp.MAX, last);
                if (c.rank() == last) {
                  assertEquals(last, max[0]);
                }
                float[] sent = c.broadcast(new float[] {c.rank()}, last);
                assertEquals(last, sent[0]);
                double[] before = c.exscan(new double[] {1}, ReduceOp.SUM);
                assertEquals(c.rank(), before[0]);
                c.barrier();
                assertEquals(
                    List.of(size), c.objects().broadcast(c.rank() == 0 ? List.of(size) : null, 0));
                String prefix = c.exscan(Integer.toString(c.rank()), CONCATENATION);
                return prefix + "|" + c.scan(Integer.toString(c.rank()), CONCATENATION);
              });
      String digits = "01234567";
      for (int r = 0; r < size; r++) {
        assertEquals(digits.substring(0, r) + "|" + digits.substring(0, r + 1), seen.get(r));
      }
    }
  }

  @Test
  void bitsAreEqualOnAllRanksAndFromRunToRunByEveryAlgorithm() {
    for (Algorithm algorithm : Algorithms.of(Collective.ALLREDUCE)) {
      Supplier<List<double[]>> run =
          () ->
              Group.threads(
                  7,
                  OPTIONS,
                  c -> c.by(algorithm.slug()).allReduce(vector(c.rank(), 10_007), ReduceOp.SUM));
      List<double[]> first = run.get();
      for (double[] other : first) {
        assertArrayEquals(bits(first.get(0)), bits(other), algorithm.slug());
      }
      assertArrayEquals(bits(first.get(0)), bits(run.get().get(3)), algorithm.slug());
    }
  }

  private static long[] bits(double[] vector) {
    return Arrays.stream(vector).mapToLong(Double::doubleToRawLongBits).toArray();
  }

  @Test
  void emptyVectorsAreLegal() {
    Group.threads(
        3,
        OPTIONS,
        c -> {
          for (Algorithm algorithm : Algorithms.of(Collective.ALLREDUCE)) {
            c.by(algorithm.slug()).allReduce(new double[0], ReduceOp.SUM);
          }
          return c.objects().broadcast(c.rank() == 1 ? new double[0] : null, 1);
        });
  }

  @Test
  void vectorsOfDifferentLengthsAreNamed() {
    CollectiveException e =
        fails(
            InvalidInputException.class,
            3,
            c -> c.allReduce(new double[10 + c.rank() / 2], ReduceOp.SUM));
    assertTrue(e.getMessage().contains("do different operations"), e.getMessage());
    assertTrue(e.getMessage().contains("of 10 double"), e.getMessage());
    assertTrue(e.getMessage().contains("of 11 double"), e.getMessage());
  }

  @Test
  void differentCollectivesAreNamed() {
    CollectiveException e =
        fails(
            InvalidInputException.class,
            2,
            c ->
                c.rank() == 0
                    ? c.scan(new double[4], ReduceOp.SUM)
                    : c.allReduce(new double[4], ReduceOp.SUM));
    assertTrue(e.getMessage().contains("scan #1 of 4 double"), e.getMessage());
    assertTrue(e.getMessage().contains("allreduce #1 of 4 double"), e.getMessage());
  }

  @Test
  void anUnknownAlgorithmIsRefusedWithTheList() {
    CollectiveException e =
        fails(
            InvalidInputException.class,
            2,
            c -> c.by("three-tree").allReduce(new double[4], ReduceOp.SUM));
    assertTrue(
        e.getMessage().contains("unknown algorithm 'three-tree' for allreduce"), e.getMessage());
    assertTrue(e.getMessage().contains("recursive-doubling"), e.getMessage());
    assertTrue(e.getMessage().contains("two-tree"), e.getMessage());
  }

  @Test
  void anAlgorithmThatReordersRefusesAnOperatorThatDoesNotCommute() {
    CollectiveException e =
        fails(InvalidInputException.class, 2, c -> c.by("ring").allReduce("x", CONCATENATION));
    assertTrue(
        e.getMessage().contains("'ring' cannot use the operator 'concatenation'"), e.getMessage());
    assertTrue(e.getMessage().contains("'two-tree'"), e.getMessage());
  }

  @Test
  void anAlgorithmThatCannotSolveAProblemIsRefusedByNameAndNotChosen() {
    CollectiveException e =
        fails(InvalidInputException.class, 3, c -> c.by("hypercube").broadcast(new int[4], 0));
    assertTrue(e.getMessage().contains("hypercube"), e.getMessage());
    assertTrue(e.getMessage().contains("power of two"), e.getMessage());
    CollectiveException pinned =
        assertThrows(
            RankFailedException.class,
            () ->
                Group.threads(
                    3,
                    OPTIONS.withAlgorithm(Collective.BROADCAST, "hypercube"),
                    c -> c.broadcast(new int[4], 0)));
    assertInstanceOf(InvalidInputException.class, pinned.getCause());
    for (int length : new int[] {1, 1_000, 1_000_000}) {
      Group.threads(3, OPTIONS, c -> c.broadcast(new int[length], 1));
    }
  }

  @Test
  void aRootOutOfRangeIsRefused() {
    CollectiveException e =
        fails(InvalidInputException.class, 2, c -> c.broadcast(new double[4], 2));
    assertTrue(e.getMessage().contains("root 2 of a broadcast is out of range"), e.getMessage());
    assertTrue(e.getMessage().contains("0 to 1"), e.getMessage());
  }

  @Test
  void nullIsRefused() {
    CollectiveException e =
        fails(
            InvalidInputException.class,
            2,
            c -> c.allReduce(c.rank() == 1 ? missing() : new double[4], ReduceOp.SUM));
    assertTrue(e.getMessage().contains("the vector of rank 1 is null"), e.getMessage());
    CollectiveException explained =
        fails(
            InvalidInputException.class,
            1,
            c -> c.explain(Collective.ALLREDUCE, missing(), ReduceOp.SUM));
    assertTrue(
        explained.getMessage().contains("the vector of rank 0 is null"), explained.getMessage());
  }

  @Test
  void rankZeroOfAnExclusiveScanGetsTheNeutralElementOfEveryLength() {
    for (int length : new int[] {0, 1, 4095, 4096, 4097, 3 * 4096, 10_007}) {
      List<double[]> prefixes =
          Group.threads(2, OPTIONS, c -> c.exscan(vector(c.rank(), length), ReduceOp.MIN));
      double[] neutral = new double[length];
      Arrays.fill(neutral, Double.POSITIVE_INFINITY);
      assertArrayEquals(neutral, prefixes.get(0));
      assertArrayEquals(vector(0, length), prefixes.get(1));
    }
    List<long[]> products = Group.threads(1, OPTIONS, c -> c.exscan(new long[5000], ReduceOp.PROD));
    assertEquals(5000, Arrays.stream(products.get(0)).sum());
  }

  @Test
  void aNeutralElementThatIsNullIsRefused() {
    ReduceOp<String> table = ReduceOp.ofObjects("table", false, String::concat, () -> null);
    CollectiveException e = fails(InvalidInputException.class, 2, c -> c.exscan("own", table));
    assertTrue(e.getMessage().contains("neutral element of 'table' is null"), e.getMessage());
    ReduceOp<String> none = ReduceOp.ofObjects("concatenation", false, String::concat);
    assertEquals(List.of("own"), Group.threads(1, OPTIONS, c -> c.exscan("own", none)));
  }

  /** As a link may that remembers why it is broken. */
  @Test
  void aLinkMayThrowTheSameExceptionFromBothSides() {
    for (IOException same : List.of(new IOException("broken"), new EOFException("ended"))) {
      Transport failing =
          new ForwardingTransport(MemoryMesh.create(2).get(0)) {
            @Override
            public Link link(int peer, Deadline deadline, Cancellation cancellation) {
              return new BrokenLink(peer, same);
            }
          };
      try (Communicator communicator = new Communicator(failing, OPTIONS)) {
        RankFailedException e =
            assertThrows(
                RankFailedException.class,
                () -> communicator.by("recursive-doubling").allReduce(new double[4], ReduceOp.SUM));
        assertSame(same, e.getCause());
      }
    }
  }

  private record BrokenLink(int peer, IOException reason) implements Link {
    @Override
    public int write(ByteBuffer source) throws IOException {
      throw reason;
    }

    @Override
    public long write(ByteBuffer first, ByteBuffer second) throws IOException {
      throw reason;
    }

    @Override
    public int read(ByteBuffer target) throws IOException {
      throw reason;
    }
  }

  @Test
  void aNullOperatorIsRefused() {
    for (Group.RankFunction<?> call :
        List.<Group.RankFunction<?>>of(
            c -> c.allReduce(new double[4], noOperator()),
            c -> c.exscan(new double[4], noOperator()),
            c -> c.reduceScatter(new double[4], noOperator()),
            c -> c.objects().reduceScatter(List.of("a", "b"), noOperator()))) {
      CollectiveException e = fails(InvalidInputException.class, 2, call);
      assertTrue(e.getMessage().contains("the operator is null"), e.getMessage());
    }
  }

  @SuppressWarnings("NullAway") // what a user's Java code can do
  private static double[] missing() {
    return null;
  }

  @SuppressWarnings("NullAway") // as above
  private static ReduceOp<Object> noOperator() {
    return null;
  }

  @Test
  void whatTheOperatorThrowsIsTheCause() {
    ReduceOp<Object> throwing =
        ReduceOp.ofLong(
            "throwing",
            true,
            (a, b) -> {
              throw new ArithmeticException("no such sum");
            });
    CollectiveException e =
        fails(RankFailedException.class, 3, c -> c.allReduce(new long[] {1}, throwing));
    assertInstanceOf(ArithmeticException.class, e.getCause());
    assertTrue(e.getMessage().contains("'throwing' threw"), e.getMessage());
  }

  /** As functions in Scala may, which declare no exceptions. */
  @Test
  void checkedExceptionsOfAnOperatorAreTheCauseAndBreakTheCommunicator() {
    for (Exception checked : List.of(new IOException("no"), new Exception("no"))) {
      ReduceOp<Object> throwing =
          ReduceOp.ofLong(
              "throwing", true, (a, b) -> CommunicatorTest.<RuntimeException>rude(checked));
      List<CollectiveException> thrown =
          Group.threads(
              2,
              OPTIONS,
              c -> {
                CollectiveException first =
                    assertThrows(
                        CollectiveException.class, () -> c.allReduce(new long[] {1}, throwing));
                CollectiveException again =
                    assertThrows(CollectiveException.class, () -> c.barrier());
                assertTrue(again.getMessage().contains("broke in an earlier"), again.getMessage());
                return first;
              });
      CollectiveException e =
          thrown.stream()
              .filter(each -> each.getMessage().contains("'throwing'"))
              .filter(
                  each -> !(each.getCause() instanceof CollectiveException)) // told by the other
              .findFirst()
              .orElseThrow();
      assertTrue(e.getMessage().contains("'throwing' threw " + checked), e.getMessage());
      Throwable cause = e.getCause();
      assertSame(checked, cause instanceof UncheckedIOException ? cause.getCause() : cause);
      assertFalse(Engine.linkBroke(e));
    }
  }

  @SuppressWarnings({"unchecked", "TypeParameterUnusedInFormals"})
  private static <E extends Exception> long rude(Exception checked) throws E {
    throw (E) checked;
  }

  @Test
  void aRankThatNeverCallsMeetsANamedDeadline() {
    CommunicatorOptions hasty = OPTIONS.withTimeout(Duration.ofMillis(300));
    CollectiveException e =
        assertThrows(
            RankFailedException.class,
            () ->
                Group.threads(
                    3,
                    hasty,
                    c -> {
                      if (c.rank() == 2) {
                        Thread.sleep(2_000);
                        return 0.0;
                      }
                      return c.allReduce(new double[4], ReduceOp.SUM)[0];
                    }));
    DeadlineException deadline = assertInstanceOf(DeadlineException.class, e.getCause());
    assertTrue(deadline.getMessage().contains("allreduce #1 of 4 double"), deadline.getMessage());
    assertTrue(deadline.getMessage().contains("within 300 ms on rank"), deadline.getMessage());
    assertTrue(deadline.getMessage().contains("receiving from rank"), deadline.getMessage());
  }

  @Test
  void aDeadlineIsPutOffAsOftenAsTheCancellationSays() {
    int most = 1_000_000;
    AtomicInteger left = new AtomicInteger(most);
    Cancellation patient =
        new Cancellation() {
          @Override
          public @Nullable RuntimeException reason() {
            return null;
          }

          @Override
          public boolean waitsOn() {
            return left.getAndDecrement() > 0;
          }
        };
    CommunicatorOptions hasty =
        OPTIONS.withTimeout(Duration.ofMillis(100)).withCancellation(patient);
    Group.threads(
        2,
        hasty,
        c -> {
          while (c.rank() == 1 && left.get() > most - 3) {
            Thread.sleep(10); // until the deadline of rank 0 has passed three times
          }
          return c.allReduce(new double[4], ReduceOp.SUM)[0];
        });
    assertTrue(left.get() <= most - 3, "the deadline has passed some times: " + left);
    left.set(1);
    CollectiveException e =
        assertThrows(
            RankFailedException.class,
            () ->
                Group.threads(
                    2,
                    hasty,
                    c -> {
                      Thread.sleep(c.rank() * 2_000L);
                      return c.allReduce(new double[4], ReduceOp.SUM)[0];
                    }));
    assertInstanceOf(DeadlineException.class, e.getCause());
    assertTrue(left.get() < 0, "asked " + left);
  }

  @Test
  void anEndedCommunicatorSaysSo() {
    Group.threads(
        2,
        OPTIONS,
        c -> {
          c.close();
          CollectiveException e =
              assertThrows(
                  CollectiveException.class, () -> c.allReduce(new double[1], ReduceOp.SUM));
          assertTrue(e.getMessage().contains("the communicator is closed"), e.getMessage());
          return null;
        });
  }

  @Test
  void closingWhileAnOperationRunsIsNoGoodOrder() throws Exception {
    List<Transport> mesh = MemoryMesh.create(2);
    List<String> calls = new ArrayList<>();
    Communicator own = new Communicator(recorded(mesh.get(0), calls), OPTIONS);
    Communicator peer = new Communicator(mesh.get(1), OPTIONS);
    Thread thread = Thread.currentThread();
    ReduceOp<Object> closing =
        ReduceOp.ofLong(
            "closing",
            true,
            (a, b) -> {
              if (Thread.currentThread() == thread) {
                own.close();
              }
              return a + b;
            });
    FutureTask<@Nullable Throwable> other =
        new FutureTask<>(
            () -> {
              try {
                peer.by("recursive-doubling").allReduce(new long[1000], closing);
                peer.barrier();
                return null;
              } catch (CollectiveException e) {
                return e;
              }
            });
    new Thread(other).start();
    assertThrows(
        CollectiveException.class,
        () -> {
          own.by("recursive-doubling").allReduce(new long[1000], closing);
          own.barrier();
        });
    assertTrue(calls.contains("close") && !calls.contains("release"), calls.toString());
    assertInstanceOf(CollectiveException.class, other.get(1, TimeUnit.MINUTES));
    peer.close();
  }

  private static Transport recorded(Transport transport, List<String> calls) {
    return (Transport)
        Proxy.newProxyInstance(
            Transport.class.getClassLoader(),
            new Class<?>[] {Transport.class},
            (proxy, method, arguments) -> {
              calls.add(method.getName());
              try {
                return method.invoke(transport, arguments);
              } catch (InvocationTargetException e) {
                throw Objects.requireNonNull(e.getCause());
              }
            });
  }

  @Test
  void aListenerThatThrowsDoesNotHideTheFailure() {
    CommunicatorOptions careless =
        OPTIONS.withFailureListener(
            reason -> {
              throw new IllegalStateException("listener");
            });
    RankFailedException e =
        assertThrows(
            RankFailedException.class,
            () ->
                Group.threads(
                    2, careless, c -> c.allReduce(new double[1 + c.rank()], ReduceOp.SUM)));
    assertInstanceOf(InvalidInputException.class, e.getCause());
  }

  @Test
  void aCommunicatorInTwoThreadsIsRefusedAndTheFirstGoesOn() {
    CountDownLatch refused = new CountDownLatch(1);
    List<Double> sums =
        Group.threads(
            2,
            OPTIONS,
            c -> {
              if (c.rank() == 1) {
                assertTrue(refused.await(1, TimeUnit.MINUTES)); // rank 0 waits in its operation
                return c.allReduce(new double[] {2}, ReduceOp.SUM)[0];
              }
              FutureTask<CollectiveException> intruder =
                  new FutureTask<>(() -> assertThrows(InvalidInputException.class, c::dup));
              Thread first = Thread.currentThread();
              Thread second =
                  new Thread(
                      () -> {
                        while (first.getState() != Thread.State.TIMED_WAITING) {
                          Thread.onSpinWait(); // until the first waits for rank 1
                        }
                        intruder.run();
                        refused.countDown();
                      },
                      "intruder");
              second.start();
              double sum = c.allReduce(new double[] {1}, ReduceOp.SUM)[0];
              String message = String.valueOf(intruder.get(1, TimeUnit.MINUTES).getMessage());
              assertTrue(message.contains("allgather cannot run on rank 0"), message);
              assertTrue(message.contains("in thread 'intruder'"), message);
              assertTrue(message.contains("thread '" + first.getName() + "' is in an"), message);
              return sum;
            });
    assertEquals(List.of(3.0, 3.0), sums);
  }

  @Test
  void theRankThatFailedIsNamed() {
    Group.RankFunction<Object> function =
        communicator -> {
          if (communicator.rank() == 2) {
            throw new IllegalStateException("gave up");
          }
          communicator.barrier();
          return communicator;
        };
    RankFailedException e =
        assertThrows(RankFailedException.class, () -> Group.threads(4, OPTIONS, function));
    assertTrue(e.getMessage().startsWith("rank 2 failed: "), e.getMessage());
    assertTrue(e.getMessage().contains("gave up"), e.getMessage());
  }

  @Test
  void whatIsNoVectorIsNamed() {
    CollectiveException e = fails(InvalidInputException.class, 2, c -> c.broadcast("text", 0));
    assertTrue(e.getMessage().contains("java.lang.String is no vector"), e.getMessage());
    assertTrue(e.getMessage().contains("objects().broadcast"), e.getMessage());
  }

  /** Runs ranks of which one must throw; returns what it threw. */
  private static CollectiveException fails(
      Class<? extends CollectiveException> type, int size, Group.RankFunction<?> function) {
    RankFailedException e =
        assertThrows(RankFailedException.class, () -> Group.threads(size, OPTIONS, function));
    return assertInstanceOf(type, e.getCause());
  }

  @Test
  void optionsExplainWhatTheyLeadTo() {
    Request request = Request.of(Collective.ALLREDUCE, 13, 8 << 20, false, Topology.FLAT);
    assertEquals(
        "ring",
        OPTIONS.withAlgorithm(Collective.ALLREDUCE, "ring").explain(request).choice().algorithm());
    assertTrue(OPTIONS.explain(request).reason().contains("cheapest"));
  }
}
