package org.sparkcollectives.ml.internal.training;

import java.io.IOException;
import java.io.Serial;
import java.util.Arrays;
import java.util.Collections;
import java.util.Iterator;
import java.util.List;
import org.apache.spark.ml.feature.Instance;
import org.apache.spark.ml.feature.InstanceBlock;
import org.apache.spark.ml.linalg.Vector;
import org.apache.spark.ml.linalg.Vectors;
import org.apache.spark.ml.optim.aggregator.DifferentiableLossAggregator;
import org.apache.spark.ml.optim.loss.DifferentiableRegularization;
import org.jspecify.annotations.Nullable;
import org.sparkcollectives.Communicator;
import org.sparkcollectives.ml.internal.bridge.DenseVectors;
import org.sparkcollectives.ml.internal.minimizer.Division;
import org.sparkcollectives.ml.internal.minimizer.Optimizer;
import org.sparkcollectives.ml.internal.objective.Penalty;
import org.sparkcollectives.ml.internal.rows.RankRows;
import org.sparkcollectives.ml.internal.rows.RowFacts;
import org.sparkcollectives.ml.internal.rows.RowKind;
import org.sparkcollectives.ml.internal.rows.Summaries;
import org.sparkcollectives.ml.internal.rows.Summary;
import org.sparkcollectives.ml.internal.rows.Unscaling;
import org.sparkcollectives.ml.internal.state.Checkpoints;
import org.sparkcollectives.spark.CollectiveFunction;
import org.sparkcollectives.vector.ReduceOp;
import scala.Option;

/**
 * A rank of an estimator's training, from rows to coefficients: it reads its rows once, learns with
 * the others what all rows are like, scales its own, and iterates.
 */
final class EstimatorProgram implements CollectiveFunction<Instance, Fitted> {
  @Serial private static final long serialVersionUID = 1L;

  private final String training;
  private final Recipe recipe;
  private final RowKind kind;
  private final long blockBytes;
  private final @Nullable Checkpoints checkpoints;
  private final Placing placing;

  EstimatorProgram(
      String training,
      Recipe recipe,
      RowKind kind,
      long blockBytes,
      @Nullable Checkpoints checkpoints,
      Placing placing) {
    this.training = training;
    this.recipe = recipe;
    this.kind = kind;
    this.blockBytes = blockBytes;
    this.checkpoints = checkpoints;
    this.placing = placing;
  }

  @Override
  public Iterator<Fitted> call(Communicator communicator, Iterator<Instance> elements)
      throws IOException, ClassNotFoundException {
    DenseVectors.load();
    RankRows rows = RankRows.of(elements, blockBytes, kind);
    Prepared prepared = prepared(communicator, rows);
    if (prepared == null) {
      return Collections.emptyIterator();
    }
    Trained trained = prepared.program.train(communicator, rows.blocks());
    Fitted fitted = fitted(communicator, prepared, trained);
    prepared.program.end(communicator);
    return fitted.trained().part || communicator.rank() == 0
        ? List.of(fitted).iterator()
        : Collections.emptyIterator();
  }

  /**
   * What a rank trains with, and what it makes of the end: of the features, its part alone.
   *
   * @param program the training
   * @param facts what is known of all rows
   * @param unscaling makes this rank's part of the coefficients those of the features as they are
   * @param counts how many coefficients each rank has a part of
   */
  @SuppressWarnings("ArrayRecordComponent") // never compared
  private record Prepared(
      RankProgram<InstanceBlock> program, RowFacts facts, Unscaling unscaling, int[] counts) {}

  /** Sums up rows, scales them and learns what is to be minimised; null where nothing is. */
  private @Nullable Prepared prepared(Communicator communicator, RankRows rows) {
    Summary summary = Summaries.of(communicator, rows);
    if (summary == null) {
      return null;
    }
    rows.scale(summary.scales());
    MinimizationProblem<?> problem = problem(summary);
    if (problem == null) {
      return null;
    }
    int length = problem.initial().length;
    int[] counts = Division.counts(length, communicator.size());
    int first = Division.first(length, communicator.size(), communicator.rank());
    Unscaling unscaling =
        new Unscaling(summary, problem.sets(), first, counts[communicator.rank()]);
    return new Prepared(program(problem), summary.facts(), unscaling, counts);
  }

  /** Makes what ranks return of what they have; a collective call. */
  private static Fitted fitted(Communicator communicator, Prepared prepared, Trained trained) {
    int rank = communicator.rank();
    int[] counts = prepared.counts;
    int first = Arrays.stream(counts, 0, rank).sum();
    double[] part = // others may still need what is there
        trained.part
            ? trained.x.clone()
            : Arrays.copyOfRange(trained.x, first, first + counts[rank]);
    double[] offsets = prepared.unscaling.unscale(part);
    communicator.allReduce(offsets, ReduceOp.SUM);
    if (trained.part) {
      return new Fitted(prepared.facts, trained.withPart(part, trained.length), offsets);
    }
    double[] all = communicator.gather(part, counts, 0);
    return new Fitted(prepared.facts, all == null ? trained : trained.withAll(all), offsets);
  }

  /** The problem; null too where MLlib's parameters do not fit, which MLlib says best itself. */
  private @Nullable MinimizationProblem<?> problem(Summary summary) {
    try {
      return recipe.problem(summary);
    } catch (IllegalArgumentException e) {
      return null;
    }
  }

  @SuppressWarnings({"unchecked", "rawtypes"}) // MLlib's regularisations are of vectors
  private <A extends DifferentiableLossAggregator<InstanceBlock, A>>
      RankProgram<InstanceBlock> program(MinimizationProblem<A> problem) {
    return RankProgram.ofMllib(
        training,
        problem.aggregators(),
        Penalty.of((Option<DifferentiableRegularization<Vector>>) (Option) problem.penalty())
            .orElseThrow(),
        Optimizer.of(problem.minimizer()).orElseThrow(),
        Vectors.dense(problem.initial()).compressed(),
        checkpoints,
        placing);
  }
}
