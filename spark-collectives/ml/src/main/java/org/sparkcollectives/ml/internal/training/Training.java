package org.sparkcollectives.ml.internal.training;

import static java.util.Objects.requireNonNull;

import breeze.linalg.DenseVector;
import breeze.optimize.CachedDiffFunction;
import breeze.optimize.FirstOrderMinimizer;
import breeze.optimize.FirstOrderMinimizer.State;
import java.io.Serial;
import java.io.Serializable;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.function.Function;
import java.util.stream.IntStream;
import org.apache.spark.SparkEnv;
import org.apache.spark.SparkThrowable;
import org.apache.spark.api.java.JavaRDD;
import org.apache.spark.broadcast.Broadcast;
import org.apache.spark.ml.feature.Instance;
import org.apache.spark.ml.linalg.Vector;
import org.apache.spark.ml.linalg.Vectors;
import org.apache.spark.ml.optim.aggregator.DifferentiableLossAggregator;
import org.apache.spark.ml.optim.loss.DifferentiableRegularization;
import org.apache.spark.ml.optim.loss.RDDLossFunction;
import org.apache.spark.rdd.RDD;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.sparkcollectives.error.InvalidInputException;
import org.sparkcollectives.error.RankFailedException;
import org.sparkcollectives.ml.internal.bridge.DenseVectors;
import org.sparkcollectives.ml.internal.bridge.Hidden;
import org.sparkcollectives.ml.internal.minimizer.Optimizer;
import org.sparkcollectives.ml.internal.objective.CostObjective;
import org.sparkcollectives.ml.internal.objective.OwnObjective;
import org.sparkcollectives.ml.internal.objective.Penalty;
import org.sparkcollectives.ml.internal.rows.RowKind;
import org.sparkcollectives.ml.internal.rows.RowsFunction;
import org.sparkcollectives.ml.internal.state.Checkpoints;
import org.sparkcollectives.spark.CollectiveFunction;
import org.sparkcollectives.spark.internal.events.TrainingEvent;
import org.sparkcollectives.spark.internal.ui.Publisher;
import scala.Function1;
import scala.Option;
import scala.collection.Iterator;
import scala.jdk.javaapi.CollectionConverters;
import scala.reflect.ClassTag$;
import scala.runtime.AbstractFunction1;

/** The entry, at the driver, for estimators and for what calls Breeze's optimisers. */
public final class Training {
  /** What errors, logs and the UI call it. */
  static final String OPERATION = "training";

  private static final Logger LOG = LoggerFactory.getLogger(Training.class);
  private static final double NANOS = 1e-9;
  private static final double MILLIS = 1e-6;
  private static final double MEBIBYTE = 1024 * 1024;

  /** In so many steps, or one more, parts of coefficients come to the driver. */
  private static final int FETCHES = 4;

  private Training() {}

  /**
   * The states of an optimisation, run in one barrier stage, in place of {@link
   * FirstOrderMinimizer#iterations}.
   *
   * @param minimizer the optimiser
   * @param function what it minimises: an {@link RDDLossFunction}, or the function of {@code
   *     mllib.optimization.LBFGS}, cached or not
   * @param initial where it starts: a {@link DenseVector} of doubles
   * @return the states, of which the last alone has a position, and none a gradient; nothing when
   *     the function is none of these, so that the caller goes on by itself
   * @throws org.sparkcollectives.error.InvalidInputException if the optimiser, or what the function
   *     is made of, is not known here or cannot be sent
   */
  public static Optional<Iterator<State<?, ?, ?>>> iterations(
      FirstOrderMinimizer<?, ?> minimizer, Object function, Object initial) {
    Object inner = inner(function);
    if (!isOfRows(function) || !(initial instanceof DenseVector<?>)) {
      return Optional.empty();
    }
    Optimizer optimizer =
        Optimizer.of(minimizer)
            .orElseThrow(
                () ->
                    stepByStep(
                        "the library does not know the optimiser "
                            + minimizer.getClass().getName()
                            + " with its checks of convergence"));
    return isCost(inner)
        ? Descent.iterations(inner, optimizer, vector(initial))
        : Training.<Object, Aggregator>started(inner, optimizer, vector(initial));
  }

