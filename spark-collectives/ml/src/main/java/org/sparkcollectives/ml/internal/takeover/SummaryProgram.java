package org.sparkcollectives.ml.internal.takeover;

import static java.util.Objects.requireNonNull;

import java.io.Serial;
import java.util.Collections;
import java.util.Iterator;
import java.util.List;
import org.apache.spark.ml.stat.SummarizerBuffer;
import org.jspecify.annotations.Nullable;
import org.sparkcollectives.Communicator;
import org.sparkcollectives.ml.internal.rows.Support;
import org.sparkcollectives.spark.CollectiveFunction;
import org.sparkcollectives.vector.ReduceOp;
import scala.Function2;
import scala.Tuple2;

/**
 * Merges pairs of a summary of features and one of labels. What is small goes as an object, which
 * MLlib's own function merges, to rank 0; numbers of many features are merged in blocks, and each
 * rank keeps a part of them.
 */
final class SummaryProgram implements CollectiveFunction<Object[], SummaryPart> {
  @Serial private static final long serialVersionUID = 1L;

  /** The numbers of fewer features than this, 48 KB, go with the rest. */
  static final int LEAST_IN_BLOCKS = 2048;

  private final Fold fold;
  private final Function2<Object, Object, Object> combOp;

  /**
   * A program.
   *
   * @param fold made the pairs, and makes that of no rows
   * @param combOp merges two pairs; it may change the first
   */
  SummaryProgram(Fold fold, Function2<Object, Object, Object> combOp) {
    this.fold = fold;
    this.combOp = combOp;
  }

  /**
   * {@inheritDoc} Nothing when rows differ in their number of features, so that Spark says so.
   *
   * @param pairs one for each partition, as the only element of an array
   */
  @Override
  public Iterator<SummaryPart> call(Communicator communicator, Iterator<Object[]> pairs) {
    Object pair =
        requireNonNull(
            pairs.hasNext() ? pairs.next()[0] : fold.aggregate(Collections.emptyIterator()));
    while (pairs.hasNext()) {
      pair = combOp.apply(pair, pairs.next()[0]);
    }
    SummarizerBuffer own = ofFeatures(pair);
    int features = 0;
    for (int has : communicator.allGather(new int[] {Moments.features(own)})) {
      if (has != 0 && features != 0 && has != features) {
        return Collections.emptyIterator();
      }
      features = Math.max(has, features);
    }
    ReduceOp<Object> merge = ReduceOp.ofObjects("summaries", false, combOp::apply);
    boolean first = communicator.rank() == 0;
    if (features < LEAST_IN_BLOCKS) {
      Object whole = communicator.reduce(pair, merge, 0);
      return List.of(new SummaryPart(first ? whole : null, 0, null, new double[0])).iterator();
    }
    Support support = Support.ofFeatures(communicator, () -> Moments.present(own), features);
    double[] tuples = Moments.taken(own, features, support);
    Object rest = communicator.reduce(pair, merge, 0);
    double[] part = communicator.reduceScatter(tuples, Moments.MERGE);
    int[] present = first && support != null ? support.indices() : null;
    return List.of(new SummaryPart(first ? rest : null, features, present, part)).iterator();
  }

  /** The features' summary of a pair. */
  static SummarizerBuffer ofFeatures(@Nullable Object pair) {
    return (SummarizerBuffer) ((Tuple2<?, ?>) requireNonNull(pair))._1();
  }
}
