package org.sparkcollectives.spark;

import static java.util.Objects.requireNonNull;

import java.nio.ByteBuffer;
import java.util.BitSet;
import org.apache.spark.SparkContext;
import org.apache.spark.api.java.JavaRDD;
import org.apache.spark.api.java.JavaSparkContext;
import org.apache.spark.api.java.function.Function2;
import org.apache.spark.api.java.function.Function3;
import org.apache.spark.broadcast.Broadcast;
import org.jspecify.annotations.Nullable;
import org.sparkcollectives.internal.select.Selector;
import org.sparkcollectives.internal.vector.VectorErrors;
import org.sparkcollectives.schedule.Collective;
import org.sparkcollectives.spark.internal.body.AllToAllBody;
import org.sparkcollectives.spark.internal.body.BoundStep;
import org.sparkcollectives.spark.internal.body.GatherBody;
import org.sparkcollectives.spark.internal.body.ReduceBody;
import org.sparkcollectives.spark.internal.body.ReduceScatterBody;
import org.sparkcollectives.spark.internal.body.ScanBody;
import org.sparkcollectives.spark.internal.body.SentValue;
import org.sparkcollectives.spark.internal.body.SpmdBody;
import org.sparkcollectives.spark.internal.body.StepBody;
import org.sparkcollectives.spark.internal.conf.CollectiveConf;
import org.sparkcollectives.spark.internal.conf.Settings;
import org.sparkcollectives.spark.internal.input.Combiner;
import org.sparkcollectives.spark.internal.input.Concatenator;
import org.sparkcollectives.spark.internal.input.SequenceFold;
import org.sparkcollectives.spark.internal.job.JobRunner;
import org.sparkcollectives.spark.internal.job.NamedProgram;
import org.sparkcollectives.spark.internal.job.Preconditions;
import org.sparkcollectives.spark.internal.rendezvous.Admission;
import org.sparkcollectives.spark.internal.result.ExecutorBroadcast;
import org.sparkcollectives.spark.internal.result.ScanElements;
import org.sparkcollectives.spark.internal.result.SpmdResults;
import org.sparkcollectives.spark.internal.result.StoredRdd;
import org.sparkcollectives.spark.internal.result.StoredValues;
import org.sparkcollectives.vector.ReduceOp;

/**
 * Collectives on the elements of an RDD; made by {@link JavaCollectives}.
 *
 * <p>Elements are primitive arrays ({@code double[]}, {@code float[]}, {@code long[]}, {@code
 * int[]}), combined element by element and of one length throughout; numbers, as vectors of one
 * element; vectors of MLlib, as elements of their class {@code Vector}, since results of sparse
 * ones may be dense; or objects of any class, with an operator on objects. They are combined in RDD
 * order, unless the operator is commutative, and are not changed where operators on objects keep to
 * what {@link ReduceOp#ofObjects} asks of them. A partition without elements contributes nothing.
 *
 * <p>Every call runs a barrier job at once and throws a {@link
 * org.sparkcollectives.error.CollectiveException} if it fails: {@link
 * org.sparkcollectives.error.InvalidInputException} for what was found before anything was sent,
 * {@link org.sparkcollectives.error.RankFailedException} with the original exception as cause when
 * user code threw on a rank. An RDD without elements throws {@link UnsupportedOperationException},
 * as {@code RDD.reduce} does, and one that cannot list its partitions, for want of its files say,
 * what it throws to Spark's own actions.
 *
 * <p>A call with {@code twoTree} in its name goes along two trees of ranks, or of hosts where
 * several ranks share one and that takes less. The others take the one of a slug, or for null the
 * one that settings name for the collective, or else the cheapest. With {@code
 * spark.collectives.reproducible} a call with {@code twoTree} in its name is as one with null, and
 * in place of the cheapest a reduction or scan takes one that is the same for every size. A
 * reduction of vectors that have no more than {@code spark.collectives.small.maxBytes} together
 * needs no algorithm: the driver or one rank combines them.
 *
 * @param <T> the elements' class
 */
public final class RddCollectives<T> {
  private final JavaRDD<T> rdd;
  private final SparkContext context;
  private final RddJobs<T> jobs;

  RddCollectives(JavaRDD<T> rdd) {
    this.rdd = rdd;
    this.context = rdd.context();
    this.jobs = new RddJobs<>(rdd);
  }

