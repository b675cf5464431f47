package org.sparkcollectives.verify;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.EnumSource.Mode;
import org.sparkcollectives.schedule.BlockRange;
import org.sparkcollectives.schedule.Collective;
import org.sparkcollectives.schedule.Combine;
import org.sparkcollectives.schedule.LocalStep;
import org.sparkcollectives.schedule.Problem;
import org.sparkcollectives.schedule.Receive;
import org.sparkcollectives.schedule.Round;
import org.sparkcollectives.schedule.Schedule;
import org.sparkcollectives.schedule.Send;

/**
 * The specifications of the collectives that divide a vector among the ranks, on schedules made by
 * hand: one message per round, straight from its source to its destination.
 */
final class DividedCollectivesTest {
  private static final int SIZE = 3;
  private static final int BLOCKS = 9;

  /** A message, combined into the receiver's vector or put there. */
  private record Message(int from, int to, BlockRange blocks, boolean combined) {}

  private static BlockRange part(int rank) {
    return rank == 0
        ? new BlockRange(0, 2)
        : rank == 1 ? new BlockRange(2, 2) : new BlockRange(2, 9);
  }

  private static List<Message> messages(Problem problem) {
    List<Message> messages = new ArrayList<>();
    for (int from = 0; from < SIZE; from++) {
      for (int to = 0; to < SIZE; to++) {
        BlockRange blocks =
            switch (problem.collective()) {
              case REDUCE_SCATTER -> part(to);
              case ALLGATHER -> part(from);
              case SCATTER -> from == problem.root() ? part(to) : new BlockRange(0, 0);
              case GATHER -> to == problem.root() ? part(from) : new BlockRange(0, 0);
              case ALLTOALL -> BlockRange.of(from * SIZE + to);
              default -> throw new IllegalArgumentException(problem.toString());
            };
        if (from != to && !blocks.isEmpty()) {
          boolean combined = problem.collective() == Collective.REDUCE_SCATTER;
          messages.add(new Message(from, to, blocks, combined));
        }
      }
    }
    return messages;
  }

  private static List<Schedule> schedules(Problem problem, List<Message> messages) {
    List<Schedule> schedules = new ArrayList<>();
    for (int rank = 0; rank < SIZE; rank++) {
      List<Round> rounds = new ArrayList<>();
      for (Message message : messages) {
        rounds.add(round(rank, message));
      }
      BlockRange owned =
          problem.collective() == Collective.ALLTOALL ? new BlockRange(0, BLOCKS) : part(rank);
      schedules.add(new Schedule(problem, "direct", rank, owned, rounds));
    }
    return schedules;
  }

  private static Round round(int rank, Message message) {
    Send send = rank == message.from() ? new Send(message.to(), 0, message.blocks()) : null;
    if (rank != message.to()) {
      return new Round(send, null, List.of());
    }
    Receive receive = new Receive(message.from(), message.combined() ? 1 : 0, message.blocks());
    List<LocalStep> local =
        message.combined()
            ? List.of(
                message.from() < rank
                    ? new Combine(0, 1, 0, message.blocks())
                    : new Combine(0, 0, 1, message.blocks()))
            : List.of();
    return new Round(send, receive, local);
  }

  private static Problem problem(Collective collective) {
    int root = collective.rooted() ? 2 : 0;
    Problem problem = new Problem(collective, SIZE, root, BLOCKS, false);
    return collective == Collective.ALLTOALL ? problem : problem.withParts(List.of(2, 0, 7));
  }

  @ParameterizedTest
  @EnumSource(names = {"REDUCE_SCATTER", "ALLGATHER", "SCATTER", "GATHER", "ALLTOALL"})
  void directMessagesAreRight(Collective collective) {
    Problem problem = problem(collective);
    Verification report = Verifier.verify(schedules(problem, messages(problem)), null);
    assertTrue(report.isCorrect(), report::toString);
  }

  @ParameterizedTest
  @EnumSource(names = {"REDUCE_SCATTER", "ALLGATHER", "SCATTER", "GATHER", "ALLTOALL"})
  void noMessageCanBeMissing(Collective collective) {
    Problem problem = problem(collective);
    List<Message> messages = messages(problem);
    assertFalse(messages.isEmpty());
    for (Message message : messages) {
      List<Message> fewer = new ArrayList<>(messages);
      fewer.remove(message);
      Verification report = Verifier.verify(schedules(problem, fewer), null);
      assertEquals(Check.RESULT, report.violations().get(0).check(), message.toString());
    }
  }

  @ParameterizedTest
  @EnumSource(names = {"REDUCE_SCATTER", "ALLGATHER", "SCATTER", "GATHER"})
  void partsMustCoverTheVectorInRankOrder(Collective collective) {
    Problem problem = problem(collective);
    List<Schedule> schedules = schedules(problem, messages(problem));
    Schedule last = schedules.get(2);
    for (BlockRange wrong :
        List.of(new BlockRange(3, 9), new BlockRange(2, 8), new BlockRange(2, 10))) {
      schedules.set(2, new Schedule(problem, "direct", 2, wrong, last.rounds()));
      Verification report = Verifier.verify(schedules, null);
      assertEquals(Check.FORM, report.violations().get(0).check(), wrong.toString());
    }
  }

  @ParameterizedTest
  @EnumSource(names = {"REDUCE_SCATTER", "ALLGATHER", "SCATTER", "GATHER"})
  void partsAreThoseOfTheProblem(Collective collective) {
    Problem even = new Problem(collective, SIZE, problem(collective).root(), BLOCKS, false);
    for (Problem otherwise : List.of(even, even.withParts(List.of(3, 0, 6)))) {
      Verification report = Verifier.verify(schedules(otherwise, messages(otherwise)), null);
      assertEquals(Check.FORM, report.violations().get(0).check(), otherwise.toString());
    }
  }

  @ParameterizedTest
  @EnumSource(
      names = {"REDUCE_SCATTER", "ALLGATHER", "SCATTER", "GATHER"},
      mode = Mode.EXCLUDE)
  void otherCollectivesDivideNothing(Collective collective) {
    Problem problem = new Problem(collective, 1, 0, 2, false);
    Schedule part = new Schedule(problem, "direct", 0, new BlockRange(0, 1), List.of());
    assertEquals(Check.FORM, Verifier.verify(List.of(part), null).violations().get(0).check());
  }
}
