package org.sparkcollectives.ml.internal.objective;

import breeze.linalg.DenseVector;
import java.util.Arrays;
import org.sparkcollectives.Communicator;
import org.sparkcollectives.ml.internal.bridge.DenseVectors;
import org.sparkcollectives.vector.ReduceOp;
import scala.Tuple2;

/**
 * An objective over all ranks' rows, at the same coefficients on every rank: what the rows of each
 * add, one allreduce of gradient, value and weight, and, with them, of a hash of the coefficients,
 * by which all ranks learn at once when theirs are not the same. Where each rank has a part of the
 * coefficients, an allgather and a reduce_scatter take the allreduce's place, and the hash is that
 * of the step.
 */
public abstract class RankObjective {
  /** What goes behind the gradient: value and weight, and by what ranks agree. */
  private static final int EXTRA = 2 + SameBits.LENGTH;

  private final Communicator communicator;
  private final SameBits sameBits;
  private double[] message = {};

  /** The coefficients of all ranks, where each has a part. */
  private double[] gathered = {};

  private int evaluations;
  private long computing;
  private long communicating;

  RankObjective(Communicator communicator) {
    this.communicator = communicator;
    this.sameBits = new SameBits(communicator, "coefficients", "evaluation");
  }

  /**
   * What rows add.
   *
   * @param gradient a number for each coefficient
   * @param value the objective
   * @param weight the rows' weight, where it is needed
   */
  @SuppressWarnings("ArrayRecordComponent") // never compared
  public record Sums(double[] gradient, double value, double weight) {}

  /**
   * The objective as one rank of those that divide its vectors knows it.
   *
   * @param value the value, without penalties
   * @param penalty the penalty on this rank's coefficients
   * @param gradient this rank's part of the gradient
   */
  @SuppressWarnings("ArrayRecordComponent") // never compared
  public record Part(double value, double penalty, double[] gradient) {}

  /** What this rank's rows add; the array is overwritten. */
  abstract Sums own(double[] x);

  /** The value, without penalties, of what all rows add. */
  abstract double value(Sums all);

  /**
   * Makes the objective's gradient of the sums over all rows, where they are.
   *
   * @param x coefficients
   * @param first the index of the first of them
   * @param gradient the sum for each, overwritten
   * @param weight the weight of all rows
   * @return the penalty on these coefficients
   */
  abstract double finish(double[] x, int first, double[] gradient, double weight);

  /**
   * Value and gradient, the same on all ranks; a collective call.
   *
   * @param x the coefficients, the same on all ranks
   * @return the value with penalties, and its gradient
   * @throws IllegalStateException on all ranks where their coefficients are not the same
   */
  public final Tuple2<Object, DenseVector<Object>> at(DenseVector<Object> x) {
    evaluations++;
    long start = System.nanoTime();
    double[] coefficients = DenseVectors.array(x);
    Sums own = own(coefficients);
    long added = System.nanoTime();
    Sums all = summed(own, coefficients);
    communicating += System.nanoTime() - added;
    computing += added - start;
    double value = value(all);
    double penalty = finish(coefficients, 0, all.gradient(), all.weight());
    return new Tuple2<>(value + penalty, DenseVectors.over(all.gradient()));
  }

  /**
   * The objective where each rank has a part of the coefficients; a collective call. Parts are put
   * together for the rows, and sums of gradients divided, so that no rank combines all of them.
   *
   * @param part this rank's coefficients
   * @param counts how many each rank has
   * @param step what has led there, the same on all ranks
   * @return the objective, with this rank's part of the gradient
   * @throws IllegalStateException on all ranks where their steps are not the same
   */
  public final Part at(double[] part, int[] counts, double step) {
    evaluations++;
    int length = Arrays.stream(counts).sum();
    if (gathered.length != length) {
      gathered = new double[length];
    }
    long start = System.nanoTime();
    communicator.into(gathered).allGather(part, counts);
    long known = System.nanoTime();
    Sums own = own(gathered);
    long added = System.nanoTime();
    double[] sums = new double[EXTRA];
    describe(own, Double.hashCode(step), sums, 0);
    communicator.allReduce(sums, ReduceOp.SUM);
    sameBits.check(Double.hashCode(step), sums, 2, evaluations);
    double[] gradient = new double[part.length];
    communicator.into(gradient).reduceScatter(own.gradient(), ReduceOp.SUM, counts);
    communicating += System.nanoTime() - added + known - start;
    computing += added - known;
    double value = value(new Sums(own.gradient(), sums[0], sums[1]));
    int first = Arrays.stream(counts, 0, communicator.rank()).sum();
    return new Part(value, finish(part, first, gradient, sums[1]), gradient);
  }

  /**
   * How often it was asked.
   *
   * @return the number of evaluations
   */
  public final int evaluations() {
    return evaluations;
  }

  /**
   * The time that this rank's rows have taken.
   *
   * @return nanoseconds in all evaluations
   */
  public final long computing() {
    return computing;
  }

  /**
   * The time that sending, receiving and waiting for other ranks have taken.
   *
   * @return nanoseconds in all evaluations
   */
  public final long communicating() {
    return communicating;
  }

  private Sums summed(Sums own, double[] coefficients) {
    double[] gradient = own.gradient();
    int n = gradient.length;
    if (message.length != n + EXTRA) {
      message = new double[n + EXTRA];
    }
    int hash = Arrays.hashCode(coefficients);
    System.arraycopy(gradient, 0, message, 0, n);
    describe(own, hash, message, n);
    communicator.allReduce(message, ReduceOp.SUM);
    sameBits.check(hash, message, n + 2, evaluations);
    System.arraycopy(message, 0, gradient, 0, n);
    return new Sums(gradient, message[n], message[n + 1]);
  }

  /** Puts into a message what is summed beside a gradient. */
  private void describe(Sums own, int hash, double[] message, int at) {
    message[at] = own.value();
    message[at + 1] = own.weight();
    sameBits.put(hash, message, at + 2);
  }
}
