package org.sparkcollectives;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.sparkcollectives.error.InvalidInputException;
import org.sparkcollectives.schedule.BlockRange;
import org.sparkcollectives.schedule.Collective;
import org.sparkcollectives.schedule.Problem;
import org.sparkcollectives.schedule.Receive;
import org.sparkcollectives.schedule.Round;
import org.sparkcollectives.schedule.Schedule;
import org.sparkcollectives.schedule.Send;
import org.sparkcollectives.vector.ReduceOp;

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
              communicator.run(there, vector, null);
              return vector;
            });
    assertArrayEquals(new double[] {1, 0, 0}, results.get(1));
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
