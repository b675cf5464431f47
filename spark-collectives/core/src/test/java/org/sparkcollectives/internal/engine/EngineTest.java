package org.sparkcollectives.internal.engine;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.sparkcollectives.error.DeadlineException;
import org.sparkcollectives.error.InvalidInputException;
import org.sparkcollectives.error.RankFailedException;
import org.sparkcollectives.internal.transport.ring.MemoryMesh;
import org.sparkcollectives.internal.vector.JavaCodec;
import org.sparkcollectives.internal.vector.ObjectVector;
import org.sparkcollectives.internal.vector.Vector;
import org.sparkcollectives.schedule.BlockRange;
import org.sparkcollectives.schedule.Collective;
import org.sparkcollectives.schedule.Combine;
import org.sparkcollectives.schedule.Copy;
import org.sparkcollectives.schedule.Problem;
import org.sparkcollectives.schedule.Receive;
import org.sparkcollectives.schedule.Round;
import org.sparkcollectives.schedule.Schedule;
import org.sparkcollectives.schedule.Send;
import org.sparkcollectives.transport.Cancellation;
import org.sparkcollectives.transport.Deadline;
import org.sparkcollectives.transport.Link;
import org.sparkcollectives.transport.Transport;
import org.sparkcollectives.vector.ReduceOp;

/** What the engine does with schedules written by hand, and what it says when something fails. */
class EngineTest {
  private static final BlockRange ALL = new BlockRange(0, 1);
  private static final Deadline SOON = Deadline.after(Duration.ofMinutes(1));

  /** Two ranks exchange slot 0 and combine: an allreduce in one round. */
  private static Program exchange(int rank) {
    return Program.compile(exchangeSchedule(rank));
  }

  private static Schedule exchangeSchedule(int rank) {
    return schedule(
        rank,
        new Round(
            new Send(1 - rank, 0, ALL),
            new Receive(1 - rank, 1, ALL),
            List.of(rank == 0 ? new Combine(0, 0, 1, ALL) : new Combine(0, 1, 0, ALL))));
  }

  private static Program program(int rank, Round... rounds) {
    return Program.compile(schedule(rank, rounds));
  }

  private static Schedule schedule(int rank, Round... rounds) {
    Problem problem = new Problem(Collective.ALLREDUCE, 2, 0, 1, true);
    return new Schedule(problem, "by-hand", rank, ALL, List.of(rounds));
  }

  private static Operation operation(
      Program program, Vector vector, ReduceOp<?> op, Transport transport) {
    return new Operation(program, vector, op, 1, transport, SOON, Cancellation.NONE);
  }

  /** What rank 0 or 1 threw, whichever is an instance of the type. */
  private static <E extends Throwable> E failure(Class<E> type, Ranks.Body<?> body) {
    ExecutionException e = assertThrows(ExecutionException.class, () -> Ranks.run(2, body));
    return assertInstanceOf(type, e.getCause());
  }

  @Test
  void aScratchBlockIsCombinedWhileItIsBeingSent() throws Exception {
    int elements = 200_000;
    List<double[]> results =
        Ranks.run(
            2,
            t -> {
              int r = t.rank();
              Round copy = new Round(null, null, List.of(new Copy(1, 0, ALL)));
              Round round =
                  new Round(
                      new Send(1 - r, 1, ALL),
                      new Receive(1 - r, 2, ALL),
                      List.of(new Combine(1, 1, 2, ALL)));
              Round back = new Round(null, null, List.of(new Copy(0, 1, ALL)));
              double[] vector = new double[elements];
              java.util.Arrays.fill(vector, r + 1);
              Engines.plain(4096, 4096)
                  .run(
                      operation(program(r, copy, round, back), Vector.of(vector), ReduceOp.SUM, t));
              return vector;
            });
    for (double[] result : results) {
      assertEquals(3.0, result[0]);
      assertEquals(3.0, result[elements - 1]);
    }
  }

