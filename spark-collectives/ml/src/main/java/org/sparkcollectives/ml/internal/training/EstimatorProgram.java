package org.sparkcollectives.ml.internal.training;

import java.io.IOException;
import java.io.Serial;
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
import org.sparkcollectives.spark.CollectiveFunction;
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
    Summary summary = Summaries.of(communicator, rows);
    Problem<?> problem = summary == null ? null : problem(summary);
    if (summary == null || problem == null) {
      return Collections.emptyIterator();
    }
    rows.scale(summary.scales());
    if (communicator.rank() != 0) {
      summary = null; // it is rank 0 that returns it
    }
    Iterator<Trained> trained = train(communicator, rows, problem);
    return summary != null && trained.hasNext()
        ? List.of(new Fitted(summary, trained.next())).iterator()
        : Collections.emptyIterator();
  }

  /** The problem; null too where MLlib's parameters do not fit, which MLlib says best itself. */
  private @Nullable Problem<?> problem(Summary summary) {
    try {
      return recipe.problem(summary);
    } catch (IllegalArgumentException e) {
      return null;
    }
  }

  @SuppressWarnings({"unchecked", "rawtypes"}) // MLlib's regularisations are of vectors
  private <A extends DifferentiableLossAggregator<InstanceBlock, A>> Iterator<Trained> train(
      Communicator communicator, RankRows rows, Problem<A> problem)
      throws IOException, ClassNotFoundException {
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
    return program.call(communicator, rows.blocks().iterator());
  }
}
