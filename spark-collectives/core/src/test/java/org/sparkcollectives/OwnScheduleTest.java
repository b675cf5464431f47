package org.sparkcollectives;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.sparkcollectives.error.InvalidInputException;
import org.sparkcollectives.schedule.BlockRange;
import org.sparkcollectives.schedule.Collective;
import org.sparkcollectives.schedule.Combine;
import org.sparkcollectives.schedule.LocalStep;
import org.sparkcollectives.schedule.Piece;
import org.sparkcollectives.schedule.Problem;
import org.sparkcollectives.schedule.Receive;
import org.sparkcollectives.schedule.Round;
import org.sparkcollectives.schedule.Schedule;
import org.sparkcollectives.schedule.Send;
import org.sparkcollectives.vector.ReduceOp;
import org.sparkcollectives.verify.Verifier;

/** Schedules of the caller's own, again and in turns. */
@Timeout(60)
class OwnScheduleTest {

  @Test
  void schedulesInTurnsDoWhatEachOfThemSays() {
    List<double[]> results =
        Group.threads(
            2,
            CommunicatorOptions.DEFAULT,
            communicator -> {
              int rank = communicator.rank();
              Schedule there = message(rank, 0, 1);
              Schedule back = message(rank, 1, 0);
              double[] vector = {0};
              for (int i = 0; i < 3; i++) {
                vector[0] += rank == 0 ? 1 : 0;
                communicator.run(there, vector, null);
                communicator.run(there, vector, null);
                vector[0] += rank == 1 ? 10 : 0;
                communicator.run(back, vector, null);
              }
              return vector;
            });
    assertArrayEquals(new double[] {33}, results.get(0));
    assertArrayEquals(new double[] {33}, results.get(1));
  }

  @Test
  void operandsThatDoNotSuitTheOperatorAreRefusedBeforeAnythingIsSent() {
    ReduceOp<Object> pairs =
        ReduceOp.ofDoubleTuples("pairs", true, 2, (left, leftAt, right, rightAt, result) -> {});
    ReduceOp<Object> longs = ReduceOp.ofLong("longs", true, Long::sum);
    ReduceOp<Object> objects = ReduceOp.ofObjects("objects", true, (a, b) -> a);
    List<double[]> results =
        Group.threads(
            2,
            CommunicatorOptions.DEFAULT,
            communicator -> {
              Schedule there = message(communicator.rank(), 0, 1);
              double[] vector = {communicator.rank() + 1, 0, 0};
              for (ReduceOp<?> op : List.of(pairs, longs, objects)) {
                assertThrows(
                    InvalidInputException.class, () -> communicator.run(there, vector, op));
              }
              refuse(communicator, there, objects, "no schedule can be run with 'objects'");
              communicator.run(there, vector, null);
              return vector;
            });
    assertArrayEquals(new double[] {1, 0, 0}, results.get(1));
  }

  @Test
  void schedulesThatCannotRunHereAreRefusedBeforeAnythingIsSent() {
    List<double[]> results =
        Group.threads(
            2,
            CommunicatorOptions.DEFAULT,
            communicator -> {
              int rank = communicator.rank();
              double[] vector = {rank + 1};
              Schedule swap = swap(rank, false);
              refuse(communicator, message(1 - rank, 0, 1), null, "rank " + (1 - rank) + " of 2");
              refuse(communicator, lonely(), null, "rank 0 of 1");
              refuse(communicator, swap, null, "without an operator");
              refuse(
                  communicator,
                  swap,
                  ReduceOp.ofDouble("last", false, (left, right) -> right),
                  "any order");
              refuse(communicator, sending(rank, 5, 0, 1), null, "a message with rank 5");
              refuse(communicator, sending(rank, rank, 0, 1), null, "a message with rank " + rank);
              refuse(communicator, sending(rank, 1 - rank, 0, 3), null, "of 1");
              refuse(communicator, sending(rank, 1 - rank, -1, 1), null, "slot -1");
              communicator.run(message(rank, 0, 1), vector, null);
              return vector;
            });
    assertArrayEquals(new double[] {1}, results.get(1));
  }

  /** A message of a slot's first blocks, of which the vector has one. */
  private static Schedule sending(int rank, int peer, int slot, int blocks) {
    Schedule like = message(rank, rank, 1 - rank);
    Send send = new Send(peer, slot, new BlockRange(0, blocks));
    return new Schedule(
        like.problem(),
        like.algorithm(),
        rank,
        like.owned(),
        List.of(new Round(send, null, List.of())));
  }