  @Test
  void ofALongMessageInAnExchangeOnlyTheFirstBytesGoBeforeThePeerIsHeard() throws Exception {
    Program rank0 = Program.compile(exchangeSchedule(0), Pace.EXCHANGES);
    List<Integer> arrived =
        Ranks.run(
            TinyMesh.create(2, 1 << 20, 7),
            t -> {
              if (t.rank() == 1) {
                int bytes = bytesUntilNoneCome(t.link(0, SOON, Cancellation.NONE));
                t.close();
                return bytes;
              }
              double[] vector = new double[100_000];
              Operation operation = operation(rank0, Vector.of(vector), ReduceOp.SUM, t);
              assertThrows(RankFailedException.class, () -> Engines.plain().run(operation));
              return 0;
            });
    assertEquals(MessageHeader.BYTES + (1 << 14), arrived.get(1));
  }

  /** Reads what comes until there has been none for a while. */
  private static int bytesUntilNoneCome(Link link) throws Exception {
    ByteBuffer buffer = ByteBuffer.allocate(1 << 20);
    int idle = 0;
    while (idle < 20 || buffer.position() < MessageHeader.BYTES + (1 << 14)) {
      idle = link.read(buffer) > 0 ? 0 : idle + 1;
      Thread.sleep(5);
    }
    return buffer.position();
  }

  @Test
  void whatCannotBeSerializedIsNamed() {
    ReduceOp<Object> first = ReduceOp.ofObjects("first", false, (a, b) -> a);
    InvalidInputException e =
        failure(
            InvalidInputException.class,
            t -> {
              Object[] plain = {new Object()};
              Engines.plain()
                  .run(
                      operation(
                          exchange(t.rank()), new ObjectVector(plain, new JavaCodec()), first, t));
              return null;
            });
    assertTrue(e.getMessage().contains("java.lang.Object cannot be shipped"), e.getMessage());
  }

  @Test
  void differentOperatorsAreNoticed() {
    InvalidInputException e =
        failure(
            InvalidInputException.class,
            t -> {
              ReduceOp<Object> op = t.rank() == 0 ? ReduceOp.SUM : ReduceOp.MAX;
              Engines.plain().run(operation(exchange(t.rank()), Vector.of(new long[4]), op, t));
              return null;
            });
    assertTrue(e.getMessage().contains("another operator"), e.getMessage());
  }

  @Test
  void anOperatorThatReturnsNothingIsNamed() {
    ReduceOp<String> nothing = ReduceOp.ofObjects("nothing", false, (a, b) -> null);
    InvalidInputException e =
        failure(
            InvalidInputException.class,
            t -> {
              Object[] words = {"a"};
              Engines.plain()
                  .run(
                      operation(
                          exchange(t.rank()),
                          new ObjectVector(words, new JavaCodec()),
                          nothing,
                          t));
              return null;
            });
    assertTrue(e.getMessage().contains("the operator 'nothing' returned null"), e.getMessage());
  }

  @Test
  void theCancellationsOwnExceptionIsThrown() throws Exception {
    IllegalStateException reason = new IllegalStateException("stop pressed");
    Transport alone = MemoryMesh.create(2).get(0);
    IllegalStateException thrown =
        assertThrows(
            IllegalStateException.class,
            () ->
                Engines.plain()
                    .run(
                        new Operation(
                            exchange(0),
                            Vector.of(new double[2]),
                            ReduceOp.SUM,
                            1,
                            alone,
                            SOON,
                            () -> reason)));
    assertSame(reason, thrown);
    alone.close();
  }

