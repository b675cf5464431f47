package org.sparkcollectives.benchmarks.cluster;

import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.sparkcollectives.Communicator;
import org.sparkcollectives.schedule.Collective;
import org.sparkcollectives.vector.ReduceOp;

/** The collectives that are measured, and what the network allows them. */
final class Operations {
  /** Bytes of payload in a full Ethernet frame of 1514 bytes. */
  private static final double PAYLOAD = 1448.0 / 1514;

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
          Collective.GATHER);

  private Operations() {}

  /**
   * The collectives of their names.
   *
   * @param slugs names, or {@code all}
   * @throws IllegalArgumentException if one is unknown or not measured
   */
  static List<Collective> ofSlugs(List<String> slugs) {
    if (slugs.contains("all")) {
      return MEASURED;
    }
    List<Collective> chosen = new ArrayList<>();
    for (String slug : slugs) {
      Collective collective = Collective.ofSlug(slug);
      if (!MEASURED.contains(collective)) {
        throw new IllegalArgumentException(
            "'" + slug + "' is not measured; measured are all or some of " + MEASURED);
      }
      chosen.add(collective);
    }
    return chosen;
  }

  /**
   * The vector's size that is measured for one asked for: of collectives that divide it among the
   * ranks, the next with equal parts.
   */
  static long bytes(Collective collective, int size, long bytes) {
    long elements = bytes / Double.BYTES;
    return switch (collective) {
      case REDUCE_SCATTER, ALLGATHER, ALLTOALL, SCATTER, GATHER ->
          (elements + size - 1) / size * size * Double.BYTES;
      default -> elements * Double.BYTES;
    };
  }

  /** How many elements a rank brings to the operations of an order. */
  static int ownLength(Order order, int rank, int size) {
    int length = Math.toIntExact(order.bytes() / Double.BYTES);
    return switch (Objects.requireNonNull(order.collective())) {
      case ALLGATHER, GATHER -> length / size;
      case SCATTER -> rank == 0 ? length : 0;
      default -> length;
    };
  }

  /** How many elements a rank's array for the results of an order has; 0 where none is needed. */
  static int resultLength(Order order, int size) {
    int length = Math.toIntExact(order.bytes() / Double.BYTES);
    return switch (Objects.requireNonNull(order.collective())) {
      case ALLGATHER, ALLTOALL -> length;
      case REDUCE_SCATTER -> length / size;
      default -> 0;
    };
  }

  /**
   * Does an operation, as MPI programs do: into an array that is there already.
   *
   * @param communicator this rank's
   * @param collective one of those measured
   * @param slug its algorithm, or null for the selector's choice
   * @param vector this rank's values, of which nothing is left
   * @param target of {@link #resultLength}, for results that do not take the place of the values
   * @return the result, or {@code vector} where this rank gets none
   */
  static double[] run(
      Communicator communicator,
      Collective collective,
      @Nullable String slug,
      double[] vector,
      double[] target) {
    Communicator chosen = communicator.by(slug);
    return switch (collective) {
      case BROADCAST -> chosen.broadcast(vector, 0);
      case REDUCE -> chosen.reduce(vector, ReduceOp.SUM, 0);
      case ALLREDUCE -> chosen.allReduce(vector, ReduceOp.SUM);
      case SCAN -> chosen.scan(vector, ReduceOp.SUM);
      case EXSCAN -> chosen.exscan(vector, ReduceOp.SUM);
      case REDUCE_SCATTER -> chosen.into(target).reduceScatter(vector, ReduceOp.SUM);
      case ALLGATHER -> chosen.into(target).allGather(vector);
      case ALLTOALL -> chosen.into(target).allToAll(vector);
      case SCATTER -> chosen.scatter(vector, 0);
      case GATHER -> {
        double[] whole = chosen.gather(vector, 0);
        yield whole == null ? vector : whole;
      }
      default -> throw new IllegalArgumentException(collective + " is not measured");
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
   * The time below which no algorithm comes: that of the bytes that must pass some network card.
   *
   * @param collective one of those measured
   * @param size p, the number of ranks
   * @param bytes m, the vector's size
   * @param bitsPerSecond the rate of every network card, each way
   * @return microseconds
   */
  static double boundMicros(Collective collective, int size, long bytes, double bitsPerSecond) {
    double others = (double) (size - 1) / size;
    double share =
        switch (collective) {
          case BROADCAST, REDUCE, SCAN, EXSCAN -> size > 1 ? 1 : 0;
          case ALLREDUCE -> 2 * others;
          default -> others;
        };
    double bytesPerMicro = bitsPerSecond / 8e6 * PAYLOAD;
    return share * bytes / bytesPerMicro;
  }
}
