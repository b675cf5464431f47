package org.sparkcollectives.ml.internal.takeover;

import breeze.linalg.DenseMatrix;
import breeze.optimize.FirstOrderMinimizer;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.BiFunction;
import java.util.function.Supplier;
import org.apache.spark.SparkContext;
import org.apache.spark.TaskContext;
import org.apache.spark.broadcast.Broadcast;
import org.apache.spark.ml.classification.LinearSVC;
import org.apache.spark.ml.classification.LogisticRegression;
import org.apache.spark.ml.clustering.GaussianMixture;
import org.apache.spark.ml.linalg.DenseVector;
import org.apache.spark.ml.regression.AFTSurvivalRegression;
import org.apache.spark.ml.regression.LinearRegression;
import org.apache.spark.ml.util.Instrumentation;
import org.apache.spark.mllib.clustering.KMeans;
import org.apache.spark.mllib.clustering.VectorWithNorm;
import org.apache.spark.mllib.feature.VocabWord;
import org.apache.spark.mllib.feature.Word2Vec;
import org.apache.spark.mllib.linalg.Vector;
import org.apache.spark.mllib.optimization.Gradient;
import org.apache.spark.mllib.optimization.Updater;
import org.apache.spark.rdd.RDD;
import org.apache.spark.sql.Dataset;
import org.jspecify.annotations.Nullable;
import org.sparkcollectives.error.AbortedException;
import org.sparkcollectives.error.CollectiveException;
import org.sparkcollectives.error.InvalidInputException;
import org.sparkcollectives.internal.error.ErrorText;
import org.sparkcollectives.ml.internal.agent.WovenMethod;
import org.sparkcollectives.ml.internal.estimator.HingeTraining;
import org.sparkcollectives.ml.internal.estimator.KMeansTraining;
import org.sparkcollectives.ml.internal.estimator.LinearTraining;
import org.sparkcollectives.ml.internal.estimator.LogisticTraining;
import org.sparkcollectives.ml.internal.estimator.MixtureTraining;
import org.sparkcollectives.ml.internal.estimator.SurvivalTraining;
import org.sparkcollectives.ml.internal.estimator.Word2VecTraining;
import org.sparkcollectives.ml.internal.objective.MiniBatches;
import org.sparkcollectives.ml.internal.state.Turn;
import org.sparkcollectives.ml.internal.training.Descent;
import org.sparkcollectives.ml.internal.training.Training;
import org.sparkcollectives.spark.internal.conf.CollectiveConf;
import org.sparkcollectives.spark.internal.conf.Settings;
import org.sparkcollectives.spark.internal.input.Calls;
import org.sparkcollectives.spark.internal.job.Preconditions;
import scala.NotImplementedError;
import scala.Option;
import scala.Tuple2;
import scala.collection.Iterable;
import scala.collection.mutable.HashMap;

/**
 * The answers to the woven methods of one application. Whatever it cannot do or fails to do is left
 * to Spark's own code, and the log says so. For any thread of the driver.
 */
final class TakeOver {
  /** Set while a thread is in here, so that what the library calls itself is Spark's. */
  private static final ThreadLocal<Boolean> INSIDE = ThreadLocal.withInitial(() -> false);

  /** The turn of the {@code train} that a thread has called last. */
  private static final ThreadLocal<Turn> TRAIN = ThreadLocal.withInitial(Turn::new);

  /** The methods that call {@code iterations} where they are left to Spark. */
  private static final Set<String> TRAINS =
      Set.of(
          WovenMethod.LOGISTIC_REGRESSION.key(),
          WovenMethod.LINEAR_SVC.key(),
          WovenMethod.LINEAR_REGRESSION.key(),
          WovenMethod.SURVIVAL_REGRESSION.key());

  private final SparkContext context;
  private final Aggregations aggregations;
  private final Broadcasts broadcasts;
  private final Counts counts = new Counts();
  private final Failures failures;

