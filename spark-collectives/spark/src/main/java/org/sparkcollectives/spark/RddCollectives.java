package org.sparkcollectives.spark;

import org.apache.spark.api.java.JavaRDD;
import org.apache.spark.api.java.function.Function2;
import org.apache.spark.api.java.function.Function3;
import org.apache.spark.broadcast.Broadcast;
import org.jspecify.annotations.Nullable;
import org.sparkcollectives.schedule.Collective;
import org.sparkcollectives.spark.internal.input.SequenceFold;
import org.sparkcollectives.vector.ReduceOp;

/**
 * Collectives on the elements of an RDD; made by {@link JavaCollectives}.
 *
 * <p>Elements are primitive arrays ({@code double[]}, {@code float[]}, {@code long[]}, {@code
 * int[]}), combined element by element and of one length throughout; numbers, as vectors of one
 * element; vectors of MLlib; or objects of any class, with an operator on objects. They are
 * combined in RDD order and never changed. A partition without elements contributes nothing.
 *
 * <p>Every call runs a barrier job at once and throws a {@link
 * org.sparkcollectives.error.CollectiveException} if it fails: {@link
 * org.sparkcollectives.error.InvalidInputException} for what was found before anything was sent,
 * {@link org.sparkcollectives.error.RankFailedException} with the original exception as cause when
 * user code threw on a rank. An RDD without elements throws {@link UnsupportedOperationException},
 * as {@code RDD.reduce} does. An algorithm is given by its slug; null is the cheapest.
 *
 * @param <T> the elements' class
 */
public final class RddCollectives<T> {
  private static final String TWO_TREE = RddCalls.TWO_TREE;

  private final RddCalls<T> calls;

  RddCollectives(JavaRDD<T> rdd) {
    this.calls = new RddCalls<>(rdd);
  }

  /**
   * Combines all elements; every executor that took part holds the result.
   *
   * @param op the operator
   * @return the result as a broadcast, whose value can be read anywhere
   */
  public Broadcast<T> twoTreeAllReduce(ReduceOp<? super T> op) {
    return calls.allReduce("twoTreeAllReduce", op, TWO_TREE);
  }

  /**
   * Combines all elements, by the cheapest algorithm; every executor that took part holds the
   * result.
   *
   * @param op the operator
   * @return the result as a broadcast, whose value can be read anywhere
   */
  public Broadcast<T> allReduce(ReduceOp<? super T> op) {
    return allReduce(op, null);
  }

  /**
   * Combines all elements; every executor that took part holds the result.
   *
   * @param op the operator
   * @param algorithm the algorithm's slug, or null for the cheapest
   * @return the result as a broadcast, whose value can be read anywhere
   */
  public Broadcast<T> allReduce(ReduceOp<? super T> op, @Nullable String algorithm) {
    return calls.allReduce("allReduce", op, algorithm);
  }

  /**
   * Combines all elements and brings the result to the driver.
   *
   * @param op the operator
   * @return the result
   */
  public T twoTreeReduce(ReduceOp<? super T> op) {
    return calls.reduce("twoTreeReduce", op, TWO_TREE);
  }

  /**
   * Combines all elements, by the cheapest algorithm, and brings the result to the driver.
   *
   * @param op the operator
   * @return the result
   */
  public T reduce(ReduceOp<? super T> op) {
    return reduce(op, null);
  }

  /**
   * Combines all elements and brings the result to the driver.
   *
   * @param op the operator
   * @param algorithm the algorithm's slug, or null for the cheapest
   * @return the result
   */
  public T reduce(ReduceOp<? super T> op, @Nullable String algorithm) {
    return calls.reduce("reduce", op, algorithm);
  }

  /**
   * Aggregates all elements as {@code RDD.treeAggregate} does, and brings the result to the driver.
   *
   * @param zero makes a neutral element, on each executor
   * @param seqOp adds an element to an aggregate, which it may change and return
   * @param combOp combines two aggregates, the first of which it may change and return; associative
   * @param <U> the aggregate's class
   * @return the result; {@code zero.get()} when there are no elements
   */
  public <U> U twoTreeAggregate(
      ReduceOp.SerializableSupplier<U> zero, Function2<U, T, U> seqOp, Function2<U, U, U> combOp) {
    return twoTreeAggregate(zero, seqOp, SequenceFold.operator(combOp));
  }