  private static void refuse(
      Communicator communicator, Schedule schedule, @Nullable ReduceOp<?> op, String cause) {
    InvalidInputException e =
        assertThrows(
            InvalidInputException.class, () -> communicator.run(schedule, new double[2], op));
    assertTrue(String.valueOf(e.getMessage()).contains(cause), e.getMessage());
  }

  /**
   * A binomial reduction that keeps what comes from a rank in a slot of the rank's number, or more.
   */
  @ParameterizedTest
  @ValueSource(ints = {0, 1 << 30})
  void slotsMayHaveAnyNumbers(int more) {
    List<double[]> results =
        Group.threads(
            16,
            CommunicatorOptions.DEFAULT,
            communicator -> {
              int rank = communicator.rank();
              List<Round> rounds = new ArrayList<>();
              BlockRange block = BlockRange.of(0);
              for (int d = 1; d < 16; d *= 2) {
                int slot = more + rank + d;
                rounds.add(
                    rank % (2 * d) == 0
                        ? new Round(
                            null,
                            new Receive(rank + d, slot, block),
                            List.of(new Combine(0, 0, slot, block)))
                        : rank % d == 0
                            ? new Round(new Send(rank - d, 0, block), null, List.of())
                            : Round.IDLE);
              }
              Problem problem = new Problem(Collective.REDUCE, 16, 0, 1, false);
              double[] vector = {rank};
              communicator.run(
                  new Schedule(problem, "binomial", rank, block, rounds), vector, ReduceOp.SUM);
              return vector;
            });
    assertEquals(120, results.get(0)[0]);
  }

  /** Each rank sends first what is its own, and so in another order than what comes. */
  @ParameterizedTest
  @ValueSource(ints = {1000, 1 << 18})
  void piecesMayCrossEachOther(int elements) {
    List<double[]> results =
        Group.threads(
            2,
            CommunicatorOptions.DEFAULT.withTimeout(Duration.ofSeconds(20)),
            communicator -> {
              double[] vector = new double[elements];
              Arrays.fill(vector, communicator.rank() + 1);
              communicator.run(swap(communicator.rank(), true), vector, ReduceOp.SUM);
              communicator.run(exchange(communicator.rank()), vector, null);
              return vector;
            });
    double[] threes = new double[elements];
    Arrays.fill(threes, 3);
    assertArrayEquals(threes, results.get(0));
    assertArrayEquals(threes, results.get(1));
  }

  @Test
  void schedulesWhosePiecesCrossAreRight() {
    List<Schedule> swaps = List.of(swap(0, true), swap(1, true));
    assertEquals(List.of(), Verifier.verify(swaps, null).violations());
  }

  /** An allreduce of two ranks and two blocks, in one round. */
  private static Schedule swap(int rank, boolean ordered) {
    BlockRange first = BlockRange.of(rank);
    BlockRange second = BlockRange.of(1 - rank);
    Send send = new Send(1 - rank, List.of(new Piece(0, first), new Piece(0, second)));
    Receive receive = new Receive(1 - rank, List.of(new Piece(1, second), new Piece(1, first)));
    int left = rank == 0 ? 0 : 1;
    List<LocalStep> local =
        List.of(
            new Combine(0, left, 1 - left, BlockRange.of(0)),
            new Combine(0, left, 1 - left, BlockRange.of(1)));
    Problem problem = new Problem(Collective.ALLREDUCE, 2, 0, 2, ordered);
    return new Schedule(
        problem, "swap", rank, new BlockRange(0, 2), List.of(new Round(send, receive, local)));
  }

  /** The ranks change vectors, without scratch, each beginning with another half. */
  private static Schedule exchange(int rank) {
    Piece first = new Piece(0, BlockRange.of(rank));
    Piece second = new Piece(0, BlockRange.of(1 - rank));
    Round round =
        new Round(
            new Send(1 - rank, List.of(first, second)),
            new Receive(1 - rank, List.of(second, first)),
            List.of());
    Problem problem = new Problem(Collective.ALLREDUCE, 2, 0, 2, true);
    return new Schedule(problem, "exchange", rank, new BlockRange(0, 2), List.of(round));
  }

  private static Schedule lonely() {
    Problem problem = new Problem(Collective.BROADCAST, 1, 0, 1, false);
    return new Schedule(problem, "lonely", 0, BlockRange.of(0), List.of());
  }

  private static Schedule message(int rank, int from, int to) {
    BlockRange block = BlockRange.of(0);
    Round round =
        rank == from
            ? new Round(new Send(to, 0, block), null, List.of())
            : new Round(null, new Receive(from, 0, block), List.of());
    Problem problem = new Problem(Collective.BROADCAST, 2, from, 1, false);
    return new Schedule(problem, "message", rank, block, List.of(round));
  }
}
