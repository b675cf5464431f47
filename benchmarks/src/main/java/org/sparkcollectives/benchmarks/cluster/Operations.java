package org.sparkcollectives.benchmarks.cluster;

import java.util.List;
import java.util.Objects;
import org.sparkcollectives.Communicator;
import org.sparkcollectives.cost.CostModel;
import org.sparkcollectives.cost.LevelCost;
import org.sparkcollectives.internal.select.Selector;
import org.sparkcollectives.schedule.Collective;
import org.sparkcollectives.select.Request;
import org.sparkcollectives.vector.ReduceOp;

/** The collectives that are measured, and what the network allows them. */
final class Operations {
  /** What starting a message costs if only bytes count, in nanoseconds. */
  private static final double NOTHING = 1e-9;

  private static final List<Collective> MEASURED =
      List.of(
          Collective.BROADCAST,
          Collective.REDUCE,
          Collective.ALLREDUCE,
          Collective.SCAN,
          Collective.EXSCAN,
          Collective.REDUCE_SCATTER,
          Collective.ALLGATHER,
          Collective.ALLTOALL,
          Collective.SCATTER,
          Collective.GATHER,
          Collective.BARRIER);

  private Operations() {}

  /**
   * The collectives of their names.
   *
   * @param slugs names, or {@code all}
   * @throws IllegalArgumentException if one is unknown
   */
  static List<Collective> ofSlugs(List<String> slugs) {
    if (slugs.contains("all")) {
      return MEASURED;
    }
    return slugs.stream().map(Collective::ofSlug).toList();
  }

  /**
   * The vector's size that is measured for one asked for: of collectives that divide it among the
   * ranks, the next with parts of the relative lengths; 0 of a barrier.
   *
   * @param parts the sum of the relative lengths of all ranks' parts
   */
  static long bytes(Collective collective, int parts, long bytes) {
    long elements = bytes / Double.BYTES;
    if (collective == Collective.BARRIER) {
      return 0;
    }
    boolean inParts = collective.divided() || collective == Collective.ALLTOALL;
    return (inParts ? (elements + parts - 1) / parts * parts : elements) * Double.BYTES;
  }

  /** How many elements a rank brings to the operations of an order. */
  static int ownLength(Order order, int rank, int size) {
    int length = Math.toIntExact(order.bytes() / Double.BYTES);
    return switch (Objects.requireNonNull(order.collective())) {
      case ALLGATHER -> part(order, length, rank, size);
      case GATHER -> length / size;
      case SCATTER -> rank == 0 ? length : 0;
      default -> length;
    };
  }

  /** How many of all elements are a rank's part. */
  private static int part(Order order, int length, int rank, int size) {
    int[] counts = counts(order, length);
    return counts.length == 0 ? length / size : counts[rank];
  }

  /** For each rank how many of all elements are its part, none if parts are equal. */
  private static int[] counts(Order order, int length) {
    if (order.counts().isEmpty()) {
      return new int[0];
    }
    int sum = order.counts().stream().mapToInt(Integer::intValue).sum();
    return order.counts().stream().mapToInt(count -> length / sum * count).toArray();
  }

  /** How many elements a rank's array for the results of an order has; 0 where none is needed. */
  static int resultLength(Order order, int rank, int size) {
    int length = Math.toIntExact(order.bytes() / Double.BYTES);
    return switch (Objects.requireNonNull(order.collective())) {
      case ALLGATHER, ALLTOALL -> length;
      case REDUCE_SCATTER -> part(order, length, rank, size);
      default -> 0;
    };
  }

  /**
   * Does an operation, as MPI programs do: into an array that is there already.
   *
   * @param communicator this rank's
   * @param order the collective, its algorithm, or null for the selector's choice, and its parts
   * @param vector this rank's values, of which nothing is left
   * @param target of {@link #resultLength}, for results that do not take the place of the values
   * @return the result, or {@code vector} where this rank gets none
   */
  static double[] run(Communicator communicator, Order order, double[] vector, double[] target) {
    Communicator chosen = communicator.by(order.algorithm());
    int[] counts = counts(order, Math.toIntExact(order.bytes() / Double.BYTES));
    return switch (Objects.requireNonNull(order.collective())) {
      case BROADCAST -> chosen.broadcast(vector, 0);
      case REDUCE -> chosen.reduce(vector, ReduceOp.SUM, 0);
      case ALLREDUCE -> chosen.allReduce(vector, ReduceOp.SUM);
      case SCAN -> chosen.scan(vector, ReduceOp.SUM);
      case EXSCAN -> chosen.exscan(vector, ReduceOp.SUM);
      case REDUCE_SCATTER -> chosen.into(target).reduceScatter(vector, ReduceOp.SUM, counts);
      case ALLGATHER -> chosen.into(target).allGather(vector, counts);
      case ALLTOALL -> chosen.into(target).allToAll(vector);
      case SCATTER -> chosen.scatter(vector, 0);
      case GATHER -> {
        double[] whole = chosen.gather(vector, 0);
        yield whole == null ? vector : whole;
      }
      case BARRIER -> {
        chosen.barrier();
        yield vector;
      }
      default -> throw new IllegalArgumentException(order.collective() + " is not measured");
    };
  }

  /** Whether every rank gets the same result. */
  static boolean sameEverywhere(Collective collective) {
    return switch (collective) {
      case BROADCAST, ALLREDUCE, ALLGATHER -> true;
      default -> false;
    };
  }

  /**
   * The time below which no algorithm comes: that of the bytes that must pass some network card, or
   * a rack's uplink.
   *
   * @param request an operation of ranks on hosts
   * @param bitsPerSecond the rate of every network card, each way
   * @param racks of the hosts
   * @return microseconds
   */
  static double boundMicros(Request request, double bitsPerSecond, Racks racks) {
    LevelCost card = new LevelCost(NOTHING, nanosPerByte(bitsPerSecond));
    return new Selector(racks.in(CostModel.uniform(card, 0))).bound(request) / 1e3;
  }

  /** The time per byte of payload at a rate, which headers need a part of. */
  static double nanosPerByte(double bitsPerSecond) {
    return 1e9 / Rates.payloadPerSecond(bitsPerSecond);
  }
}
