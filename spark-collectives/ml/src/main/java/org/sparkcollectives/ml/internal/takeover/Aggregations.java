package org.sparkcollectives.ml.internal.takeover;

import static java.util.Objects.requireNonNull;

import java.io.IOException;
import java.util.List;
import java.util.Set;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.apache.spark.api.java.JavaRDD;
import org.apache.spark.rdd.RDD;
import org.apache.spark.util.SizeEstimator;
import org.jspecify.annotations.Nullable;
import org.sparkcollectives.error.InvalidInputException;
import org.sparkcollectives.internal.error.ErrorText;
import org.sparkcollectives.ml.internal.training.RankResults;
import org.sparkcollectives.spark.JavaCollectives;
import org.sparkcollectives.spark.internal.conf.Settings;
import org.sparkcollectives.spark.internal.rendezvous.SparkCodec;
import org.sparkcollectives.vector.ReduceOp;
import scala.Function2;
import scala.reflect.ClassTag;

/**
 * {@code treeAggregate} and {@code treeReduce} by reductions: each partition is aggregated as Spark
 * does it, and what partitions have become is combined between executors. Where the combination is
 * known to be a sum, its numbers are summed as one array, in blocks, and so are summaries of
 * features merged; otherwise aggregates are combined as whole objects by the caller's function, in
 * the order of partitions. As in Spark, that function combines a zero with what each partition has
 * become, and another with the result: there are such as rely on being called.
 */
final class Aggregations {
  /** What {@code treeReduce} combines without much ado. */
  private static final Set<Class<?>> SMALL = Set.of(Boolean.class, Character.class, String.class);

  private final long minBytes;
  private final Counts counts;

  /**
   * Makes the aggregations of an application.
   *
   * @param minBytes the size of a zero from which on aggregates of unknown callers are taken over
   * @param counts counts what is done
   */
  Aggregations(long minBytes, Counts counts) {
    this.minBytes = minBytes;
    this.counts = counts;
  }

  /**
   * Aggregates.
   *
   * @param rdd the RDD
   * @param arguments of {@code treeAggregate}: zero, seqOp, combOp, depth, whether an executor
   *     combines last, class tag
   * @return the result as the only element, or null to leave it to Spark
   */
  @Nullable Object @Nullable [] tree(RDD<?> rdd, @Nullable Object[] arguments) {
    @Nullable Object zero = arguments[0];
    Function2<Object, Object, Object> seqOp = function(arguments[1]);
    Function2<Object, Object, Object> combOp = function(arguments[2]);
    boolean refused = (int) requireNonNull(arguments[3]) < 1; // by Spark, for its depth
    if (rdd.getNumPartitions() == 0 || refused) {
      return null;
    }
    Summed form = KnownCallers.sum(zero, combOp);
    if (form != null) {
      return sum(elements(rdd), new PartialSums(fold(rdd, zero, seqOp), form), zero);
    }
    if (KnownCallers.summarizes(zero, combOp)) {
      requireTaken(zero);
      return summarize(elements(rdd), fold(rdd, zero, seqOp), rdd.context().clean(combOp, true));
    }
    boolean fresh = KnownCallers.mergesObjects(combOp);
    if (fresh || (zero != null && SizeEstimator.estimate(zero) >= minBytes)) {
      requireTaken(zero);
      Merge merge = new Merge(rdd.context().clean(combOp, true));
      return merge(elements(rdd), fold(rdd, zero, seqOp), merge, fresh);
    }
    return null;
  }

  /**
   * Reduces.
   *
   * @param rdd the RDD
   * @param arguments of {@code treeReduce}: the function, depth
   * @return the result as the only element, or null to leave it to Spark
   */
  @Nullable Object @Nullable [] reduce(RDD<?> rdd, @Nullable Object[] arguments) {
    boolean refused = (int) requireNonNull(arguments[1]) < 1; // by Spark, for its depth
    Class<?> elements = rdd.elementClassTag().runtimeClass();
    boolean small =
        elements.isPrimitive()
            || SMALL.contains(elements)
            || Number.class.isAssignableFrom(elements);
    if (rdd.getNumPartitions() == 0 || small || refused) {
      return null;
    }
    Function2<Object, Object, Object> function = function(arguments[0]);
    if (KnownCallers.isSparks(function)) {
      return null;
    }
    requireTaken(null); // held in an array
    if (!SparkCodec.takes(elements)) {
      throw elements == Object.class
          ? ofAnyClass()
          : notTaken(elements.getTypeName() + " does not pass the filter");
    }
    Function2<Object, Object, Object> operator = rdd.context().clean(function, true);
    JavaRDD<Object[]> held = elements(rdd).mapPartitions(new Reduction(operator), true);
    Object[] result = combined(held, new Merge(operator));
    if (result.length == 0) {
      return null; // nothing to reduce: Spark says so
    }
    counts.object();
    return result;
  }

