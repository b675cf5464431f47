package org.sparkcollectives.ml.internal.training;

import breeze.linalg.DenseVector;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.apache.spark.TaskContext;
import org.apache.spark.broadcast.Broadcast;
import org.apache.spark.ml.linalg.BLAS;
import org.apache.spark.ml.linalg.Vector;
import org.apache.spark.ml.optim.aggregator.DifferentiableLossAggregator;
import org.sparkcollectives.Communicator;
import org.sparkcollectives.vector.ReduceOp;
import scala.Function1;
import scala.Tuple2;

/**
 * MLlib's objective over all ranks' rows, at the same coefficients on every rank: MLlib's own
 * aggregator on the rows of each, one allreduce of gradient, loss and weight, and, with them, of a
 * hash of the coefficients, by which all ranks learn at once when theirs are not the same.
 *
 * @param <T> the rows' class, which is that of blocks of rows
 * @param <A> the aggregator
 */
final class Objective<T, A extends DifferentiableLossAggregator<T, A>> {
  /** What goes behind the gradient: loss, weight, hash, the hash's square. */
  private static final int EXTRA = 4;

  /** So short that squares of the sums over all ranks are exact. */
  private static final int HASH_BITS = 16;

  private final Communicator communicator;
  private final List<T> rows;
  private final Function1<Broadcast<Vector>, A> aggregators;
  private final Penalty penalty;
  private double[] message = {};
  private int evaluations;
  private long computing;
  private long communicating;

  Objective(
      Communicator communicator,
      List<T> rows,
      Function1<Broadcast<Vector>, A> aggregators,
      Penalty penalty) {
    this.communicator = communicator;
    this.rows = rows;
    this.aggregators = aggregators;
    this.penalty = penalty;
  }

  /** Value and gradient, the same on all ranks. */
  Tuple2<Object, DenseVector<Object>> at(DenseVector<Object> x) {
    evaluations++;
    long start = System.nanoTime();
    Vector coefficients = DenseVectors.mllib(x);
    A sums = aggregators.apply(new HereBroadcast<>(coefficients));
    TaskContext task = TaskContext.get();
    for (T row : rows) {
      if (task != null) {
        task.killTaskIfInterrupted();
      }
      sums = sums.add(row);
    }
    long added = System.nanoTime();
    combine(sums, coefficients.toArray());
    communicating += System.nanoTime() - added;
    computing += added - start;

    Vector gradient = sums.gradient();
    double value = sums.loss();
    Tuple2<Object, Vector> more = penalty.at(coefficients);
    if (more != null) {
      BLAS.axpy(1.0, more._2(), gradient);
      value += (double) more._1();
    }
    return new Tuple2<>(value, DenseVectors.over(gradient.toArray()));
  }

  /** How often it was asked. */
  int evaluations() {
    return evaluations;
  }

  /** The time that this rank's rows have taken, in nanoseconds. */
  long computing() {
    return computing;
  }

  /** The time that sending, receiving and waiting for other ranks have taken, in nanoseconds. */
  long communicating() {
    return communicating;
  }

  private void combine(A sums, double[] coefficients) {
    double[] gradient = sums.gradientSumArray();
    int n = gradient.length;
    if (message.length != n + EXTRA) {
      message = new double[n + EXTRA];
    }
    int hash = Arrays.hashCode(coefficients);
    long brief = (hash ^ (hash >>> HASH_BITS)) & ((1L << HASH_BITS) - 1);
    System.arraycopy(gradient, 0, message, 0, n);
    message[n] = sums.lossSum();
    message[n + 1] = sums.weightSum();
    message[n + 2] = brief;
    message[n + 3] = brief * brief;
    communicator.allReduce(message, ReduceOp.SUM);
    long sum = (long) message[n + 2];
    if (sum * sum != communicator.size() * (long) message[n + 3]) { // Cauchy and Schwarz
      throw disagreement(communicator.allGather(new int[] {hash}));
    }
    System.arraycopy(message, 0, gradient, 0, n);
    sums.lossSum_$eq(message[n]);
    sums.weightSum_$eq(message[n + 1]);
  }

  private IllegalStateException disagreement(int[] hashes) {
    List<Integer> others = new ArrayList<>();
    for (int rank = 1; rank < hashes.length; rank++) {
      if (hashes[rank] != hashes[0]) {
        others.add(rank);
      }
    }
    return new IllegalStateException(
        "ranks "
            + others
            + " are at other coefficients than rank 0 in evaluation "
            + evaluations
            + ": their executors do not compute the same bits. Give all hosts the same JVM and the"
            + " same BLAS library, or none (-Ddev.ludovic.netlib.blas.nativeLibPath).");
  }
}
