package org.sparkcollectives.ml.internal.training;

import java.util.Locale;
import java.util.stream.IntStream;
import org.apache.spark.SparkContext;
import org.jspecify.annotations.Nullable;
import org.sparkcollectives.Communicator;
import org.sparkcollectives.ml.internal.minimizer.Optimizer;
import org.sparkcollectives.schedule.Collective;
import org.sparkcollectives.schedule.Topology;
import org.sparkcollectives.spark.internal.conf.CollectiveConf;
import org.sparkcollectives.spark.internal.conf.Settings;
import org.sparkcollectives.vector.ReduceOp;

/** How the vectors of an optimiser lie on ranks, where it may be chosen. */
enum Placing {
  /** As it costs less. */
  AUTO,

  /** All of each vector on each rank, as Breeze's optimisers work. */
  WHOLE,

  /** A part of each vector on each rank. */
  DIVIDED;

  /** Shorter vectors stay whole: all that could be gained is less than a job's own time. */
  private static final int LEAST_DIVIDED = 100_000;

  /** What an iteration of Breeze's L-BFGS takes for each element, in nanoseconds. */
  private static final double WHOLE_NANOS = 60;

  /** What an iteration of the divided one takes for each element of a rank's part. */
  private static final double DIVIDED_NANOS = 25;

  /** Allreduces of a few numbers that an iteration has more where vectors are divided, at most. */
  private static final int MESSAGES = 2;

  /** Vectors beside those of the memory: positions, gradients and what is computed in between. */
  private static final int MORE_VECTORS = 10;

  /** The part of the heap that whole vectors may take. */
  private static final double HEAP = 0.25;

  /**
   * What the application asks for, or this thread of it.
   *
   * @throws org.sparkcollectives.error.InvalidInputException if the thread asks for none of these
   */
  static Placing of(SparkContext context) {
    String local = context.getLocalProperty(Settings.MLLIB_VECTORS.key());
    String asked =
        local == null
            ? CollectiveConf.alone(context.getConf(), Settings.MLLIB_VECTORS)
            : Settings.MLLIB_VECTORS.read(local);
    return valueOf(asked.toUpperCase(Locale.ROOT));
  }

  /**
   * Whether vectors are divided among ranks; a collective call.
   *
   * @param communicator the ranks
   * @param optimizer whose vectors
   * @param length how many elements each of them has
   * @return the same on all ranks
   */
  boolean divides(Communicator communicator, Optimizer optimizer, int length) {
    if (!optimizer.divisible() || this == WHOLE) {
      return false;
    }
    if (this == DIVIDED || communicator.size() == 1 || length < LEAST_DIVIDED) {
      return this == DIVIDED;
    }
    boolean mine =
        communicator.rank() == 0
            && (cheaper(communicator, length) || tight(communicator, optimizer, length));
    return communicator.broadcast(new int[] {mine ? 1 : 0}, 0)[0] == 1;
  }

  /** Whether an iteration takes less time where vectors are divided. */
  private static boolean cheaper(Communicator communicator, int length) {
    double[] vector = new double[length];
    double[] part = new double[length / communicator.size()];
    double whole =
        nanos(communicator, Collective.ALLREDUCE, vector, ReduceOp.SUM) + WHOLE_NANOS * length;
    double divided =
        nanos(communicator, Collective.REDUCE_SCATTER, vector, ReduceOp.SUM)
            + nanos(communicator, Collective.ALLGATHER, part, null)
            + MESSAGES * nanos(communicator, Collective.ALLREDUCE, new double[64], ReduceOp.SUM)
            + DIVIDED_NANOS * part.length;
    return divided < whole;
  }

  /** Whether whole vectors would take more of the heap than they may. */
  private static boolean tight(Communicator communicator, Optimizer optimizer, int length) {
    Topology topology = communicator.topology();
    long here =
        IntStream.range(0, communicator.size())
            .filter(rank -> topology.process(rank) == topology.process(0))
            .count();
    double bytes = 8.0 * length * (2 * optimizer.memory() + MORE_VECTORS);
    return here * bytes > HEAP * Runtime.getRuntime().maxMemory();
  }

  private static double nanos(
      Communicator communicator, Collective collective, double[] vector, @Nullable ReduceOp<?> op) {
    return communicator.explain(collective, vector, op).choice().nanos();
  }
}