  /**
   * Aggregates all elements, and brings the result to the driver. Aggregates that are primitive
   * arrays are combined fastest so, by an operator on arrays.
   *
   * @param zero makes a neutral element, on each executor; arrays are of one length
   * @param seqOp adds an element to an aggregate, which it may change and return
   * @param combOp combines aggregates
   * @param <U> the aggregate's class
   * @return the result; {@code zero.get()} when there are no elements
   */
  public <U> U twoTreeAggregate(
      ReduceOp.SerializableSupplier<U> zero, Function2<U, T, U> seqOp, ReduceOp<? super U> combOp) {
    return calls.aggregate("twoTreeAggregate", zero, seqOp, combOp);
  }

  /**
   * One step of an iteration in one job: sends a value of the driver to all ranks, which aggregate
   * the elements with it, and brings the combination of all aggregates to the driver. In place of a
   * broadcast and an aggregation.
   *
   * @param value any serializable value, such as the weights of a model; ranks of one executor
   *     share a copy of it and read it at the same time
   * @param zero makes a neutral element, on each executor; arrays are of one length
   * @param seqOp adds an element to an aggregate, which it may change and return; it gets the
   *     value, which it is not to change in any way, the aggregate, and the element
   * @param combOp combines aggregates; fastest by an operator on arrays
   * @param <V> the value's class
   * @param <U> the aggregate's class
   * @return the result; {@code zero.get()} when there are no elements
   */
  public <V, U> U twoTreeAggregateWith(
      V value,
      ReduceOp.SerializableSupplier<U> zero,
      Function3<V, U, T, U> seqOp,
      ReduceOp<? super U> combOp) {
    return calls.aggregateWith("twoTreeAggregateWith", value, zero, seqOp, combOp);
  }

  /**
   * Replaces each element by the combination of all up to and including it.
   *
   * @param op the operator
   * @return an RDD with the same partitions. Its elements are made when it is computed, from this
   *     RDD's, which is computed again unless it is cached; what precedes each partition is found
   *     now and kept on the executors
   */
  public JavaRDD<T> twoTreeScan(ReduceOp<? super T> op) {
    return calls.scan("twoTreeScan", false, op, TWO_TREE);
  }

  /**
   * As {@link #twoTreeScan}, by a given algorithm for exclusive scans.
   *
   * @param op the operator
   * @param algorithm the algorithm's slug, or null for the cheapest
   * @return an RDD with the same partitions
   */
  public JavaRDD<T> scan(ReduceOp<? super T> op, @Nullable String algorithm) {
    return calls.scan("scan", false, op, algorithm);
  }

  /**
   * Replaces each element by the combination of all before it, and the first by the operator's
   * neutral element.
   *
   * @param op the operator, which has a neutral element
   * @return an RDD with the same partitions, made as that of {@link #twoTreeScan}
   */
  public JavaRDD<T> twoTreeExscan(ReduceOp<? super T> op) {
    return calls.scan("twoTreeExscan", true, op, TWO_TREE);
  }

  /**
   * As {@link #twoTreeExscan}, by a given algorithm.
   *
   * @param op the operator, which has a neutral element
   * @param algorithm the algorithm's slug, or null for the cheapest
   * @return an RDD with the same partitions
   */
  public JavaRDD<T> exscan(ReduceOp<? super T> op, @Nullable String algorithm) {
    return calls.scan("exscan", true, op, algorithm);
  }

  /**
   * Combines all elements; each partition of the result holds a part.
   *
   * @param op the operator, on arrays
   * @return an RDD with as many partitions as this one. Each has one element, its part of the
   *     combination; parts are consecutive, differ in length by one element (or tuple) at most, and
   *     may be empty
   */
  public JavaRDD<T> reduceScatter(ReduceOp<? super T> op) {
    return reduceScatter(op, null);
  }

  /**
   * As {@link #reduceScatter(ReduceOp)}, by a given algorithm.
   *
   * @param op the operator, on arrays
   * @param algorithm the algorithm's slug, or null for the cheapest
   * @return an RDD with as many partitions as this one
   */
  public JavaRDD<T> reduceScatter(ReduceOp<? super T> op, @Nullable String algorithm) {
    return calls.reduceScatter(op, algorithm);
  }

