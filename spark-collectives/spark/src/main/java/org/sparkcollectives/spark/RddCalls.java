package org.sparkcollectives.spark;

import static java.util.Objects.requireNonNull;

import java.lang.ref.WeakReference;
import java.nio.ByteBuffer;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import org.apache.spark.SparkContext;
import org.apache.spark.api.java.JavaRDD;
import org.apache.spark.api.java.JavaSparkContext;
import org.apache.spark.api.java.function.Function2;
import org.apache.spark.api.java.function.Function3;
import org.apache.spark.broadcast.Broadcast;
import org.apache.spark.rdd.RDD;
import org.jspecify.annotations.Nullable;
import org.sparkcollectives.internal.vector.VectorErrors;
import org.sparkcollectives.schedule.Collective;
import org.sparkcollectives.spark.internal.body.AllToAllBody;
import org.sparkcollectives.spark.internal.body.BoundStep;
import org.sparkcollectives.spark.internal.body.GatherBody;
import org.sparkcollectives.spark.internal.body.Plan;
import org.sparkcollectives.spark.internal.body.RankBody;
import org.sparkcollectives.spark.internal.body.ReduceBody;
import org.sparkcollectives.spark.internal.body.ReduceScatterBody;
import org.sparkcollectives.spark.internal.body.ScanBody;
import org.sparkcollectives.spark.internal.body.SentValue;
import org.sparkcollectives.spark.internal.body.SpmdBody;
import org.sparkcollectives.spark.internal.body.StepBody;
import org.sparkcollectives.spark.internal.body.VectorBody;
import org.sparkcollectives.spark.internal.body.VectorRank;
import org.sparkcollectives.spark.internal.conf.CollectiveConf;
import org.sparkcollectives.spark.internal.conf.Settings;
import org.sparkcollectives.spark.internal.input.Combiner;
import org.sparkcollectives.spark.internal.input.Concatenator;
import org.sparkcollectives.spark.internal.input.Lineage;
import org.sparkcollectives.spark.internal.input.Ranks;
import org.sparkcollectives.spark.internal.input.SequenceFold;
import org.sparkcollectives.spark.internal.job.JobRunner;
import org.sparkcollectives.spark.internal.job.Preconditions;
import org.sparkcollectives.spark.internal.rendezvous.Admission;
import org.sparkcollectives.spark.internal.result.ExecutorBroadcast;
import org.sparkcollectives.spark.internal.result.ScanElements;
import org.sparkcollectives.spark.internal.result.SpmdResults;
import org.sparkcollectives.spark.internal.result.StoredParts;
import org.sparkcollectives.spark.internal.result.StoredValues;
import org.sparkcollectives.vector.ReduceOp;
import scala.reflect.ClassTag;

/**
 * The calls behind {@link RddCollectives}: checks, the barrier job, and what its ranks left as the
 * caller gets it.
 *
 * @param <T> the elements' class
 */
final class RddCalls<T> {
  static final String TWO_TREE = "two-tree";

  private final JavaRDD<T> rdd;
  private final SparkContext context;

  RddCalls(JavaRDD<T> rdd) {
    this.rdd = rdd;
    this.context = rdd.context();
  }

  Broadcast<T> allReduce(String operation, ReduceOp<? super T> op, @Nullable String algorithm) {
    CollectiveConf conf =
        Preconditions.check(context, operation, Collective.ALLREDUCE, algorithm, op);
    ReduceBody body = new ReduceBody(Combiner.ofWhole(op), algorithm, true);
    JobRunner.Outcome outcome = requireElements(vectors(operation, conf, body, 1));
    T small = outcome.onlyValue();
    StoredValues stored = outcome.stored();
    return small == null
        ? recomputed(
            stored.broadcast(0), again -> new RddCalls<>(again).allReduce(operation, op, algorithm))
        : ExecutorBroadcast.ofSmall(stored.base(), small);
  }