  TakeOver(SparkContext context, CollectiveConf conf) {
    this.context = context;
    this.failures = new Failures(context, conf.get(Settings.START_TIMEOUT));
    this.aggregations = new Aggregations(conf.get(Settings.MLLIB_MIN_BYTES), counts);
    this.broadcasts = new Broadcasts(context, counts);
  }

  /** What has been done so far; it goes on counting. */
  Counts counts() {
    return counts;
  }

  /** Who is asked by the woven methods. */
  Map<String, BiFunction<Object, Object[], Object[]>> answers() {
    return Map.ofEntries(
        entry(WovenMethod.TREE_AGGREGATE, this::aggregate),
        entry(WovenMethod.TREE_REDUCE, this::reduce),
        entry(WovenMethod.BROADCAST, this::broadcast),
        entry(WovenMethod.ITERATIONS, this::optimise),
        entry(WovenMethod.MINI_BATCHES, this::miniBatches),
        entry(
            WovenMethod.LOGISTIC_REGRESSION,
            estimator(LogisticRegression.class, LogisticTraining::trained)),
        entry(WovenMethod.LINEAR_SVC, estimator(LinearSVC.class, HingeTraining::trained)),
        entry(
            WovenMethod.LINEAR_REGRESSION,
            estimator(LinearRegression.class, LinearTraining::trainedIfKnown)),
        entry(
            WovenMethod.SURVIVAL_REGRESSION,
            estimator(AFTSurvivalRegression.class, SurvivalTraining::trained)),
        entry(WovenMethod.CLUSTERS_OF_ROWS, this::clustersOfRows),
        entry(WovenMethod.CLUSTERS_OF_BLOCKS, this::clustersOfBlocks),
        entry(WovenMethod.MIXTURE, this::mixture),
        entry(WovenMethod.WORD_VECTORS, this::wordVectors));
  }

  private static Map.Entry<String, BiFunction<Object, Object[], Object[]>> entry(
      WovenMethod method, BiFunction<Object, Object[], Object[]> answer) {
    return Map.entry(method.key(), answer);
  }

  /** The answer to {@code treeAggregate(zero, seqOp, combOp, depth, finalOnExecutor, tag)}. */
  private @Nullable Object @Nullable [] aggregate(Object rdd, Object[] arguments) {
    boolean inReduce = KnownCallers.isOfReduce(arguments[2]); // which was asked before
    return answer(
        () -> !inReduce && ours((RDD<?>) rdd), () -> aggregations.tree((RDD<?>) rdd, arguments));
  }

  /** The answer to {@code treeReduce(f, depth)}. */
  private @Nullable Object @Nullable [] reduce(Object rdd, Object[] arguments) {
    return answer(() -> ours((RDD<?>) rdd), () -> aggregations.reduce((RDD<?>) rdd, arguments));
  }

  /** The answer to {@code broadcast(value, tag)}, which Spark itself calls for every stage. */
  private @Nullable Object @Nullable [] broadcast(Object sender, Object[] arguments) {
    return arguments[0] instanceof DenseMatrix<?> matrix
            && Broadcasts.isLarge(matrix)
            && KnownCallers.sendsTopics()
        ? answer(() -> sender == context && broadcasts.pay(), () -> broadcasts.send(matrix))
        : null;
  }

  /** The answer to {@code iterations(f, init)}. */
  private @Nullable Object @Nullable [] optimise(Object minimizer, Object[] arguments) {
    return training(
        inTrain() ? TRAIN.get() : new Turn(),
        "training",
        () -> Training.isOfRows(arguments[0]), // others compute at the driver
        () ->
            Training.iterations((FirstOrderMinimizer<?, ?>) minimizer, arguments[0], arguments[1]));
  }

  /** Whether one of {@link #TRAINS} is among the callers. */
  private static boolean inTrain() {
    return StackWalker.getInstance()
        .walk(
            frames ->
                frames.anyMatch(
                    frame -> TRAINS.contains(frame.getClassName() + "." + frame.getMethodName())));
  }