  /**
   * Whether a function that an optimiser minimises sums up rows of an RDD.
   *
   * @param function the function
   * @return false where all is computed at the driver, or by code that is not MLlib's
   */
  public static boolean isOfRows(Object function) {
    Object inner = inner(function);
    return isCost(inner) || inner.getClass() == RDDLossFunction.class;
  }

  private static boolean isCost(Object inner) {
    return inner.getClass().getName().equals(CostObjective.MLLIB);
  }

  /** The function itself, of one that caches. */
  private static Object inner(Object function) {
    return function instanceof CachedDiffFunction<?>
        ? requireNonNull(Hidden.field(function, "obj"))
        : function;
  }

  /** Says why a loop that asks for sums stays where it is. */
  static InvalidInputException stepByStep(String cause) {
    return InvalidInputException.of(
        "Its loop is not run in one stage", cause, "use MLlib's own classes where that is wanted");
  }

  /** Stands for any aggregator: what a loss function holds is of its own kind. */
  private interface Aggregator extends DifferentiableLossAggregator<Object, Aggregator> {}

  @SuppressWarnings("unchecked")
  private static <T, A extends DifferentiableLossAggregator<T, A>>
      Optional<Iterator<State<?, ?, ?>>> started(
          Object loss, Optimizer optimizer, DenseVector<Object> initial) {
    RDD<T> rows = (RDD<T>) requireNonNull(Hidden.field(loss, "instances"));
    Function1<Broadcast<Vector>, A> aggregators =
        (Function1<Broadcast<Vector>, A>) requireNonNull(Hidden.field(loss, "getAggregator"));
    if (rows.getNumPartitions() == 0) {
      return Optional.empty();
    }
    var regularization =
        (Option<DifferentiableRegularization<Vector>>)
            requireNonNull(Hidden.field(loss, "regularization"));
    Penalty penalty =
        Penalty.of(regularization)
            .orElseThrow(
                () ->
                    stepByStep(
                        "the library does not know the regularization "
                            + regularization.get().getClass().getName()));
    requireSendable(aggregators);
    String name = rows.name() == null ? "training" : rows.name();
    String training = TrainingProgress.unique(name);
    Vector start = DenseVectors.mllib(initial).compressed();
    RankProgram<T> program =
        RankProgram.ofMllib(
            training,
            aggregators,
            penalty,
            optimizer,
            start,
            Checkpoints.next(rows.context(), "training"),
            Placing.of(rows.context()));

    long began = System.nanoTime();
    Trained trained = joined(rows, program);
    tell(rows, training, name, trained, System.nanoTime() - began);
    return Optional.of(states(trained));
  }

  /**
   * Trains an estimator in one barrier stage, from rows that nobody has seen to coefficients.
   *
   * @param name what is trained
   * @param rows the rows
   * @param recipe what is to be minimised, once it is known what all rows are like
   * @param kind what labels and weights mean
   * @param few whether features that no row has may be left out: their coefficients start at 0
   * @param blockMebibytes about how large a block of rows is
   * @return what it has brought; nothing where MLlib trains nothing or says what is wrong
   */
  public static Optional<Fitted> fit(
      String name,
      RDD<Instance> rows,
      Recipe recipe,
      RowKind kind,
      boolean few,
      double blockMebibytes) {
    if (rows.getNumPartitions() == 0) {
      return Optional.empty();
    }
    String training = TrainingProgress.unique(name);
    long bytes = (long) Math.ceil(blockMebibytes * MEBIBYTE);
    long began = System.nanoTime();
    Checkpoints checkpoints = Checkpoints.next(rows.context(), "training");
    Placing placing = Placing.of(rows.context());
    EstimatorProgram program =
        new EstimatorProgram(training, recipe, kind, few, bytes, checkpoints, placing);
    Optional<Fitted> fitted = fitted(rows, program);
    long nanos = System.nanoTime() - began;
    fitted.ifPresentOrElse(
        found -> tell(rows, training, name, found.trained(), nanos),
        () ->
            LOG.info(
                "{}: ranks have declined, for rows that MLlib refuses, labels that are all the same,"
                    + " features whose squares are infinite, or parameters that do not fit; MLlib"
                    + " goes on",
                training));
    return fitted;
  }

  /** What an estimator's training has brought, with all coefficients. */
  static Optional<Fitted> fitted(RDD<Instance> rows, EstimatorProgram program) {
    return fetched(rows, program, results -> whole(results, Fitted::trained))
        .map(joined -> new Fitted(joined.first.facts(), joined.trained, joined.first.offsets()));
  }