  @SuppressWarnings("unchecked")
  T reduce(String operation, ReduceOp<? super T> op, @Nullable String algorithm) {
    @Nullable T result = (T) reduceOrNull(operation, Combiner.ofWhole(op), algorithm);
    if (result == null) {
      throw new UnsupportedOperationException("empty collection");
    }
    return result;
  }

  @SuppressWarnings("unchecked")
  <U> U aggregate(
      String operation,
      ReduceOp.SerializableSupplier<U> zero,
      Function2<U, T, U> seqOp,
      ReduceOp<? super U> combOp) {
    Combiner fold = new SequenceFold<>(zero, seqOp, combOp);
    @Nullable U result = (U) reduceOrNull(operation, fold, TWO_TREE);
    return result == null ? zero.get() : result;
  }

  <V, U> U aggregateWith(
      String operation,
      V value,
      ReduceOp.SerializableSupplier<U> zero,
      Function3<V, U, T, U> seqOp,
      ReduceOp<? super U> combOp) {
    VectorErrors.requireValue(value, () -> "the value of " + operation);
    CollectiveConf conf =
        Preconditions.check(context, operation, Collective.REDUCE, TWO_TREE, combOp);
    if (rdd.getNumPartitions() == 0) {
      return zero.get();
    }
    SentValue sent = SentValue.of(value);
    try {
      if (sent.withTasks()) { // so nobody has to wait for it
        return aggregate(operation, zero, new BoundStep<>(sent, seqOp), combOp);
      }
      StepBody<V, T, U> body = new StepBody<>(sent, zero, seqOp, combOp, TWO_TREE);
      boolean consecutive = !combOp.commutative() || conf.get(Settings.REPRODUCIBLE);
      return requireNonNull(
          run(operation, conf, body, Admission.ALL, consecutive, 1).<U>onlyValue());
    } finally {
      if (!context.isStopped()) {
        sent.release();
      }
    }
  }

  private @Nullable Object reduceOrNull(
      String operation, Combiner fold, @Nullable String algorithm) {
    CollectiveConf conf =
        Preconditions.check(context, operation, Collective.REDUCE, algorithm, fold.op());
    ReduceBody body = new ReduceBody(fold, algorithm, false);
    return vectors(operation, conf, body, 1).onlyValue();
  }

  JavaRDD<T> scan(
      String operation, boolean exclusive, ReduceOp<? super T> op, @Nullable String algorithm) {
    CollectiveConf conf = Preconditions.check(context, operation, Collective.EXSCAN, algorithm, op);
    ScanBody body = new ScanBody(new Combiner(op), algorithm, exclusive);
    JobRunner.Outcome outcome =
        requireElements(vectors(operation, conf, body, rdd.getNumPartitions()));
    Map<Integer, ExecutorBroadcast<Object>> prefixes = new HashMap<>();
    for (@Nullable Object value : outcome.values()) {
      ByteBuffer partitions = ByteBuffer.wrap(value == null ? new byte[0] : (byte[]) value);
      while (partitions.hasRemaining()) {
        int partition = partitions.getInt();
        prefixes.put(partition, outcome.stored().broadcast(partition));
      }
    }
    return rdd.mapPartitionsWithIndex(new ScanElements<>(op, exclusive, prefixes), true);
  }

  JavaRDD<T> reduceScatter(ReduceOp<? super T> op, @Nullable String algorithm) {
    String operation = "reduceScatter";
    CollectiveConf conf =
        Preconditions.check(context, operation, Collective.REDUCE_SCATTER, algorithm, op);
    if (op.onObjects()) {
      throw VectorErrors.wholeObjects(op.name());
    }
    int pieces = rdd.getNumPartitions();
    return parts(operation, conf, new ReduceScatterBody(Combiner.ofParts(op), pieces, algorithm));
  }

  Broadcast<T> allGather(@Nullable String algorithm) {
    String operation = "allGather";
    CollectiveConf conf =
        Preconditions.check(context, operation, Collective.ALLGATHER, algorithm, null);
    GatherBody body = new GatherBody(new Concatenator(), algorithm, true);
    StoredValues stored = requireElements(vectors(operation, conf, body, 1)).stored();
    return recomputed(stored.broadcast(0), again -> new RddCalls<>(again).allGather(algorithm));
  }

