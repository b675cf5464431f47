package org.sparkcollectives.verify;

import java.util.List;
import org.sparkcollectives.schedule.BlockRange;
import org.sparkcollectives.schedule.Collective;
import org.sparkcollectives.schedule.Problem;
import org.sparkcollectives.schedule.Schedule;

/** What each rank has at the beginning of a collective and what it is to have at the end. */
final class Specification {
  private final Problem problem;
  private final SymbolicValues values;
  private final List<Schedule> schedules;
  private final int[] owners;

  /** Takes schedules of good form. */
  Specification(List<Schedule> schedules, SymbolicValues values) {
    this.problem = schedules.get(0).problem();
    this.schedules = schedules;
    this.values = values;
    this.owners = new int[problem.blocks()];
    for (Schedule schedule : schedules) {
      for (int block = schedule.owned().from(); block < schedule.owned().to(); block++) {
        owners[block] = schedule.rank();
      }
    }
  }

  /** The value of a block of a rank's vector at the beginning. */
  int initial(int rank, int block) {
    boolean has =
        switch (problem.collective()) {
          case BROADCAST, SCATTER -> rank == problem.root();
          case REDUCE, ALLREDUCE, SCAN, EXSCAN, REDUCE_SCATTER, BARRIER -> true;
          case ALLGATHER, GATHER -> owners[block] == rank;
          case ALLTOALL -> block / problem.size() == rank;
        };
    return has ? values.of(rank) : SymbolicValues.NOTHING;
  }

  /** Checks the blocks of all ranks' vectors at the end. */
  void checkResults(int[][] vectors, Findings findings) {
    for (int rank = 0; rank < problem.size(); rank++) {
      for (int block = 0; block < problem.blocks(); block++) {
        int value = vectors[rank][block];
        if (isPromised(rank, block) && !isRight(rank, block, value)) {
          findings.add(
              Check.RESULT,
              rank,
              -1,
              "block "
                  + block
                  + " ends as "
                  + values.describe(value)
                  + ", not as "
                  + wanted(rank, block));
        }
        if (problem.collective() == Collective.ALLREDUCE && value != vectors[0][block]) {
          findings.add(
              Check.AGREEMENT,
              rank,
              -1,
              "block " + block + " comes from another expression than on rank 0");
        }
      }
    }
  }

  /** Whether the collective says anything about a block of a rank at the end. */
  private boolean isPromised(int rank, int block) {
    BlockRange owned = schedules.get(rank).owned();
    return switch (problem.collective()) {
      case BROADCAST, ALLREDUCE, SCAN, EXSCAN, ALLGATHER -> true;
      case REDUCE, GATHER -> rank == problem.root();
      case REDUCE_SCATTER, SCATTER -> block >= owned.from() && block < owned.to();
      case ALLTOALL -> block % problem.size() == rank;
      case BARRIER -> block == 0;
    };
  }

  private boolean isRight(int rank, int block, int value) {
    return switch (problem.collective()) {
      case BROADCAST, SCATTER -> value == values.of(problem.root());
      case ALLGATHER, GATHER -> value == values.of(owners[block]);
      case ALLTOALL -> value == values.of(block / problem.size());
      case REDUCE, ALLREDUCE, REDUCE_SCATTER -> isPrefix(value, problem.size());
      case BARRIER -> values.isPrefix(value, problem.size(), false);
      case SCAN -> isPrefix(value, rank + 1);
      case EXSCAN -> rank == 0 ? value == values.of(0) : isPrefix(value, rank);
    };
  }

  private boolean isPrefix(int value, int bound) {
    return values.isPrefix(value, bound, problem.ordered());
  }

  private String wanted(int rank, int block) {
    String order = problem.ordered() ? " in order" : " in any order";
    return switch (problem.collective()) {
      case BROADCAST, SCATTER -> "rank " + problem.root() + "'s";
      case ALLGATHER, GATHER -> "rank " + owners[block] + "'s";
      case ALLTOALL -> "rank " + block / problem.size() + "'s";
      case REDUCE, ALLREDUCE, REDUCE_SCATTER, BARRIER -> "0.." + (problem.size() - 1) + order;
      case SCAN -> "0.." + rank + order;
      case EXSCAN -> rank == 0 ? "its own" : "0.." + (rank - 1) + order;
    };
  }
}
