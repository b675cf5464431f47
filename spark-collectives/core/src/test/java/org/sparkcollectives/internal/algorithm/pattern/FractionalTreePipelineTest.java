package org.sparkcollectives.internal.algorithm.pattern;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.sparkcollectives.internal.algorithm.ScheduleBuilder;
import org.sparkcollectives.schedule.Collective;
import org.sparkcollectives.schedule.Problem;
import org.sparkcollectives.schedule.Schedule;
import org.sparkcollectives.verify.Claims;
import org.sparkcollectives.verify.Verification;
import org.sparkcollectives.verify.Verifier;

/** Pipelines of every group size, whether or not an algorithm would choose it. */
@Timeout(600)
final class FractionalTreePipelineTest {
  private static final int LARGEST = 26;

  @ParameterizedTest
  @ValueSource(ints = {1, 2, 3, 4, 5, 7, 11})
  void broadcastIsCorrect(int group) {
    for (int size = 2; size <= LARGEST; size++) {
      for (int blocks : new int[] {1, 2, group, group + 1, 3 * group + 1}) {
        Problem problem = new Problem(Collective.BROADCAST, size, size / 3, blocks, true);
        FractionalTreePipeline pipeline = FractionalTreePipeline.anyOrder(problem, group);
        List<Schedule> schedules = new ArrayList<>();
        for (int rank = 0; rank < size; rank++) {
          ScheduleBuilder builder = new ScheduleBuilder(problem, "group-" + group, rank);
          pipeline.broadcast(builder, rank);
          schedules.add(builder.build());
        }
        Claims claims = new Claims(pipeline.broadcastPhases(), pipeline.blocksSent(), false);
        Verification report = Verifier.verify(schedules, claims);
        assertTrue(report.isCorrect(), () -> problem + ", group " + group + "\n" + report);
      }
    }
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 2, 3, 4, 5, 7, 11})
  void reductionIsCorrectForEveryRootAndOrder(int group) {
    for (int size = 2; size <= LARGEST; size++) {
      for (int root = 0; root < size; root++) {
        for (int blocks : new int[] {1, group + 1, 3 * group}) {
          checkReduction(new Problem(Collective.REDUCE, size, root, blocks, true), group);
          checkReduction(new Problem(Collective.REDUCE, size, root, blocks, false), group);
        }
      }
    }
  }

  private static void checkReduction(Problem problem, int group) {
    FractionalTreePipeline pipeline = FractionalTreePipeline.reduction(problem, group);
    List<Schedule> schedules = new ArrayList<>();
    for (int rank = 0; rank < problem.size(); rank++) {
      ScheduleBuilder builder = new ScheduleBuilder(problem, "group-" + group, rank);
      pipeline.reduce(builder, rank, problem.ordered());
      schedules.add(builder.build());
    }
    Claims claims = new Claims(pipeline.reducePhases(problem.ordered()), problem.blocks(), false);
    Verification report = Verifier.verify(schedules, claims);
    assertTrue(report.isCorrect(), () -> problem + ", group " + group + "\n" + report);
  }

  @Test
  void theGroupSizeChosenIsAtMostAHundredthFromTheBest() {
    for (int size : new int[] {2, 3, 5, 8, 13, 40, 64, 200, 1000}) {
      for (int blocks : new int[] {1, 4, 30, 100, 456, 3000, 20_000}) {
        Problem problem = new Problem(Collective.BROADCAST, size, 0, blocks, true);
        int chosen =
            FractionalTreePipeline.fastest(
                    problem, group -> FractionalTreePipeline.anyOrder(problem, group))
                .rounds();
        int best =
            IntStream.concat(IntStream.range(1, size), IntStream.of(size + blocks))
                .map(group -> FractionalTreePipeline.anyOrder(problem, group).rounds())
                .min()
                .orElseThrow();
        assertTrue(chosen >= best && chosen <= best + best / 100, problem + ": " + chosen);
        if (blocks <= 100) {
          assertEquals(best, chosen, () -> problem.toString());
        }
      }
    }
  }
}