  private boolean reproducible() {
    return Settings.REPRODUCIBLE.read(context.conf().get(Settings.REPRODUCIBLE.key(), null));
  }

  /** What a call has in its name, unless the setting decides what bits depend on. */
  private @Nullable String twoTree() {
    return reproducible() ? null : Selector.TWO_TREES;
  }

  /** Sums of sparse vectors are made in an order that depends on which elements they have. */
  private Combiner combiner(ReduceOp<? super T> op) {
    return reproducible() ? new Combiner(op) : Combiner.ofWhole(op);
  }

  /**
   * Combines all elements along two trees; every executor that took part holds the result, but
   * where it is so short that it travels with the tasks that read it. That of small objects is on
   * as many executors as {@code spark.collectives.result.replicas} says.
   *
   * @param op the operator
   * @return the result as a broadcast, whose value can be read anywhere
   */
  public Broadcast<T> twoTreeAllReduce(ReduceOp<? super T> op) {
    return allReduce("twoTreeAllReduce", op, twoTree());
  }

  /**
   * Combines all elements, by the cheapest algorithm; every executor that took part holds the
   * result, but where it is so short that it travels with the tasks that read it. That of small
   * objects is on as many executors as {@code spark.collectives.result.replicas} says.
   *
   * @param op the operator
   * @return the result as a broadcast, whose value can be read anywhere
   */
  public Broadcast<T> allReduce(ReduceOp<? super T> op) {
    return allReduce(op, null);
  }

  /**
   * Combines all elements; every executor that took part holds the result, but where it is so short
   * that it travels with the tasks that read it. That of small objects is on as many executors as
   * {@code spark.collectives.result.replicas} says.
   *
   * @param op the operator
   * @param algorithm the algorithm's slug, or null for the cheapest
   * @return the result as a broadcast, whose value can be read anywhere
   */
  public Broadcast<T> allReduce(ReduceOp<? super T> op, @Nullable String algorithm) {
    return allReduce("allReduce", op, algorithm);
  }

  private Broadcast<T> allReduce(
      String operation, ReduceOp<? super T> op, @Nullable String algorithm) {
    CollectiveConf conf = jobs.check(operation, Collective.ALLREDUCE, algorithm, op);
    ReduceBody body = new ReduceBody(combiner(op), algorithm, true);
    JobRunner.Outcome outcome = jobs.elements(operation, conf, body);
    T small = outcome.onlyValue();
    StoredValues stored = outcome.stored();
    return small == null
        ? jobs.recomputed(
            stored.broadcast(),
            again -> new RddCollectives<>(again).allReduce(operation, op, algorithm))
        : ExecutorBroadcast.ofSmall(stored.id(), small);
  }

  /**
   * Combines all elements along two trees and brings the result to the driver.
   *
   * @param op the operator
   * @return the result
   */
  public T twoTreeReduce(ReduceOp<? super T> op) {
    return reduce("twoTreeReduce", op, twoTree());
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
    return reduce("reduce", op, algorithm);
  }

  @SuppressWarnings("unchecked")
  private T reduce(String operation, ReduceOp<? super T> op, @Nullable String algorithm) {
    CollectiveConf conf = jobs.check(operation, Collective.REDUCE, algorithm, op);
    @Nullable T result = (T) reduceOrNull(operation, conf, combiner(op), algorithm);
    if (result == null) {
      throw RddJobs.noElements();
    }
    return result;
  }

  private @Nullable Object reduceOrNull(
      String operation, CollectiveConf conf, Combiner fold, @Nullable String algorithm) {
    ReduceBody body = new ReduceBody(fold, algorithm, false);
    return jobs.vectors(operation, conf, body).onlyValue();
  }

  /**
   * Aggregates all elements as {@code RDD.treeAggregate} does, the ranks' aggregates along two
   * trees, and brings the result to the driver.
   *
   * @param zero makes a neutral element, on each executor and here
   * @param seqOp adds an element to an aggregate, which it may change and return; not a part of the
   *     element where {@code combOp} changes aggregates
   * @param combOp combines two aggregates, the first of which it may change and return; associative
   * @param <U> the aggregate's class
   * @return the result; {@code zero.get()} when there are no elements
   */
  public <U> U twoTreeAggregate(
      ReduceOp.SerializableSupplier<U> zero, Function2<U, T, U> seqOp, Function2<U, U, U> combOp) {
    return twoTreeAggregate(zero, seqOp, SequenceFold.operator(combOp));
  }

