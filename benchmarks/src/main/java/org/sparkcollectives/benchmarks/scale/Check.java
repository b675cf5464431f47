package org.sparkcollectives.benchmarks.scale;

import java.util.Arrays;
import java.util.function.IntToDoubleFunction;
import org.jspecify.annotations.Nullable;
import org.sparkcollectives.Communicator;
import org.sparkcollectives.schedule.Collective;
import org.sparkcollectives.vector.ReduceOp;

/**
 * A collective of doubles whose result is known: element i of rank r is (r+1)²(1 + i mod 7) + i mod
 * 1009, so that the sum over some ranks has a closed form, and a rank that is missing, or there
 * twice, shows. The root is the rank in the middle.
 *
 * @param collective what is run
 * @param algorithm its algorithm, null for the selector's choice
 * @param elements the length of the whole vector: of what the root scatters or gathers, of what
 *     each rank gets of an allgather, of what it sends in an alltoall
 */
record Check(Collective collective, @Nullable String algorithm, int elements) {
  private static final int FACTORS = 7;
  private static final int REMAINDERS = 1009;

  /** The elements that a vector of about so many bytes has, a multiple of the ranks. */
  static int elements(long bytes, int size) {
    long parts = (bytes / Double.BYTES + size - 1) / size;
    return Math.toIntExact(parts * size);
  }

  /** What a rank brings. */
  double[] input(int rank, int size) {
    int length =
        switch (collective) {
          case BARRIER -> 0;
          case ALLGATHER, GATHER -> elements / size;
          case SCATTER -> rank == root(size) ? elements : 0;
          default -> elements;
        };
    double[] values = new double[length];
    Arrays.setAll(values, i -> value(rank, i));
    return values;
  }

  /**
   * Runs the collective.
   *
   * @param all all ranks
   * @param input of {@link #input}, of which nothing is left
   * @return the result, or null where this rank gets none
   */
  double @Nullable [] run(Communicator all, double[] input) {
    Communicator by = all.by(algorithm);
    int root = root(all.size());
    return switch (collective) {
      case BROADCAST -> by.broadcast(input, root);
      case REDUCE -> by.reduce(input, ReduceOp.SUM, root);
      case ALLREDUCE -> by.allReduce(input, ReduceOp.SUM);
      case SCAN -> by.scan(input, ReduceOp.SUM);
      case EXSCAN -> by.exscan(input, ReduceOp.SUM);
      case REDUCE_SCATTER -> by.reduceScatter(input, ReduceOp.SUM);
      case ALLGATHER -> by.allGather(input);
      case ALLTOALL -> by.allToAll(input);
      case SCATTER -> by.scatter(rankIsRoot(all) ? input : null, root);
      case GATHER -> by.gather(input, root);
      case BARRIER -> {
        by.barrier();
        yield null;
      }
      default -> throw new IllegalArgumentException(collective + " is not checked");
    };
  }

  private boolean rankIsRoot(Communicator all) {
    return all.rank() == root(all.size());
  }

  /** Where a rank's result differs from what it has to be, or null if it is right. */
  @Nullable String fault(double @Nullable [] result, int rank, int size) {
    boolean none =
        switch (collective) {
          case BARRIER -> true;
          case REDUCE, GATHER -> rank != root(size);
          default -> false;
        };
    if (none) {
      return result == null || collective == Collective.REDUCE
          ? null
          : "rank " + rank + " has a result and should not";
    }
    if (result == null) {
      return "rank " + rank + " has no result";
    }
    int part = elements / size;
    boolean ownPart = collective == Collective.REDUCE_SCATTER || collective == Collective.SCATTER;
    if (result.length != (ownPart ? part : elements)) {
      return "rank " + rank + " has a result of " + result.length + " elements";
    }
    IntToDoubleFunction expected =
        switch (collective) {
          case BROADCAST -> i -> value(root(size), i);
          case REDUCE, ALLREDUCE -> i -> sum(size, i);
          case SCAN -> i -> sum(rank + 1, i);
          case EXSCAN -> i -> sum(rank, i);
          case REDUCE_SCATTER -> i -> sum(size, rank * part + i);
          case ALLGATHER, GATHER -> i -> value(i / part, i % part);
          case ALLTOALL -> i -> value(i / part, rank * part + i % part);
          case SCATTER -> i -> value(root(size), rank * part + i);
          default -> throw new IllegalStateException(collective + " has no result");
        };
    for (int i = 0; i < result.length; i++) {
      if (result[i] != expected.applyAsDouble(i)) {
        return "element " + i + " of rank " + rank + " is " + result[i];
      }
    }
    return null;
  }

  private static int root(int size) {
    return size / 2;
  }

  private static double value(int rank, int i) {
    return (rank + 1.0) * (rank + 1.0) * (1 + i % FACTORS) + i % REMAINDERS;
  }

  /** The sum of an element over the first ranks; a whole number below 2⁵³, so exact. */
  private static double sum(int ranks, int i) {
    double squares = ranks * (ranks + 1.0) * (2.0 * ranks + 1) / 6;
    return squares * (1 + i % FACTORS) + (double) ranks * (i % REMAINDERS);
  }

  /** The check in an order's words. */
  String words() {
    return collective.slug() + " " + (algorithm == null ? "-" : algorithm) + " " + elements;
  }

  /** The check of an order's words. */
  static Check of(String collective, String algorithm, String elements) {
    return new Check(
        Collective.ofSlug(collective),
        algorithm.equals("-") ? null : algorithm,
        Integer.parseInt(elements));
  }
}