  /**
   * What a training makes of its end.
   *
   * @param <R> the result's class
   */
  @FunctionalInterface
  public interface End<R> {
    /**
     * Makes a result.
     *
     * @param x the coefficients
     * @param history the objective's value at the start and after each iteration
     * @param reason why it ended
     * @param resumedAt the iteration from which it went on; 0 for the start
     * @return the result
     */
    R of(double[] x, double[] history, String reason, int resumedAt);
  }

  /**
   * Minimises an objective in one barrier stage.
   *
   * @param rows the rows
   * @param minimizer one of Breeze's optimisers
   * @param objective what rows add to the objective
   * @param l2 the strength of a penalty on squares
   * @param initial where it starts
   * @param checkpoints where states are kept beyond the application, or null
   * @param end makes the result
   * @param <T> the rows' class
   * @param <R> the result's class
   * @return the result
   */
  public static <T, R> R minimise(
      JavaRDD<T> rows,
      FirstOrderMinimizer<?, ?> minimizer,
      RowsFunction<T> objective,
      double l2,
      double[] initial,
      @Nullable Checkpoints checkpoints,
      End<R> end) {
    String name = rows.name() == null ? "training" : rows.name();
    String training = TrainingProgress.unique(name);
    RankProgram<T> program =
        new RankProgram<>(
            training,
            (communicator, own) -> new OwnObjective<>(communicator, own, objective, l2),
            Optimizer.of(minimizer).orElseThrow(),
            Vectors.dense(initial).compressed(),
            checkpoints,
            Placing.of(rows.rdd().context()));
    long began = System.nanoTime();
    Trained trained;
    try (RankResults<Trained> results = RankResults.of(rows.rdd(), OPERATION, program)) {
      trained = whole(results, Function.identity()).orElseThrow().trained;
    }
    tell(rows.rdd(), training, name, trained, System.nanoTime() - began);
    return end.of(trained.x, trained.history(), trained.reason, trained.resumedAt);
  }

  /**
   * A vector of Breeze.
   *
   * @param values its elements, which it shares
   * @return the vector
   */
  public static DenseVector<Object> vector(double[] values) {
    return DenseVectors.over(values);
  }

  /**
   * Strengths of penalties on coefficients.
   *
   * @param strengths one for each coefficient, or one for all
   * @return a function of the coefficient's index
   */
  public static Function1<Object, Object> penalties(double[] strengths) {
    return new Strengths(strengths);
  }

  /** Strengths by index. */
  private static final class Strengths extends AbstractFunction1<Object, Object>
      implements Serializable {
    @Serial private static final long serialVersionUID = 1L;
    private final double[] strengths;

    Strengths(double[] strengths) {
      this.strengths = strengths;
    }

    @Override
    public Object apply(Object index) {
      return strengths[strengths.length == 1 ? 0 : (int) index];
    }
  }

  /**
   * Runs a program in one barrier stage, in place of MLlib's own.
   *
   * @param rows the rows
   * @param program what each rank does
   * @param <T> the rows' class
   * @param <R> the results' class
   * @return what rank 0 returns, fetched by a single task
   */
  public static <T, R> List<R> ran(RDD<T> rows, CollectiveFunction<T, R> program) {
    return fetched(rows, program, results -> results.of(0));
  }

  /** What a training has brought, with all coefficients. */
  static <T> Trained joined(RDD<T> rows, CollectiveFunction<T, Trained> program) {
    return fetched(rows, program, results -> whole(results, Function.identity()))
        .orElseThrow()
        .trained;
  }

  /**
   * What ranks have brought.
   *
   * @param first what rank 0 has
   * @param trained the training, with all coefficients
   * @param <R> what each returns
   */
  private record Joined<R>(R first, Trained trained) {}