  /**
   * Aggregates all elements, the ranks' aggregates along two trees, and brings the result to the
   * driver. Aggregates that are primitive arrays are combined fastest so, by an operator on arrays.
   *
   * @param zero makes a neutral element, on each executor; arrays are of one length
   * @param seqOp adds an element to an aggregate, which it may change and return; not a part of the
   *     element where an operator on objects changes aggregates
   * @param combOp combines aggregates
   * @param <U> the aggregate's class
   * @return the result; {@code zero.get()} when there are no elements
   */
  public <U> U twoTreeAggregate(
      ReduceOp.SerializableSupplier<U> zero, Function2<U, T, U> seqOp, ReduceOp<? super U> combOp) {
    SequenceFold.checkZero(zero, combOp);
    return aggregate("twoTreeAggregate", zero, seqOp, combOp);
  }

  @SuppressWarnings("unchecked")
  private <U> U aggregate(
      String operation,
      ReduceOp.SerializableSupplier<U> zero,
      Function2<U, T, U> seqOp,
      ReduceOp<? super U> combOp) {
    String algorithm = twoTree();
    CollectiveConf conf =
        Preconditions.check(context, operation, Collective.REDUCE, algorithm, combOp);
    Combiner fold = new SequenceFold<>(zero, seqOp, combOp);
    @Nullable U result = (U) reduceOrNull(operation, conf, fold, algorithm);
    return result == null ? SequenceFold.made(zero) : result;
  }

  /**
   * One step of an iteration in one job: sends a value of the driver to all ranks, which aggregate
   * the elements with it, and brings the combination of all aggregates to the driver, both along
   * two trees. In place of a broadcast and an aggregation.
   *
   * @param value any serializable value, such as the weights of a model; ranks of one executor
   *     share a copy of it and read it at the same time
   * @param zero makes a neutral element, on each executor, which may be combined any number of
   *     times; arrays are of one length
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
    String operation = "twoTreeAggregateWith";
    VectorErrors.requireValue(value, () -> "the value of " + operation);
    String algorithm = twoTree();
    CollectiveConf conf =
        Preconditions.check(context, operation, Collective.REDUCE, algorithm, combOp);
    if (jobs.partitions(operation) == 0) {
      return SequenceFold.made(zero);
    }
    SequenceFold.checkZero(zero, combOp);
    SentValue sent = Preconditions.stored(context, operation, () -> SentValue.of(value));
    try {
      if (sent.withTasks()) { // so nobody has to wait for it
        return aggregate(operation, zero, new BoundStep<>(sent, seqOp), combOp);
      }
      StepBody<V, T, U> body = new StepBody<>(sent, zero, seqOp, combOp, algorithm);
      boolean consecutive = !combOp.commutative() || conf.get(Settings.REPRODUCIBLE);
      return requireNonNull(
          jobs.run(operation, conf, body, Admission.ALL, consecutive).<U>onlyValue());
    } finally {
      if (!context.isStopped()) {
        sent.release();
      }
    }
  }

  /**
   * Replaces each element by the combination of all up to and including it, along two trees.
   *
   * @param op the operator
   * @return an RDD with the same partitions. Its elements are made when it is computed, from this
   *     RDD's, which is computed again unless it is cached; what precedes each partition is found
   *     now and kept on the executors until nothing refers to the new RDD or it is unpersisted
   */
  public JavaRDD<T> twoTreeScan(ReduceOp<? super T> op) {
    return scan("twoTreeScan", false, op, twoTree());
  }

  /**
   * As {@link #twoTreeScan}, by a given algorithm. It is one of the exclusive scan, by which a
   * partition learns what precedes it.
   *
   * @param op the operator
   * @param algorithm the algorithm's slug, or null for the cheapest
   * @return an RDD with the same partitions
   */
  public JavaRDD<T> scan(ReduceOp<? super T> op, @Nullable String algorithm) {
    return scan("scan", false, op, algorithm);
  }

  /**
   * Replaces each element by the combination of all before it, along two trees, and the first by
   * the operator's neutral element.
   *
   * @param op the operator, which has a neutral element
   * @return an RDD with the same partitions, made as that of {@link #twoTreeScan}
   */
  public JavaRDD<T> twoTreeExscan(ReduceOp<? super T> op) {
    return scan("twoTreeExscan", true, op, twoTree());
  }

