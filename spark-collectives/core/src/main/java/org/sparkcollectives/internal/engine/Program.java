package org.sparkcollectives.internal.engine;

import java.util.List;
import org.jspecify.annotations.Nullable;
import org.sparkcollectives.schedule.BlockRange;
import org.sparkcollectives.schedule.Problem;
import org.sparkcollectives.schedule.Schedule;

/**
 * A rank's schedule, ready to run: a stream of sends and a stream of stages (a receive and its
 * local steps), each with what it must wait for in the other stream. Apart from these waits the two
 * streams run independently, so that a rank looks ahead over rounds. Immutable; one program serves
 * any number of runs and vector lengths.
 *
 * @param problem what the schedule solves
 * @param algorithm the slug of the algorithm that made it
 * @param rank this rank
 * @param sends the sends, in order
 * @param stages the stages, in order
 * @param cells how many scratch cells of block size a run needs
 */
public record Program(
    Problem problem, String algorithm, int rank, List<Out> sends, List<Stage> stages, int cells) {

  /**
   * Copies the lists.
   *
   * @param problem what the schedule solves
   * @param algorithm the slug of the algorithm that made it
   * @param rank this rank
   * @param sends the sends, in order
   * @param stages the stages, in order
   * @param cells how many scratch cells of block size a run needs
   */
  public Program {
    sends = List.copyOf(sends);
    stages = List.copyOf(stages);
  }

  /**
   * Compiles a schedule in time and memory of the order of its steps.
   *
   * @param schedule a rank's schedule
   * @return the program
   * @throws IllegalArgumentException if the schedule reads a scratch block that it never wrote
   */
  public static Program compile(Schedule schedule) {
    return compile(schedule, Pace.FREE);
  }

  /**
   * Compiles a schedule in time and memory of the order of its steps.
   *
   * @param schedule a rank's schedule
   * @param pace how far long messages may run ahead
   * @return the program
   * @throws IllegalArgumentException if the schedule reads a scratch block that it never wrote
   */
  public static Program compile(Schedule schedule, Pace pace) {
    return new Compiler(schedule, pace).compile();
  }

  /**
   * The blocks of the user's vector that a run reads or writes.
   *
   * @param owned blocks that are needed in any case
   * @return the shortest range that holds these and {@code owned}
   */
  public BlockRange touched(BlockRange owned) {
    BlockRange range = owned;
    for (Out send : sends) {
      range = joined(range, send.source(), send.from(), send.to());
    }
    for (Stage stage : stages) {
      range = joined(range, stage.store(), stage.from(), stage.to());
      for (Step step : stage.fused()) {
        range = joined(range, step);
      }
      for (Step step : stage.rest()) {
        range = joined(range, step);
      }
    }
    return range;
  }

  private static BlockRange joined(BlockRange range, Step step) {
    BlockRange read = joined(range, step.left(), step.from(), step.to());
    BlockRange both = joined(read, step.right(), step.from(), step.to());
    return joined(both, step.dst(), step.from(), step.to());
  }

  private static BlockRange joined(BlockRange range, @Nullable Storage place, int from, int to) {
    return place != null && place.kind() == Storage.Kind.USER
        ? new BlockRange(Math.min(range.from(), from), Math.max(range.to(), to))
        : range;
  }

  /**
   * A send.
   *
   * @param round its round, for the message header and for messages to people
   * @param peer the receiver
   * @param from first block
   * @param to block after the last
   * @param source where the blocks lie
   * @param afterStages how many stages must be complete before it starts
   * @param inStep the same for a long message
   * @param exchange the number of the stage (from 1, 0 for none) whose message the receiver sends
   *     in the same round: the two exchange messages
   */
  record Out(
      int round,
      int peer,
      int from,
      int to,
      Storage source,
      int afterStages,
      int inStep,
      int exchange) {

    Out after(int stages) {
      int step = Math.max(stages, inStep);
      return new Out(round, peer, from, to, source, stages, step, exchange);
    }
  }

  /**
   * A receive with the steps that are applied to it as it arrives, then further steps.
   *
   * @param round its round
   * @param peer the sender, or -1 when there are only local steps
   * @param from first block received
   * @param to block after the last
   * @param store where the blocks received are kept, or null when the steps consume them
   * @param fused the steps that are applied piece by piece while the message arrives
   * @param rest the steps after that
   * @param followedSend the number of a send (from 1, 0 for none) that still reads what arrives
   *     here: those before it must be complete, and of what it reads only the part that it has
   *     passed may be written
   * @param afterSends how many sends must be complete before anything that arrives is written
   * @param restAfterSends how many sends must be complete before {@code rest} is run
   * @param inCells whether a cell is touched while the message arrives, so that pieces must not
   *     cross block boundaries
   */
  record Stage(
      int round,
      int peer,
      int from,
      int to,
      @Nullable Storage store,
      List<Step> fused,
      List<Step> rest,
      int followedSend,
      int afterSends,
      int restAfterSends,
      boolean inCells) {}

  /**
   * A local step: {@code dst = left ⊕ right}, or {@code dst = left} when there is no right.
   *
   * @param dst the place written
   * @param left the left operand, or what is copied
   * @param right the right operand, or null for a copy
   * @param from first block
   * @param to block after the last
   */
  record Step(Storage dst, Storage left, @Nullable Storage right, int from, int to) {}
}
