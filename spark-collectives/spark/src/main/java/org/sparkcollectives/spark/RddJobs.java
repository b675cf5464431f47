package org.sparkcollectives.spark;

import java.lang.ref.WeakReference;
import java.util.List;
import java.util.function.Function;
import org.apache.spark.SparkContext;
import org.apache.spark.api.java.JavaRDD;
import org.apache.spark.api.java.JavaSparkContext;
import org.apache.spark.broadcast.Broadcast;
import org.apache.spark.rdd.RDD;
import org.jspecify.annotations.Nullable;
import org.sparkcollectives.schedule.Collective;
import org.sparkcollectives.spark.internal.body.Plan;
import org.sparkcollectives.spark.internal.body.RankBody;
import org.sparkcollectives.spark.internal.body.VectorBody;
import org.sparkcollectives.spark.internal.body.VectorRank;
import org.sparkcollectives.spark.internal.conf.CollectiveConf;
import org.sparkcollectives.spark.internal.conf.Settings;
import org.sparkcollectives.spark.internal.input.Lineage;
import org.sparkcollectives.spark.internal.input.VectorAdapters;
import org.sparkcollectives.spark.internal.job.JobRunner;
import org.sparkcollectives.spark.internal.job.Preconditions;
import org.sparkcollectives.spark.internal.rendezvous.Admission;
import org.sparkcollectives.spark.internal.result.ExecutorBroadcast;
import org.sparkcollectives.spark.internal.result.StoredParts;
import org.sparkcollectives.spark.internal.result.StoredValues;
import org.sparkcollectives.vector.ReduceOp;
import scala.reflect.ClassTag;

/**
 * The barrier jobs of the calls of {@link RddCollectives} on one RDD, and what their ranks left as
 * the caller gets it.
 *
 * @param <T> the elements' class
 */
final class RddJobs<T> {
  private final JavaRDD<T> rdd;
  private final SparkContext context;

  RddJobs(JavaRDD<T> rdd) {
    this.rdd = rdd;
    this.context = rdd.context();
  }

  /**
   * As {@link Preconditions#check}, for a call whose results have the elements' class. What an
   * operator on objects makes of them is its own.
   */
  CollectiveConf check(
      String operation,
      Collective collective,
      @Nullable String algorithm,
      @Nullable ReduceOp<?> op) {
    CollectiveConf conf = Preconditions.check(context, operation, collective, algorithm, op);
    if (op == null || !op.onObjects()) {
      VectorAdapters.requireResults(rdd.classTag().runtimeClass());
    }
    return conf;
  }

  /** How many partitions the RDD has, which Spark may only find out now. */
  int partitions(String operation) {
    return Preconditions.unlessStopped(context, operation, rdd::getNumPartitions);
  }

  /** One element in each partition, as the ranks have stored them. */
  JavaRDD<T> parts(String operation, CollectiveConf conf, VectorBody body) {
    StoredValues stored = elements(operation, conf, body).stored();
    JavaSparkContext java = JavaSparkContext.fromSparkContext(context);
    return StoredParts.rdd(java, stored, rdd.getNumPartitions(), null);
  }

  /** A result that the driver computes again when it is lost, if the RDD is still there. */
  Broadcast<T> recomputed(ExecutorBroadcast<T> result, Function<JavaRDD<T>, Broadcast<T>> call) {
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

  /** What Spark throws where there is nothing to reduce. */
  static UnsupportedOperationException noElements() {
    return new UnsupportedOperationException("empty collection");
  }

  /** As {@link #vectors}, where it is an error if no partition has elements. */
  JobRunner.Outcome elements(String operation, CollectiveConf conf, VectorBody body) {
    JobRunner.Outcome outcome = vectors(operation, conf, body);
    if (outcome.admitted() == 0) {
      throw noElements();
    }
    return outcome;
  }

  /** Ranks that meet with a vector each, those of partitions with elements. */
  JobRunner.Outcome vectors(String operation, CollectiveConf conf, VectorBody body) {
    if (partitions(operation) == 0) {
      return new JobRunner.Outcome(List.of(), 0, 0, StoredValues.reserve(context));
    }
    return run(
        operation,
        conf,
        new VectorRank(body, conf),
        Admission.WITH_VECTOR,
        body.ordered() || conf.get(Settings.REPRODUCIBLE));
  }

  /** A barrier job over the partitions of the RDD, dealt to ranks. */
  JobRunner.Outcome run(
      String operation,
      CollectiveConf conf,
      RankBody body,
      Admission admission,
      boolean consecutive) {
    return Preconditions.unlessStopped(
        context,
        operation,
        () -> {
          Lineage lineage = Lineage.of(rdd.rdd());
          int needed = Preconditions.checkLineage(lineage, operation);
          JobRunner runner = new JobRunner(context, operation, conf, lineage.resources());
          JobRunner.Outcome outcome =
              runner.run(admission, needed, slots -> Plan.of(lineage, slots, consecutive, body));
          runner.checkpoint(rdd.rdd(), outcome);
          return outcome;
        });
  }
}
