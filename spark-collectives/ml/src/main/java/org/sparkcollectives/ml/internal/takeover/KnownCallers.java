package org.sparkcollectives.ml.internal.takeover;

import java.util.Set;
import java.util.TreeSet;
import org.apache.spark.ml.optim.aggregator.DifferentiableLossAggregator;
import org.apache.spark.ml.stat.SummarizerBuffer;
import org.apache.spark.rdd.RDD;
import org.jspecify.annotations.Nullable;
import scala.Function2;
import scala.Tuple2;

/**
 * What is known of MLlib's aggregations, by the class that the combining function is written in: a
 * type alone does not say that its combination is a sum.
 */
final class KnownCallers {
  private static final String ML = "org.apache.spark.ml.";
  private static final String MLLIB = "org.apache.spark.mllib.";
  private static final String ROW_MATRIX = MLLIB + "linalg.distributed.RowMatrix";
  private static final String LOSS_FUNCTION = ML + "optim.loss.RDDLossFunction";
  private static final String SUMMARIES = ML + "stat.Summarizer$";
  private static final String STATISTICS = MLLIB + "stat.Statistics$";
  private static final String ONLINE_LDA = MLLIB + "clustering.OnlineLDAOptimizer";

  /** Tuples of vectors, matrices and numbers, each added to its like. */
  private static final Set<String> SUMS =
      Set.of(
          MLLIB + "optimization.GradientDescent$",
          MLLIB + "optimization.LBFGS$CostFun",
          ONLINE_LDA);

  /** Objects of the size of a row of features or more, which merge in their own way. */
  private static final Set<String> OBJECTS =
      Set.of(
          ROW_MATRIX,
          ML + "optim.WeightedLeastSquares",
          SUMMARIES,
          ML + "regression.AFTSurvivalRegression",
          STATISTICS,
          MLLIB + "feature.IDF",
          MLLIB + "clustering.GaussianMixture");

  /** Reductions to a few numbers: the errors of gradient boosting, and the log loss. */
  private static final Set<String> FEW_NUMBERS =
      Set.of(ML + "tree.impl.GradientBoostedTrees$", MLLIB + "evaluation.MulticlassMetrics");

  /** What asks for statistics of three numbers: an error is no more. */
  private static final String ERRORS = MLLIB + "evaluation.RegressionMetrics";

  private KnownCallers() {}

  /**
   * How aggregates become numbers to be summed.
   *
   * @param zero the zero of the aggregation
   * @param combOp its combining function
   * @return the form, or null where the combination is not known to be a sum
   */
  static @Nullable Summed sum(@Nullable Object zero, Function2<?, ?, ?> combOp) {
    String caller = caller(combOp);
    if (zero instanceof DifferentiableLossAggregator) {
      return caller.equals(LOSS_FUNCTION) ? SummedLoss.FORM : null;
    }
    if (caller.equals(ROW_MATRIX) && zero == null) { // of one kind, Gramian and other
      return SummedVector.FORM;
    }
    return SUMS.contains(caller) ? SummedStructure.FORM : null;
  }

  /**
   * Whether aggregates are pairs of which the first consists of means and deviations of features.
   *
   * @param zero the zero of the aggregation
   * @param combOp its combining function
   * @return true for pairs of summaries that are known to
   */
  static boolean summarizes(@Nullable Object zero, Function2<?, ?, ?> combOp) {
    return caller(combOp).equals(SUMMARIES)
        && zero instanceof Tuple2<?, ?> pair
        && pair._1() instanceof SummarizerBuffer summary
        && Moments.areAll(summary);
  }

  /**
   * Whether aggregates are large objects that MLlib merges, in this thread's call.
   *
   * @param combOp the combining function
   * @return true for the callers that are known to
   */
  static boolean mergesObjects(Function2<?, ?, ?> combOp) {
    String caller = caller(combOp);
    return OBJECTS.contains(caller) && !(caller.equals(STATISTICS) && isCalledBy(ERRORS));
  }

  /**
   * Whether this thread's call comes from a mini batch of online LDA, whose one broadcast is that
   * of its topics.
   *
   * @return true for the optimiser of online LDA
   */
  static boolean sendsTopics() {
    return isCalledBy(ONLINE_LDA);
  }

  private static boolean isCalledBy(String type) {
    return StackWalker.getInstance()
        .walk(frames -> frames.anyMatch(frame -> frame.getClassName().equals(type)));
  }

  /**
   * Whether a reduction is Spark's: it gains nothing since what it brings is small, or that depends
   * on which elements meet first, so that Spark's own order is part of the result: QR factors of
   * rows have signs by it.
   *
   * @param operator the reduction's function
   * @return true for the callers that are known to
   */
  static boolean isSparks(Function2<?, ?, ?> operator) {
    String caller = caller(operator);
    return caller.equals(ROW_MATRIX) || FEW_NUMBERS.contains(caller);
  }

  /**
   * Whether a combining function is that of Spark's own {@code treeReduce}.
   *
   * @param combOp the combining function of a {@code treeAggregate}
   * @return true if it is written in the class of RDDs
   */
  static boolean isOfReduce(Object combOp) {
    return caller(combOp).equals(RDD.class.getName());
  }

  /** The classes that are known. */
  static Set<String> names() {
    Set<String> names = new TreeSet<>(SUMS);
    names.addAll(OBJECTS);
    names.addAll(FEW_NUMBERS);
    names.add(LOSS_FUNCTION);
    names.add(ERRORS);
    return names;
  }

  /** The class that a function is written in, by the name of the JVM's class for it. */
  static String caller(Object function) {
    String name = function.getClass().getName();
    int lambda = name.indexOf("$$Lambda");
    return lambda < 0 ? name : name.substring(0, lambda);
  }
}
