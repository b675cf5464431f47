package org.sparkcollectives.internal.calibrate;

import java.util.ArrayList;
import java.util.List;
import java.util.function.IntFunction;
import org.jspecify.annotations.Nullable;
import org.sparkcollectives.internal.algorithm.Algorithms;
import org.sparkcollectives.schedule.BlockRange;
import org.sparkcollectives.schedule.Collective;
import org.sparkcollectives.schedule.Problem;
import org.sparkcollectives.schedule.Receive;
import org.sparkcollectives.schedule.Round;
import org.sparkcollectives.schedule.Schedule;
import org.sparkcollectives.schedule.Send;
import org.sparkcollectives.vector.ReduceOp;

/**
 * An operation that is timed: every group of a level does it among its own ranks at the same time,
 * and ranks in no group rest. On each rank it ends only after it has begun on those that its time
 * depends on, so that its length shows on a rank's own clock.
 *
 * @param operation what the groups do, for people
 * @param groups who does it
 * @param bytes the size of a block
 * @param problem what a group's schedules solve, among n ranks
 * @param inGroup the schedule of a rank of a group, by its place there
 */
record Trial(
    String operation,
    LevelGroups groups,
    long bytes,
    Problem problem,
    IntFunction<Schedule> inGroup) {

  /** The bytes of the shortest message. */
  static final int SHORT = Double.BYTES;

  /** Groups of an all-to-all are no larger: its vectors grow with the square. */
  private static final int MOST_PEERS = 64;

  /** How many times as long as the other a long message beside a short one is. */
  private static final int PIECES = 1024;

  private static final String SUM_AND_SPREAD = "reduce-broadcast";
  private static final String LINEAR = "linear";

  /**
   * The shortest vector up a binomial tree and down again, among a power of two of ranks: the last
   * one is 2 log2 n messages away, each of which waits for the one before.
   */
  static Trial allReduce(LevelGroups groups) {
    LevelGroups some = groups.first(Integer.highestOneBit(groups.members()));
    Problem problem = new Problem(Collective.ALLREDUCE, some.members(), 0, 1, false);
    return byAlgorithm("allreduce", SUM_AND_SPREAD, some, problem);
  }

  /** One of the shortest messages from each rank to each other one, independent of one another. */
  static Trial allToAll(LevelGroups groups) {
    LevelGroups some = groups.first(MOST_PEERS);
    int blocks = some.members() * some.members();
    Problem problem = new Problem(Collective.ALLTOALL, some.members(), 0, blocks, false);
    return byAlgorithm("alltoall", LINEAR, some, problem);
  }

  /** A message to the neighbour and back, by all pairs of neighbours at once. */
  static Trial pingPong(LevelGroups groups, long bytes) {
    Problem problem = new Problem(Collective.BROADCAST, groups.members(), 0, 1, false);
    return new Trial("ping-pong", groups, bytes, problem, place -> pingPong(problem, place, 1));
  }

  /** A long message to the neighbour and a short one back, by all pairs of neighbours at once. */
  static Trial oneWay(LevelGroups groups, long bytes) {
    Problem problem = new Problem(Collective.BROADCAST, groups.members(), 0, PIECES, false);
    return new Trial(
        "one way", groups, bytes / PIECES, problem, place -> pingPong(problem, place, PIECES));
  }

  private static Trial byAlgorithm(String name, String slug, LevelGroups groups, Problem problem) {
    IntFunction<Schedule> schedules =
        place -> Algorithms.find(problem.collective(), slug).schedule(problem, place);
    return new Trial(name + " " + slug, groups, SHORT, problem, schedules);
  }

  /** Some blocks there, and one back. */
  private static Schedule pingPong(Problem problem, int place, int blocks) {
    BlockRange block = BlockRange.of(0);
    BlockRange there = new BlockRange(0, blocks);
    int neighbour = place ^ 1;
    List<Round> rounds = new ArrayList<>();
    if (neighbour < problem.size()) {
      boolean first = place < neighbour;
      BlockRange sent = first ? there : block;
      BlockRange received = first ? block : there;
      Round sends = new Round(new Send(neighbour, 0, sent), null, List.of());
      Round receives = new Round(null, new Receive(neighbour, 0, received), List.of());
      rounds.add(first ? sends : receives);
      rounds.add(first ? receives : sends);
    }
    return new Schedule(problem, "ping-pong", place, block, rounds);
  }

  /** The problem among all ranks, p in number. */
  Problem whole() {
    return new Problem(problem.collective(), groups.size(), 0, problem.blocks(), false)
        .on(groups.topology());
  }

  /** The schedule of one of all ranks, without rounds where it rests. */
  Schedule schedule(int rank) {
    List<Integer> group = groups.groupOf(rank);
    List<Round> rounds = new ArrayList<>();
    if (!group.isEmpty()) {
      for (Round round : inGroup.apply(group.indexOf(rank)).rounds()) {
        Send send = round.send();
        Receive receive = round.receive();
        rounds.add(
            new Round(
                send == null ? null : new Send(group.get(send.peer()), send.pieces()),
                receive == null ? null : new Receive(group.get(receive.peer()), receive.pieces()),
                round.local()));
      }
    }
    BlockRange all = new BlockRange(0, problem.blocks());
    return new Schedule(whole(), operation, rank, all, rounds);
  }

  /** A vector of the right length for a rank. */
  double[] vector() {
    return new double[Math.toIntExact(bytes / Double.BYTES * problem.blocks())];
  }

  /** The operator, where something is combined. */
  @Nullable ReduceOp<Object> op() {
    return problem.collective() == Collective.ALLREDUCE ? ReduceOp.SUM : null;
  }
}
