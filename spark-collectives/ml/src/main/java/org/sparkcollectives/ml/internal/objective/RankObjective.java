package org.sparkcollectives.ml.internal.objective;

import breeze.linalg.DenseVector;
import java.util.Arrays;
import org.apache.spark.ml.linalg.Vector;
import org.jspecify.annotations.Nullable;
import org.sparkcollectives.Communicator;
import org.sparkcollectives.ml.internal.bridge.DenseVectors;
import org.sparkcollectives.ml.internal.rows.Support;
import org.sparkcollectives.vector.ReduceOp;
import scala.Tuple2;

/**
 * An objective over all ranks' rows, at the same coefficients on every rank: what the rows of each
 * add, one allreduce of gradient, value and weight, and, with them, of a hash of the coefficients,
 * by which all ranks learn at once when theirs are not the same. Where each rank has a part of the
 * coefficients, an allgather and a reduce_scatter take the allreduce's place, and value and the
 * hash, which is that of the step, go into a message of the caller's.
 */
public abstract class RankObjective {
  /** How many numbers of a caller's message {@link #sum} takes for itself, the first ones. */
  public static final int SUMMED = 1 + SameBits.LENGTH;

  /** What goes behind the gradient: value and by what ranks agree, and weight. */
  private static final int EXTRA = SUMMED + 1;

  private final Communicator communicator;
  private final SameBits sameBits;
  private double[] message = {};

  /** The coefficients of all ranks, where each has a part. */
  private double[] gathered = {};

  /** The weight of all rows, which each evaluation has, once one where each has a part knows it. */
  private double weight = Double.NaN;

  private int evaluations;
  private long computing;
  private long communicating;
  private long leastCommunicating = Long.MAX_VALUE;

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
   * @param own the value of this rank's rows
   * @param penalty the penalty on this rank's coefficients
   * @param gradient this rank's part of the gradient of all rows, with that of the penalty
   */
  @SuppressWarnings("ArrayRecordComponent") // never compared
  public record Part(double own, double penalty, double[] gradient) {}

  /**
   * Which coefficients rows can move, where these are few; a collective call.
   *
   * @param initial the coefficients where they start
   * @return the same on all ranks; null where it may be any of them
   */
  public @Nullable Support support(Vector initial) {
    return null;
  }

  /**
   * The same objective of some coefficients alone.
   *
   * @param support those that {@link #support} has found
   * @return a new objective, for which all others are 0
   */
  public RankObjective on(Support support) {
    throw new UnsupportedOperationException(getClass() + " knows no support");
  }

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
   * @throws org.sparkcollectives.error.CollectiveException on all ranks where their coefficients
   *     are not the same
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
   * The objective where each rank has a part of the coefficients; a collective call, which {@link
   * #sum} has to follow. Parts are put together for the rows, and sums of gradients divided, so
   * that no rank combines all of them.
   *
   * @param part this rank's coefficients
   * @param counts how many each rank has
   * @return what this rank knows of it
   */
  public final Part at(double[] part, int[] counts) {
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
    if (Double.isNaN(weight)) {
      weight = communicator.allReduce(new double[] {own.weight()}, ReduceOp.SUM)[0];
    }
    double[] gradient = new double[part.length];
    communicator.into(gradient).reduceScatter(own.gradient(), ReduceOp.SUM, counts);
    long took = System.nanoTime() - added + known - start;
    communicating += took;
    leastCommunicating = Math.min(leastCommunicating, took);
    computing += added - known;
    int first = Arrays.stream(counts, 0, communicator.rank()).sum();
    return new Part(own.value(), finish(part, first, gradient, weight), gradient);
  }

  /**
   * Sums up over all ranks, in one message, the value of an evaluation and numbers of the caller's;
   * a collective call.
   *
   * @param part what this rank knows of the evaluation
   * @param step what has led to its coefficients, the same on all ranks
   * @param message the caller's numbers, from {@link #SUMMED} on, and then their sums
   * @return the value without penalties
   * @throws org.sparkcollectives.error.CollectiveException on all ranks where their steps are not
   *     the same
   */
  public final double sum(Part part, double step, double[] message) {
    long start = System.nanoTime();
    describe(part.own(), Double.hashCode(step), message, 0);
    communicator.allReduce(message, ReduceOp.SUM);
    communicating += System.nanoTime() - start;
    sameBits.check(Double.hashCode(step), message, 1, evaluations);
    return value(new Sums(part.gradient(), message[0], weight));
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

  /**
   * The least time that an evaluation of divided coefficients has taken with the other ranks, but
   * for the sums of {@link #sum}: that of putting parts together and of dividing gradients.
   *
   * @return nanoseconds; the largest number before the first evaluation
   */
  public final long leastCommunicating() {
    return leastCommunicating;
  }

  private Sums summed(Sums own, double[] coefficients) {
    double[] gradient = own.gradient();
    int n = gradient.length;
    if (message.length != n + EXTRA) {
      message = new double[n + EXTRA];
    }
    int hash = Arrays.hashCode(coefficients);
    System.arraycopy(gradient, 0, message, 0, n);
    describe(own.value(), hash, message, n);
    message[n + SUMMED] = own.weight();
    communicator.allReduce(message, ReduceOp.SUM);
    sameBits.check(hash, message, n + 1, evaluations);
    System.arraycopy(message, 0, gradient, 0, n);
    return new Sums(gradient, message[n], message[n + SUMMED]);
  }

  /** Puts into a message what is summed beside a gradient. */
  private void describe(double value, int hash, double[] message, int at) {
    message[at] = value;
    sameBits.put(hash, message, at + 1);
  }
}
