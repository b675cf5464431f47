package org.sparkcollectives.ml.internal.objective;

import static java.util.Objects.requireNonNull;

import java.util.Iterator;
import java.util.List;
import java.util.Random;
import org.apache.spark.mllib.linalg.Vector;
import org.apache.spark.mllib.linalg.Vectors;
import org.apache.spark.util.random.BernoulliSampler;
import org.jspecify.annotations.Nullable;
import org.sparkcollectives.Communicator;
import org.sparkcollectives.ml.internal.bridge.DenseVectors;
import org.sparkcollectives.ml.internal.rows.PartitionRows;
import scala.Tuple2;
import scala.jdk.javaapi.CollectionConverters;
import scala.reflect.ClassTag;
import scala.reflect.ClassTag$;

/**
 * Sums over a mini batch of all ranks' rows: those that {@code rows.sample(false, fraction, 42 +
 * number)} has, for each partition the same that Spark's sampler takes.
 */
public final class MiniBatchObjective extends RankObjective {
  private static final int SEED = 42;
  private static final ClassTag<Tuple2<Object, Vector>> ROW = ClassTag$.MODULE$.apply(Tuple2.class);

  private final List<PartitionRows<Tuple2<Object, Vector>>> parts;
  private final MiniBatches how;
  private final int partitions;
  private int number;
  private @Nullable Sums batch;

  /**
   * An objective.
   *
   * @param communicator the ranks
   * @param parts this rank's rows
   * @param how the parameters
   * @param partitions how many partitions all ranks have
   */
  public MiniBatchObjective(
      Communicator communicator,
      List<PartitionRows<Tuple2<Object, Vector>>> parts,
      MiniBatches how,
      int partitions) {
    super(communicator);
    this.parts = parts;
    this.how = how;
    this.partitions = partitions;
  }

  /**
   * Sums over a batch; a collective call.
   *
   * @param weights the coefficients
   * @param batchNumber the batch's number, from 1
   * @return the sums, whose weight is the number of the batch's rows
   */
  public Sums batch(Vector weights, int batchNumber) {
    number = batchNumber;
    var unused = at(DenseVectors.over(weights.toArray()));
    return requireNonNull(batch);
  }

  @Override
  Sums own(double[] x) {
    Vector weights = Vectors.dense(x);
    Sums sums = new Sums(new double[x.length], 0, 0);
    long[] seeds = new Random(SEED + number).longs(partitions).toArray();
    for (PartitionRows<Tuple2<Object, Vector>> part : parts) {
      sums = RowGradients.more(how.gradient(), sample(part, seeds), weights, sums);
    }
    return sums;
  }

  @Override
  double value(Sums all) {
    batch = all;
    return all.value();
  }

  @Override
  double finish(double[] x, int first, double[] gradient, double weight) {
    return 0; // penalties are the updater's
  }

  private Iterator<Tuple2<Object, Vector>> sample(
      PartitionRows<Tuple2<Object, Vector>> part, long[] seeds) {
    if (how.fraction() >= 1) {
      return part.rows().iterator();
    }
    BernoulliSampler<Tuple2<Object, Vector>> sampler = new BernoulliSampler<>(how.fraction(), ROW);
    sampler.setSeed(seeds[part.partition()]);
    return CollectionConverters.asJava(
        sampler.sample(CollectionConverters.asScala(part.rows().iterator())));
  }
}
