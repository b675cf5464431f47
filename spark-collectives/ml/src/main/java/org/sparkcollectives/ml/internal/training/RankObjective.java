package org.sparkcollectives.ml.internal.training;

import breeze.linalg.DenseVector;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.sparkcollectives.Communicator;
import org.sparkcollectives.vector.ReduceOp;
import scala.Tuple2;

/**
 * An objective over all ranks' rows, at the same coefficients on every rank: what the rows of each
 * add, one allreduce of gradient, value and weight, and, with them, of a hash of the coefficients,
 * by which all ranks learn at once when theirs are not the same.
 */
abstract class RankObjective {
  /** What goes behind the gradient: value, weight, hash, the hash's square. */
  private static final int EXTRA = 4;

  /** So short that squares of the sums over all ranks are exact. */
  private static final int HASH_BITS = 16;

  private final Communicator communicator;
  private double[] message = {};
  private int evaluations;
  private long computing;
  private long communicating;

  RankObjective(Communicator communicator) {
    this.communicator = communicator;
  }

  /**
   * What rows add.
   *
   * @param gradient a number for each coefficient
   * @param value the objective
   * @param weight the rows' weight, where it is needed
   */
  @SuppressWarnings("ArrayRecordComponent") // never compared
  record Sums(double[] gradient, double value, double weight) {}

  /** What this rank's rows add; the array is overwritten. */
  abstract Sums own(DenseVector<Object> x);

  /** Value and gradient of what all rows add. */
  abstract Tuple2<Object, DenseVector<Object>> whole(DenseVector<Object> x, Sums all);

  /** Value and gradient, the same on all ranks; a collective call. */
  final Tuple2<Object, DenseVector<Object>> at(DenseVector<Object> x) {
    evaluations++;
    long start = System.nanoTime();
    Sums own = own(x);
    long added = System.nanoTime();
    Sums all = summed(own, DenseVectors.array(x));
    communicating += System.nanoTime() - added;
    computing += added - start;
    return whole(x, all);
  }

  /** How often it was asked. */
  final int evaluations() {
    return evaluations;
  }

  /** The time that this rank's rows have taken, in nanoseconds. */
  final long computing() {
    return computing;
  }

  /** The time that sending, receiving and waiting for other ranks have taken, in nanoseconds. */
  final long communicating() {
    return communicating;
  }

  private Sums summed(Sums own, double[] coefficients) {
    double[] gradient = own.gradient();
    int n = gradient.length;
    if (message.length != n + EXTRA) {
      message = new double[n + EXTRA];
    }
    int hash = Arrays.hashCode(coefficients);
    long brief = (hash ^ (hash >>> HASH_BITS)) & ((1L << HASH_BITS) - 1);
    System.arraycopy(gradient, 0, message, 0, n);
    message[n] = own.value();
    message[n + 1] = own.weight();
    message[n + 2] = brief;
    message[n + 3] = brief * brief;
    communicator.allReduce(message, ReduceOp.SUM);
    long sum = (long) message[n + 2];
    if (sum * sum != communicator.size() * (long) message[n + 3]) { // Cauchy and Schwarz
      throw disagreement(communicator.allGather(new int[] {hash}));
    }
    System.arraycopy(message, 0, gradient, 0, n);
    return new Sums(gradient, message[n], message[n + 1]);
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