  /**
   * Puts all elements end to end, in RDD order; every executor that took part holds the result.
   * Elements are arrays or vectors of MLlib, of any lengths.
   *
   * @return the concatenation as a broadcast, whose value can be read anywhere
   */
  public Broadcast<T> allGather() {
    return allGather(null);
  }

  /**
   * As {@link #allGather()}, by a given algorithm.
   *
   * @param algorithm the algorithm's slug, or null for the cheapest
   * @return the concatenation as a broadcast, whose value can be read anywhere
   */
  public Broadcast<T> allGather(@Nullable String algorithm) {
    return calls.allGather(algorithm);
  }

  /**
   * Puts all elements end to end, in RDD order, and brings the result to the driver. Elements are
   * arrays or vectors of MLlib, of any lengths.
   *
   * @return the concatenation
   */
  public T gather() {
    return gather(null);
  }

  /**
   * As {@link #gather()}, by a given algorithm.
   *
   * @param algorithm the algorithm's slug, or null for the cheapest
   * @return the concatenation
   */
  public T gather(@Nullable String algorithm) {
    return calls.gather(algorithm);
  }

  /**
   * Cuts each partition's vector (its elements end to end) into as many parts as there are
   * partitions, and gives partition d all parts d, end to end in RDD order. Elements are arrays or
   * vectors of MLlib, of any lengths.
   *
   * @return an RDD with as many partitions as this one, each of one element. The parts of a vector
   *     differ in length by one element at most and may be empty
   */
  public JavaRDD<T> allToAll() {
    return allToAll(null);
  }

  /**
   * As {@link #allToAll()}, by a given algorithm.
   *
   * @param algorithm the algorithm's slug, or null for the cheapest
   * @return an RDD with as many partitions as this one, each of one element
   */
  public JavaRDD<T> allToAll(@Nullable String algorithm) {
    return calls.allToAll(algorithm);
  }

  /**
   * Runs a program on all ranks at once, that may do as many collectives as it likes. There are as
   * many ranks as partitions, or, where these are more than the slots of the executors, as slots;
   * then each has consecutive partitions.
   *
   * @param program what each rank does with the elements of its partitions, end to end
   * @param <R> the class of its results
   * @return all ranks' results, one partition per rank, kept on the executors; as of a cached RDD,
   *     its elements are not to be changed in place
   */
  public <R> JavaRDD<R> collectively(CollectiveFunction<T, R> program) {
    return calls.collectively(program);
  }

  /**
   * What a collective on these elements would do if it were called now, by the cheapest algorithm,
   * and why. As {@link #explain(Collective, ReduceOp, String, Object)}, from the first element:
   * Spark runs a job that computes the first partition up to it, and brings it to the driver.
   *
   * @param collective reduce, allreduce, scan, exscan, reduce_scatter, allgather, gather or
   *     alltoall
   * @param op the operator, null where nothing is combined
   * @return the explanation
   */
  public CallExplanation explain(Collective collective, @Nullable ReduceOp<? super T> op) {
    return explain(collective, op, null, null);
  }

  /**
   * What a collective on these elements would do if it were called now, and why. It assumes that
   * every partition has elements, which are like the one given, one in each where they are put end
   * to end; that the executors stay as they are; and that every task starts where it is wanted.
   *
   * @param collective reduce, allreduce, scan, exscan, reduce_scatter, allgather, gather or
   *     alltoall
   * @param op the operator, null where nothing is combined
   * @param algorithm the algorithm's slug, {@code "two-tree"} for calls with this in their name, or
   *     null for the cheapest
   * @param element an element, such as an array of the length that all have; then nothing runs.
   *     Null is the RDD's first
   * @return the explanation
   * @throws org.sparkcollectives.error.InvalidInputException if the call would be refused, or there
   *     is no executor yet
   */
  public CallExplanation explain(
      Collective collective,
      @Nullable ReduceOp<? super T> op,
      @Nullable String algorithm,
      @Nullable T element) {
    return calls.explainer(collective, op).explain(algorithm, element);
  }
}
