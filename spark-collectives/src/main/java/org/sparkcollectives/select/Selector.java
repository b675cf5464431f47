package org.sparkcollectives.select;

import java.util.List;
import org.jspecify.annotations.Nullable;
import org.sparkcollectives.algorithm.Algorithm;
import org.sparkcollectives.algorithm.Algorithms;
import org.sparkcollectives.cost.CostModel;
import org.sparkcollectives.error.Errors;
import org.sparkcollectives.schedule.Collective;
import org.sparkcollectives.schedule.Problem;
import org.sparkcollectives.schedule.Topology;

/**
 * Chooses the cheapest algorithm of the registry for an operation, and the number of blocks. The
 * choice depends on nothing but its arguments and the model, so that all ranks choose alike.
 */
public final class Selector {
  private final CostModel model;

  /**
   * Makes a selector.
   *
   * @param model what communication costs
   */
  public Selector(CostModel model) {
    this.model = model;
  }

  /**
   * What is to be done.
   *
   * @param collective the operation
   * @param size p, the number of ranks
   * @param root the root, 0 where there is none
   * @param ordered whether operands must stay in rank order
   * @param units how many parts a vector can be split into at most
   * @param bytes the vector's size
   * @param operator the operator's name for messages, or null
   * @param topology which ranks share a host
   */
  public record Request(
      Collective collective,
      int size,
      int root,
      boolean ordered,
      int units,
      long bytes,
      @Nullable String operator,
      Topology topology) {}

  /**
   * The cheapest algorithm.
   *
   * @param request what is to be done
   * @return the choice
   */
  public Choice choose(Request request) {
    Choice best = null;
    for (Algorithm algorithm : Algorithms.of(request.collective())) {
      if (request.ordered() && !algorithm.traits().keepsOrder()) {
        continue;
      }
      if (refusal(algorithm, request) != null) {
        continue;
      }
      Choice choice = price(algorithm, request);
      if (best == null || choice.nanos() < best.nanos()) {
        best = choice;
      }
    }
    if (best == null) {
      throw Errors.unknownAlgorithm(request.collective().slug(), "any", List.of());
    }
    return best;
  }

  /**
   * A given algorithm, with the number of blocks that suits it.
   *
   * @param request what is to be done
   * @param slug the algorithm's name
   * @return the choice
   * @throws org.sparkcollectives.error.InvalidInputException if there is no such algorithm, it
   *     refuses the problem, or it reorders operands that must stay in order
   */
  public Choice choose(Request request, String slug) {
    Algorithm algorithm = Algorithms.find(request.collective(), slug);
    Algorithms.requireOrder(algorithm, !request.ordered(), String.valueOf(request.operator()));
    String refusal = refusal(algorithm, request);
    if (refusal != null) {
      throw Errors.refused(request.collective().slug(), slug, refusal);
    }
    return price(algorithm, request);
  }

  private static @Nullable String refusal(Algorithm algorithm, Request request) {
    int natural = algorithm.naturalBlocks(request.size());
    return algorithm.refusal(problem(request, fixedBlocks(request, Math.max(1, natural))));
  }

  /** The blocks of collectives that give them to ranks; of others as many as are given. */
  private static int fixedBlocks(Request request, int others) {
    return switch (request.collective()) {
      case REDUCE_SCATTER, ALLGATHER, SCATTER, GATHER -> request.size();
      case ALLTOALL -> Math.multiplyExact(request.size(), request.size());
      case BROADCAST, REDUCE, ALLREDUCE, SCAN, EXSCAN, BARRIER -> others;
    };
  }

  private Choice price(Algorithm algorithm, Request request) {
    int most = Math.max(1, request.units());
    int natural = algorithm.naturalBlocks(request.size());
    int blocks =
        natural > 0
            ? Math.min(natural, most)
            : model.pipelineBlocks(
                k -> algorithm.rounds(problem(request, k)), request.bytes(), most);
    blocks = fixedBlocks(request, blocks);
    Problem problem = problem(request, blocks);
    int rounds = algorithm.rounds(problem);
    // A pipeline's critical path has a block in each round, another algorithm's the busiest rank's.
    long blocksInSequence =
        natural > 0
            ? algorithm.blocksSent(problem)
            : Math.max(rounds, algorithm.blocksSent(problem));
    double bytesInSequence = (double) blocksInSequence * request.bytes() / blocks;
    return new Choice(algorithm, problem, model.nanos(rounds, bytesInSequence));
  }

  private static Problem problem(Request request, int blocks) {
    return new Problem(
        request.collective(),
        request.size(),
        request.root(),
        blocks,
        request.ordered(),
        request.topology());
  }
}
