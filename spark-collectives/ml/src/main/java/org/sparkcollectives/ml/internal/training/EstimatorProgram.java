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
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
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
import org.sparkcollectives.ml.internal.rows.Support;
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
  private static final Logger LOG = LoggerFactory.getLogger(EstimatorProgram.class);

  private final String training;
  private final Recipe recipe;
  private final RowKind kind;
  private final boolean few;
  private final long blockBytes;
  private final @Nullable Checkpoints checkpoints;
  private final Placing placing;

  EstimatorProgram(
      String training,
      Recipe recipe,
      RowKind kind,
      boolean few,
      long blockBytes,
      @Nullable Checkpoints checkpoints,
      Placing placing) {
    this.training = training;
    this.recipe = recipe;
    this.kind = kind;
    this.few = few;
    this.blockBytes = blockBytes;
    this.checkpoints = checkpoints;
    this.placing = placing;
  }

  @Override
  public Iterator<Fitted> call(Communicator communicator, Iterator<Instance> elements)
      throws IOException, ClassNotFoundException {
    DenseVectors.load();
    TrainingProgress.readsRows(training);
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
   * @param support which of all coefficients these are; null for all
   */
  @SuppressWarnings("ArrayRecordComponent") // never compared
  private record Prepared(
      RankProgram<InstanceBlock> program,
      RowFacts facts,
      Unscaling unscaling,
      int[] counts,
      @Nullable Support support) {}

  /** Sums up rows, scales them and learns what is to be minimised; null where nothing is. */
  private @Nullable Prepared prepared(Communicator communicator, RankRows rows) {
    Summary summary = Summaries.of(communicator, rows, few);
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
    Support features = summary.support();
    int sets = problem.sets();
    int others = length - summary.features() * sets;
    if (features != null && (long) features.length() * sets + others > Integer.MAX_VALUE) {
      return null; // a model of all features is larger than any array, which MLlib says at once
    }
    Support support = features == null ? null : features.ofCoefficients(sets, others);
    if (support != null && communicator.rank() == 0) {
      LOG.info("{}: rows can move {}", training, support);
    }
    return new Prepared(program(problem, support), summary.facts(), unscaling, counts, support);
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
    Support support = prepared.support;
    Trained own;
    if (trained.part) {
      own = trained.withPart(part, trained.length);
    } else {
      double[] all = communicator.gather(part, counts, 0);
      own = all == null ? trained : trained.withAll(all);
    }
    if (support != null && (own.part || rank == 0)) { // nobody returns it from another rank
      own = RankProgram.all(communicator, own, support);
    }
    return new Fitted(prepared.facts, own, offsets);
  }

  /** The problem; null too where parameters or labels do not fit, which MLlib says best itself. */
  private @Nullable MinimizationProblem<?> problem(Summary summary) {
    try {
      return recipe.problem(summary);
    } catch (IllegalArgumentException | IndexOutOfBoundsException e) {
      return null;
    }
  }

  @SuppressWarnings({"unchecked", "rawtypes"}) // MLlib's regularisations are of vectors
  private <A extends DifferentiableLossAggregator<InstanceBlock, A>>
      RankProgram<InstanceBlock> program(
          MinimizationProblem<A> problem, @Nullable Support support) {
    RankProgram<InstanceBlock> program =
        RankProgram.ofMllib(
            training,
            problem.aggregators(),
            Penalty.of((Option<DifferentiableRegularization<Vector>>) (Option) problem.penalty())
                .orElseThrow(),
            Optimizer.of(problem.minimizer()).orElseThrow(),
            Vectors.dense(problem.initial()).compressed(),
            checkpoints,
            placing);
    return support == null ? program : program.of(support);
  }
}