  T gather(@Nullable String algorithm) {
    String operation = "gather";
    CollectiveConf conf =
        Preconditions.check(context, operation, Collective.GATHER, algorithm, null);
    GatherBody body = new GatherBody(new Concatenator(), algorithm, false);
    JobRunner.Outcome outcome = requireElements(vectors(operation, conf, body, 0));
    return requireNonNull(outcome.onlyValue());
  }

  JavaRDD<T> allToAll(@Nullable String algorithm) {
    String operation = "allToAll";
    CollectiveConf conf =
        Preconditions.check(context, operation, Collective.ALLTOALL, algorithm, null);
    int pieces = rdd.getNumPartitions();
    return parts(operation, conf, new AllToAllBody(new Concatenator(), pieces, algorithm));
  }

  <R> JavaRDD<R> collectively(CollectiveFunction<T, R> program) {
    String operation = "collectively";
    CollectiveConf conf = Preconditions.check(context, operation);
    JavaSparkContext java = JavaSparkContext.fromSparkContext(context);
    if (rdd.getNumPartitions() == 0) {
      return java.emptyRDD();
    }
    JobRunner.Outcome outcome =
        run(operation, conf, new SpmdBody<>(program), Admission.ALL, true, rdd.getNumPartitions());
    List<ExecutorBroadcast<Object[]>> results =
        outcome.stored().first(outcome.ranks()).broadcasts();
    return Ranks.numbered(java, outcome.ranks()).flatMap(new SpmdResults<>(results));
  }

  RddExplainer<T> explainer(Collective collective, @Nullable ReduceOp<? super T> op) {
    return new RddExplainer<>(rdd, collective, op);
  }

  /** One element in each partition, as the ranks have stored them. */
  private JavaRDD<T> parts(String operation, CollectiveConf conf, VectorBody body) {
    JobRunner.Outcome outcome =
        requireElements(vectors(operation, conf, body, rdd.getNumPartitions()));
    return StoredParts.rdd(JavaSparkContext.fromSparkContext(context), outcome.stored(), null);
  }

  /** A result that the driver computes again when it is lost, if the RDD is still there. */
  private Broadcast<T> recomputed(
      ExecutorBroadcast<T> result, Function<JavaRDD<T>, Broadcast<T>> call) {
    WeakReference<RDD<T>> source = new WeakReference<>(rdd.rdd());
    ClassTag<T> tag = rdd.classTag();
    return result.orElse(
        () -> {
          RDD<T> known = source.get();
          if (known == null) {
            return null;
          }
          Broadcast<T> again = call.apply(new JavaRDD<>(known, tag));
          try {
            return again.value();
          } finally {
            again.destroy();
          }
        });
  }

  private static JobRunner.Outcome requireElements(JobRunner.Outcome outcome) {
    if (outcome.admitted() == 0) {
      throw new UnsupportedOperationException("empty collection");
    }
    return outcome;
  }

  private JobRunner.Outcome vectors(
      String operation, CollectiveConf conf, VectorBody body, int results) {
    if (rdd.getNumPartitions() == 0) {
      return new JobRunner.Outcome(List.of(), 0, 0, StoredValues.reserve(context, 0));
    }
    return run(
        operation,
        conf,
        new VectorRank(body, conf),
        Admission.WITH_VECTOR,
        body.ordered() || conf.get(Settings.REPRODUCIBLE),
        results);
  }

  private JobRunner.Outcome run(
      String operation,
      CollectiveConf conf,
      RankBody body,
      Admission admission,
      boolean consecutive,
      int results) {
    Lineage lineage = Lineage.of(rdd.rdd());
    int needed = Preconditions.checkLineage(lineage, operation);
    JobRunner.Outcome outcome =
        new JobRunner(context, operation, conf, lineage.resources())
            .run(admission, needed, results, slots -> Plan.of(lineage, slots, consecutive, body));
    rdd.rdd().doCheckpoint(); // as after any action; Spark does not see through the ranks' RDD
    return outcome;
  }
}