  /** The answer to {@code runMiniBatchSGD}. */
  @SuppressWarnings("unchecked")
  private @Nullable Object @Nullable [] miniBatches(Object unused, Object[] arguments) {
    RDD<Tuple2<Object, Vector>> rows = (RDD<Tuple2<Object, Vector>>) arguments[0];
    return training(
        new Turn(),
        "batches",
        () -> ours(rows),
        () ->
            Descent.miniBatches(
                rows,
                new MiniBatches(
                    (Gradient) arguments[1],
                    (Updater) arguments[2],
                    (double) arguments[3],
                    (int) arguments[4],
                    (double) arguments[5],
                    (double) arguments[6],
                    (Vector) arguments[7],
                    (double) arguments[8])));
  }

  /**
   * A training of one of MLlib's estimators from data to its model.
   *
   * @param <E> the estimator's class
   */
  @FunctionalInterface
  private interface WholeTraining<E> {
    Optional<?> of(E estimator, Dataset<?> rows, Instrumentation log);
  }

  /**
   * The answer to {@code train(dataset)} of an estimator of this class and none that extends it,
   * which may do something else. Where there is none, what MLlib's {@code train} calls is asked and
   * counted in its turn.
   */
  private <E> BiFunction<Object, Object[], Object[]> estimator(
      Class<E> type, WholeTraining<E> training) {
    return (estimator, arguments) -> {
      Dataset<?> rows = (Dataset<?>) arguments[0];
      Turn turn = new Turn();
      TRAIN.set(turn);
      return mayAsk(() -> estimator.getClass() == type && ours(rows)) && failures.isReady()
          ? attempted(
              turn,
              () -> {
                Instrumentation log = new Instrumentation();
                Optional<?> model = training.of(type.cast(estimator), rows, log);
                model.ifPresent(unused -> log.logSuccess());
                return trained(model);
              })
          : null;
    };
  }

  /** The answer to {@code runAlgorithmWithWeight(data, instrumentation)}. */
  @SuppressWarnings("unchecked")
  private @Nullable Object @Nullable [] clustersOfRows(Object estimator, Object[] arguments) {
    RDD<VectorWithNorm> rows = (RDD<VectorWithNorm>) arguments[0];
    return training(
        new Turn(),
        "clusters",
        () -> ours(rows),
        () ->
            rows.getNumPartitions() == 0
                ? Optional.empty()
                : Optional.of(
                    KMeansTraining.ofRows(
                        (KMeans) estimator, rows, (Option<Instrumentation>) arguments[1])));
  }

  /** The answer to {@code trainWithBlock(dataset, instrumentation)}. */
  private @Nullable Object @Nullable [] clustersOfBlocks(Object estimator, Object[] arguments) {
    var asked = (org.apache.spark.ml.clustering.KMeans) estimator;
    Dataset<?> data = (Dataset<?>) arguments[0];
    return training(
        new Turn(),
        "clusters",
        () -> ours(data),
        () ->
            Optional.of(
                KMeansTraining.ofBlocks( // the choice from data as they are, which is MLlib's
                    asked,
                    data,
                    data,
                    KMeansTraining.rows(asked, data),
                    (Instrumentation) arguments[1])));
  }

  /** The answer to {@code trainImpl(instances, weights, gaussians, numFeatures, instr)}. */
  @SuppressWarnings("unchecked")
  private @Nullable Object @Nullable [] mixture(Object estimator, Object[] arguments) {
    RDD<Tuple2<org.apache.spark.ml.linalg.Vector, Object>> rows =
        (RDD<Tuple2<org.apache.spark.ml.linalg.Vector, Object>>) arguments[0];
    return training(
        new Turn(),
        "mixture",
        () -> ours(rows),
        () ->
            MixtureTraining.trained(
                (GaussianMixture) estimator,
                rows,
                (double[]) arguments[1],
                (Tuple2<DenseVector, DenseVector>[]) arguments[2],
                (int) arguments[3],
                (Instrumentation) arguments[4]));
  }