  /**
   * As {@link #twoTreeExscan}, by a given algorithm.
   *
   * @param op the operator, which has a neutral element
   * @param algorithm the algorithm's slug, or null for the cheapest
   * @return an RDD with the same partitions
   */
  public JavaRDD<T> exscan(ReduceOp<? super T> op, @Nullable String algorithm) {
    return scan("exscan", true, op, algorithm);
  }

  private JavaRDD<T> scan(
      String operation, boolean exclusive, ReduceOp<? super T> op, @Nullable String algorithm) {
    CollectiveConf conf = jobs.check(operation, Collective.EXSCAN, algorithm, op);
    Combiner fold = new Combiner(op);
    if (exclusive) {
      fold.requireNeutral();
    }
    ScanBody body = new ScanBody(fold, algorithm);
    JobRunner.Outcome outcome = jobs.elements(operation, conf, body);
    BitSet preceded = new BitSet();
    for (@Nullable Object value : outcome.values()) {
      ByteBuffer partitions = ByteBuffer.wrap(value == null ? new byte[0] : (byte[]) value);
      while (partitions.hasRemaining()) {
        preceded.set(partitions.getInt());
      }
    }
    ExecutorBroadcast<?> prefixes = outcome.stored().broadcast();
    return StoredRdd.besideInput(
        rdd.mapPartitionsWithIndex(new ScanElements<>(op, exclusive, prefixes, preceded), false),
        prefixes);
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
    String operation = "reduceScatter";
    CollectiveConf conf = jobs.check(operation, Collective.REDUCE_SCATTER, algorithm, op);
    if (op.onObjects()) {
      throw VectorErrors.wholeObjects(op.name());
    }
    int pieces = jobs.partitions(operation);
    return jobs.parts(
        operation, conf, new ReduceScatterBody(Combiner.ofParts(op), pieces, algorithm));
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
    String operation = "allGather";
    CollectiveConf conf = jobs.check(operation, Collective.ALLGATHER, algorithm, null);
    GatherBody body = new GatherBody(new Concatenator(), algorithm, true);
    StoredValues stored = jobs.elements(operation, conf, body).stored();
    return jobs.recomputed(
        stored.broadcast(), again -> new RddCollectives<>(again).allGather(algorithm));
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
    String operation = "gather";
    CollectiveConf conf = jobs.check(operation, Collective.GATHER, algorithm, null);
    GatherBody body = new GatherBody(new Concatenator(), algorithm, false);
    JobRunner.Outcome outcome = jobs.elements(operation, conf, body);
    return requireNonNull(outcome.onlyValue());
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
    String operation = "allToAll";
    CollectiveConf conf = jobs.check(operation, Collective.ALLTOALL, algorithm, null);
    int pieces = jobs.partitions(operation);
    return jobs.parts(operation, conf, new AllToAllBody(new Concatenator(), pieces, algorithm));
  }

  /**
   * Runs a program on all ranks at once, that may do as many collectives as it likes. There are as
   * many ranks as partitions, or, where these are more than the slots of the executors, as slots;
   * then each has consecutive partitions. Accumulators may count twice where an executor is lost:
   * the program runs again, in what is another job to Spark.
   *
   * @param program what each rank does with the elements of its partitions, end to end
   * @param <R> the class of its results
   * @return all ranks' results, one partition per rank, kept on the executors until nothing refers
   *     to the RDD or it is unpersisted; as of a cached RDD, its elements are not to be changed in
   *     place
   */
  public <R> JavaRDD<R> collectively(CollectiveFunction<T, R> program) {
    String operation = program instanceof NamedProgram named ? named.operation() : "collectively";
    VectorErrors.requireGiven(program, "program", operation + " runs one on all ranks");
    CollectiveConf conf = Preconditions.check(context, operation);
    JavaSparkContext java = JavaSparkContext.fromSparkContext(context);
    if (jobs.partitions(operation) == 0) {
      return java.emptyRDD();
    }
    JobRunner.Outcome outcome =
        jobs.run(operation, conf, new SpmdBody<>(program), Admission.ALL, true);
    return SpmdResults.rdd(java, outcome.stored(), outcome.ranks());
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
   * @param algorithm the algorithm's slug, {@code "two-trees"} for calls with these in their name,
   *     or null for the cheapest, and for any call where results are reproducible
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
    return new RddExplainer<>(rdd, collective, op).explain(algorithm, element);
  }
}