  @Test
  void aSlowOperatorMeetsTheDeadlineBetweenPieces() {
    ReduceOp<Object> slow =
        ReduceOp.ofDoubleTuples(
            "slow",
            true,
            1_000,
            (l, i, r, j, out) -> {
              try {
                Thread.sleep(20);
              } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
              }
            });
    long start = System.nanoTime();
    ExecutionException e =
        assertThrows(
            ExecutionException.class,
            () ->
                Ranks.run(
                    2,
                    t -> {
                      Engines.plain()
                          .run(
                              new Operation(
                                  exchange(t.rank()),
                                  Vector.of(new double[2_000_000]),
                                  slow,
                                  1,
                                  t,
                                  Deadline.after(Duration.ofMillis(300)),
                                  Cancellation.NONE));
                      return null;
                    }));
    boolean named =
        e.getCause() instanceof DeadlineException || e.getCause() instanceof RankFailedException;
    assertTrue(named, String.valueOf(e.getCause()));
    long tookMillis = (System.nanoTime() - start) / 1_000_000;
    assertTrue(tookMillis >= 300, "gave up after " + tookMillis + " ms");
    assertTrue(tookMillis < 30_000, "took " + tookMillis + " ms, all tuples take 40 s");
  }

  /** A sum that takes longer than {@link #shortly} on a rank, as if its thread had stood still. */
  private static ReduceOp<Object> standingStill(Transport on) {
    return ReduceOp.ofDouble(
        "standing still",
        true,
        (a, b) -> {
          if (on.rank() == 0) {
            try {
              Thread.sleep(1_200);
            } catch (InterruptedException e) {
              Thread.currentThread().interrupt();
            }
          }
          return a + b;
        });
  }

  /** A deadline that rank 0 alone will have passed, once both ranks have come here. */
  private static Deadline shortly(Transport on, CyclicBarrier both) throws Exception {
    both.await(60, TimeUnit.SECONDS);
    return Deadline.after(Duration.ofSeconds(on.rank() == 0 ? 1 : 60));
  }

  @Test
  void whatHasComeToItsEndHasEndedWellHoweverLate() throws Exception {
    CyclicBarrier both = new CyclicBarrier(2);
    List<double[]> sums =
        Ranks.run(
            2,
            t -> {
              double[] vector = {t.rank() + 1};
              Program program = exchange(t.rank());
              ReduceOp<Object> op = standingStill(t);
              Engines.plain()
                  .run(
                      new Operation(
                          program,
                          Vector.of(vector),
                          op,
                          1,
                          t,
                          shortly(t, both),
                          Cancellation.NONE));
              return vector;
            });
    assertArrayEquals(new double[] {3}, sums.get(0));
    assertArrayEquals(new double[] {3}, sums.get(1));
  }

  @Test
  void whatHasComeIsTakenBeforeTheDeadlineIsLookedAt() throws Exception {
    CyclicBarrier both = new CyclicBarrier(2);
    List<double[]> sums =
        Ranks.run(
            2,
            t -> {
              int r = t.rank();
              Round exchange =
                  new Round(
                      new Send(1 - r, 0, ALL),
                      new Receive(1 - r, 1, ALL),
                      List.of(new Combine(0, 0, 1, ALL)));
              Round again =
                  r == 0
                      ? new Round(null, new Receive(1, 1, ALL), List.of(new Copy(0, 1, ALL)))
                      : new Round(new Send(0, 0, ALL), null, List.of());
              double[] vector = {r + 1};
              ReduceOp<Object> op = standingStill(t);
              Engines.plain()
                  .run(
                      new Operation(
                          program(r, exchange, again),
                          Vector.of(vector),
                          op,
                          1,
                          t,
                          shortly(t, both),
                          Cancellation.NONE));
              return vector;
            });
    assertArrayEquals(new double[] {3}, sums.get(0));
  }

  @Test
  void blocksOfTheLongestVectorsHaveTheRightSize() {
    Problem problem = new Problem(Collective.BROADCAST, 2, 0, 1000, false);
    Schedule schedule =
        new Schedule(problem, "by-hand", 0, new BlockRange(0, 1000), List.of(Round.IDLE));
    int length = Integer.MAX_VALUE - 8;
    Layout layout = Layout.even(length, 1, 1000);
    assertEquals(2_147_484, layout.cellElements(999));
    assertEquals(length, layout.end(999));
    assertEquals(0, Program.compile(schedule).cells());
  }

  @Test
  void aMessageMayBeLargerThanTwoGibibytes() throws Exception {
    Operation operation =
        operation(exchange(0), Vector.of(new double[3]), ReduceOp.SUM, MemoryMesh.create(2).get(0));
    ByteBuffer header = ByteBuffer.allocate(MessageHeader.BYTES).order(ByteOrder.LITTLE_ENDIAN);
    MessageHeader.write(header, operation, 7, 17_179_869_176L);
    assertEquals(0, header.remaining());
    assertEquals(17_179_869_176L, MessageHeader.read(header.flip(), operation, 7));
    assertArrayEquals(
        new double[3],
        (double[]) ((org.sparkcollectives.internal.vector.FixedVector) operation.vector()).array());
  }
}