  /** The answer to {@code doFit(dataset, sc, expTable, bcVocab, bcVocabHash)}. */
  @SuppressWarnings("unchecked")
  private @Nullable Object @Nullable [] wordVectors(Object estimator, Object[] arguments) {
    RDD<Iterable<String>> sentences = (RDD<Iterable<String>>) arguments[0];
    return training(
        new Turn(),
        "words",
        () -> ours(sentences),
        () ->
            Word2VecTraining.trained(
                (Word2Vec) estimator,
                sentences,
                (Broadcast<float[]>) arguments[2],
                (Broadcast<VocabWord[]>) arguments[3],
                (Broadcast<HashMap<String, Object>>) arguments[4]));
  }

  /** The answer to a loop, which has a number of its kind, whoever runs it. */
  private @Nullable Object @Nullable [] training(
      Turn turn, String kind, Supplier<Boolean> ours, Supplier<Optional<?>> work) {
    if (!mayAsk(ours)) {
      return null;
    }
    @Nullable Object @Nullable [] answer = answer(turn, () -> trained(work.get()));
    if (answer == null) {
      turn.pass(context, kind);
    }
    return answer;
  }

  private @Nullable Object @Nullable [] trained(Optional<?> result) {
    result.ifPresent(unused -> counts.training());
    return result.map(found -> new Object[] {found}).orElse(null);
  }

  private boolean ours(RDD<?> rdd) {
    return rdd.context() == context;
  }

  private boolean ours(Dataset<?> rows) {
    return rows.sparkSession().sparkContext() == context;
  }

  private @Nullable Object @Nullable [] answer(
      Supplier<Boolean> ours, Supplier<@Nullable Object @Nullable []> work) {
    return mayAsk(ours) ? answer(new Turn(), work) : null;
  }

  private @Nullable Object @Nullable [] answer(
      Turn turn, Supplier<@Nullable Object @Nullable []> work) {
    @Nullable Object @Nullable [] answer = failures.isReady() ? attempted(turn, work) : null;
    if (answer == null) {
      counts.left();
    }
    return answer;
  }

  /** Whether a call is one of the application's that the library may answer. */
  private boolean mayAsk(Supplier<Boolean> ours) {
    boolean task = TaskContext.get() != null; // of an executor in the driver's JVM
    return !task && !INSIDE.get() && !switchedOff() && ours.get();
  }

  /**
   * The answer that some work makes; null where it has none, or fails as Spark's own may not. What
   * forbids all jobs of the library is found before the work, which may begin with jobs of Spark.
   */
  private @Nullable Object @Nullable [] attempted(
      Turn turn, Supplier<@Nullable Object @Nullable []> work) {
    INSIDE.set(true);
    turn.enter();
    try {
      var unused = Preconditions.check(context, "a job of the library");
      return work.get();
    } catch (AbortedException e) {
      throw Calls.<RuntimeException>sneaky(Failures.asSparkThrows(e)); // the user's interruption
    } catch (CollectiveException e) {
      if (context.isStopped() || Failures.cancelled(e)) {
        Throwable thrown = Failures.asSparkThrows(e);
        if (thrown == e && context.isStopped()) {
          return null; // Spark's own code says so
        }
        throw Calls.<RuntimeException>sneaky(thrown);
      }
      failures.leave(e);
    } catch (LinkageError | AssertionError | NotImplementedError e) {
      failures.leave(e);
    } catch (Exception e) { // Spark's code in Scala declares none: a job or its input failed
      if (Failures.interrupted(e) || context.isStopped() || Failures.cancelled(e)) {
        throw Calls.<RuntimeException>sneaky(e);
      }
      failures.leave(Failures.ofRank(e));
    } finally {
      Turn.leave();
      INSIDE.remove();
    }
    return null;
  }

  private boolean switchedOff() {
    String asked = context.getLocalProperty(Settings.MLLIB.key());
    try {
      return context.isStopped() || (asked != null && !Settings.MLLIB.read(asked));
    } catch (InvalidInputException e) {
      failures.say(ErrorText.reason(e));
      return true; // whoever sets it wants something else than what is
    }
  }
}