  private @Nullable Object[] sum(
      JavaRDD<Object> elements, PartialSums partial, @Nullable Object zero) {
    JavaRDD<double[]> numbers = elements.mapPartitions(partial, true);
    double[] sum;
    try {
      sum = JavaCollectives.of(numbers).reduce(ReduceOp.SUM);
    } catch (UnsupportedOperationException e) {
      return new @Nullable Object[] {zero}; // nothing was added anywhere
    }
    counts.sum();
    return new Object[] {partial.form().aggregate(sum, zero)};
  }

  private @Nullable Object @Nullable [] summarize(
      JavaRDD<Object> elements, Fold fold, Function2<Object, Object, Object> combOp) {
    JavaRDD<Object[]> held = elements.mapPartitions(fold, true);
    try (RankResults<SummaryPart> parts =
        RankResults.of(held.rdd(), "summary", new SummaryProgram(fold, combOp))) {
      List<SummaryPart> firsts = parts.of(0);
      if (firsts.isEmpty()) {
        return null;
      }
      SummaryPart first = firsts.get(0);
      if (first.features > 0) {
        int[] others = IntStream.range(1, parts.ranks()).toArray();
        Stream<SummaryPart> rest = parts.fetched(others).flatMap(List::stream);
        Moments.put(
            SummaryProgram.ofFeatures(first.pair),
            first.features,
            first.present,
            Stream.concat(Stream.of(first), rest)
                .map(part -> part.tuples)
                .toArray(double[][]::new));
      }
      counts.object();
      return new Object[] {first.pair};
    }
  }

  /**
   * Merges aggregates.
   *
   * @param fresh whether they are known to share nothing with the elements, so that none is copied
   */
  private @Nullable Object[] merge(
      JavaRDD<Object> elements, Fold fold, Merge merge, boolean fresh) {
    JavaRDD<Object[]> held =
        elements.mapPartitions(fold, true).map(each -> merge.call(fold.start(), each));
    Object[] result = combined(fresh ? held : held.map(Copies.APART), merge);
    Object[] merged = merge.call(fold.start(), result);
    counts.object();
    return merged;
  }

  /** What partitions have become, none of which holds what others do, combined; may be empty. */
  private static Object[] combined(JavaRDD<Object[]> held, Merge merge) {
    return JavaCollectives.of(held).twoTreeAggregate(() -> new Object[0], merge, merge);
  }

  /**
   * Finds out before anything is computed that ranks would not take objects from each other.
   *
   * @param like an object of their classes
   */
  static void requireTaken(@Nullable Object like) {
    try {
      SparkCodec.requireTaken(new Object[] {like});
    } catch (IOException e) {
      throw notTaken(ErrorText.reason(e));
    }
  }

  private static InvalidInputException notTaken(String reason) {
    return InvalidInputException.of(
        "objects cannot be sent between executors",
        reason,
        "add their classes to "
            + Settings.OBJECTS_FILTER.key()
            + "; MLlib's own need java.base/*;org.apache.spark.**;breeze.**;scala.**");
  }

  private static InvalidInputException ofAnyClass() {
    return InvalidInputException.of(
        "elements that a treeReduce combines may not pass the filter of objects",
        Settings.OBJECTS_FILTER.key() + " is set, and their RDD does not know their class",
        "leave it so, or reduce by twoTreeReduce of the library");
  }

  private static Fold fold(
      RDD<?> rdd, @Nullable Object zero, Function2<Object, Object, Object> seqOp) {
    return Fold.of(zero, rdd.context().clean(seqOp, true));
  }

  @SuppressWarnings("unchecked")
  private static JavaRDD<Object> elements(RDD<?> rdd) {
    return new JavaRDD<>((RDD<Object>) rdd, (ClassTag<Object>) rdd.elementClassTag());
  }

  @SuppressWarnings("unchecked")
  private static Function2<Object, Object, Object> function(@Nullable Object argument) {
    return (Function2<Object, Object, Object>) requireNonNull(argument);
  }
}