  /**
   * Puts parts of coefficients together. They come from a quarter of the ranks at a time, so that
   * there is little beside the whole of them.
   */
  private static <R> Optional<Joined<R>> whole(
      RankResults<R> results, Function<? super R, Trained> of) {
    List<R> found = results.of(0);
    if (found.isEmpty()) {
      return Optional.empty();
    }
    R first = found.get(0);
    Trained trained = of.apply(first);
    if (!trained.part) {
      return Optional.of(new Joined<>(first, trained));
    }
    double[] all = Arrays.copyOf(trained.x, trained.length);
    int known = trained.x.length;
    int step = Math.max(1, trained.ranks / FETCHES);
    for (int from = 1; from < trained.ranks; from += step) {
      int[] some = IntStream.range(from, Math.min(trained.ranks, from + step)).toArray();
      for (List<R> rank : results.fetched(some).toList()) {
        double[] x = of.apply(rank.get(0)).x;
        System.arraycopy(x, 0, all, known, x.length);
        known += x.length;
      }
    }
    return Optional.of(new Joined<>(first, trained.withAll(all)));
  }

  /**
   * Runs a program in place of MLlib's own, and fetches what is wanted of what its ranks return.
   */
  private static <T, R, F> F fetched(
      RDD<T> rows, CollectiveFunction<T, R> program, Function<RankResults<R>, F> fetch) {
    try (RankResults<R> results = RankResults.of(rows, OPERATION, program)) {
      return fetch.apply(results);
    } catch (RankFailedException e) {
      if (e.getCause() instanceof RuntimeException cause
          && (cause instanceof IllegalArgumentException || cause instanceof SparkThrowable)) {
        cause.addSuppressed(e);
        throw cause; // as MLlib's own code throws it at the driver
      }
      throw e;
    }
  }

  /** Says what a training has brought, in the log and to Spark's listeners. */
  static void tell(RDD<?> rows, String training, String name, Trained trained, long nanos) {
    report(training, trained, nanos);
    Publisher.of(rows.context()).publish(event(name, trained, nanos));
  }

  private static void report(String training, Trained trained, long nanos) {
    double[] history = trained.history();
    LOG.info(
        String.format(
            Locale.ROOT,
            "%s: %d iterations and %d evaluations on %d ranks in %.3f s (%.3f s of them rows, %.3f"
                + " s other ranks), objective %.6g to %.6g: %s%s",
            training,
            history.length - 1,
            trained.evaluations,
            trained.ranks,
            nanos * NANOS,
            trained.computing * NANOS,
            trained.communicating * NANOS,
            history[0],
            history[history.length - 1],
            trained.reason,
            trained.resumedAt == 0 ? "" : "; resumed at iteration " + trained.resumedAt));
  }

  private static TrainingEvent event(String name, Trained trained, long nanos) {
    TrainingEvent event = new TrainingEvent();
    event.name = name;
    double[] history = trained.history();
    event.iterations = history.length - 1;
    event.evaluations = trained.evaluations;
    event.coefficients = trained.moved;
    event.resumedAt = trained.resumedAt;
    event.reason = trained.reason;
    event.millis = nanos * MILLIS;
    event.computingMillis = trained.computing * MILLIS;
    event.communicatingMillis = trained.communicating * MILLIS;
    event.iterationsMillis = trained.iterations.nanos() * MILLIS;
    event.iterationsEvaluations = trained.iterations.evaluations();
    event.iterationsComputingMillis = trained.iterations.computing() * MILLIS;
    event.iterationsCommunicatingMillis = trained.iterations.communicating() * MILLIS;
    event.objective(history);
    return event;
  }

  /** A training's states, as Breeze's optimisers return them. */
  static Iterator<State<?, ?, ?>> states(Trained trained) {
    int last = trained.objective.length - 1;
    List<State<?, ?, ?>> states = new ArrayList<>();
    for (int i = 0; i <= last; i++) {
      double value = trained.objective[i];
      states.add(
          new State<@Nullable Object, @Nullable Object, @Nullable Object>(
              i == last ? DenseVectors.over(trained.x) : null,
              value,
              null,
              value,
              null,
              i,
              trained.objective[0],
              null,
              null,
              false,
              Option.empty()));
    }
    return CollectionConverters.asScala(states.iterator());
  }

  @SuppressWarnings("unchecked")
  private static DenseVector<Object> vector(Object initial) {
    return (DenseVector<Object>) initial;
  }

  private static void requireSendable(Object aggregators) {
    try {
      SparkEnv.get()
          .closureSerializer()
          .newInstance()
          .serialize(aggregators, ClassTag$.MODULE$.Any());
    } catch (Exception e) { // which Scala does not declare
      throw stepByStep(
          "its aggregators cannot be sent to executors ("
              + e.toString().lines().findFirst().orElseThrow()
              + ")");
    }
  }
}
