package org.sparkcollectives.ml.internal.estimator;

import static java.util.Objects.requireNonNull;

import java.util.Arrays;
import java.util.NoSuchElementException;
import org.apache.spark.ml.clustering.KMeans;
import org.apache.spark.ml.feature.Instance;
import org.apache.spark.ml.feature.InstanceBlock;
import org.apache.spark.ml.feature.InstanceBlock$;
import org.apache.spark.ml.linalg.Vector;
import org.apache.spark.ml.linalg.Vectors$;
import org.apache.spark.ml.util.DatasetUtils$;
import org.apache.spark.ml.util.Instrumentation;
import org.apache.spark.mllib.clustering.DistanceMeasure$;
import org.apache.spark.mllib.clustering.KMeansModel;
import org.apache.spark.mllib.clustering.VectorWithNorm;
import org.apache.spark.mllib.linalg.Vectors;
import org.apache.spark.rdd.RDD;
import org.apache.spark.sql.Column;
import org.apache.spark.sql.Dataset;
import org.apache.spark.storage.StorageLevel;
import org.jspecify.annotations.Nullable;
import org.sparkcollectives.ml.internal.bridge.Hidden;
import org.sparkcollectives.ml.internal.bridge.SqlRows;
import org.sparkcollectives.ml.internal.iteration.Centres;
import org.sparkcollectives.ml.internal.iteration.Lloyd;
import scala.Option;

/** K-means from data to MLlib's model: MLlib chooses the first centres, ranks iterate. */
public final class KMeansTraining {
  private static final double MIB = 1024 * 1024;

  private KMeansTraining() {}

  /**
   * What {@code ml.clustering.KMeans} trains by blocks of rows.
   *
   * @param estimator the estimator
   * @param dataset the data
   * @param choice the same data to choose the first centres from, by several passes: {@link
   *     #checked}, unless they have been
   * @param rows their {@link #rows}
   * @param log where it says what it does
   * @return the model
   */
  public static KMeansModel ofBlocks(
      KMeans estimator,
      Dataset<?> dataset,
      Dataset<?> choice,
      RDD<Instance> rows,
      Instrumentation log) {
    Rows.warnIfCached(dataset, log, "Input vectors will be");
    Vector[] first =
        (Vector[]) requireNonNull(Hidden.call(KMeans.class, estimator, "initialize", choice));
    requireCentres(first.length);
    log.logNumFeatures(first[0].size());
    double[][] start = Arrays.stream(first).map(Vector::toArray).toArray(double[][]::new);
    RDD<InstanceBlock> blocks = blocks(estimator, rows, log);
    Centres found;
    try {
      found =
          Lloyd.overBlocks(
              blocks,
              Centres.of(start),
              estimator.getDistanceMeasure(),
              estimator.getMaxIter(),
              estimator.getTol());
    } finally {
      blocks.unpersist(false);
    }
    return model(found, start.length, estimator.getDistanceMeasure(), log);
  }

  /**
   * What {@code mllib.clustering.KMeans} trains.
   *
   * @param estimator the estimator
   * @param rows the rows
   * @param log where it says what it does, if anywhere
   * @return the model
   */
  public static KMeansModel ofRows(
      org.apache.spark.mllib.clustering.KMeans estimator,
      RDD<VectorWithNorm> rows,
      Option<Instrumentation> log) {
    VectorWithNorm[] first = first(estimator, rows);
    requireCentres(first.length);
    if (isCosine(estimator.getDistanceMeasure())) {
      Arrays.stream(first).mapToDouble(VectorWithNorm::norm).forEach(Lloyd::requireDirection);
    }
    double[][] start =
        Arrays.stream(first).map(each -> each.vector().toArray()).toArray(double[][]::new);
    log.foreach(
        some -> {
          some.logNumFeatures(start[0].length);
          return null;
        });
    Centres found =
        Lloyd.overRows(
            rows,
            Centres.of(start),
            estimator.getDistanceMeasure(),
            estimator.getMaxIterations(),
            estimator.getEpsilon());
    return model(
        found, start.length, estimator.getDistanceMeasure(), log.isDefined() ? log.get() : null);
  }

  /** Refuses data without rows, as MLlib does. */
  private static void requireCentres(int centres) {
    if (centres == 0) {
      throw new NoSuchElementException(
          "k-means has no rows to choose centres from: the data are empty. Give it at least one"
              + " row.");
    }
  }

  private static boolean isCosine(String measure) {
    return measure.equals(DistanceMeasure$.MODULE$.COSINE());
  }

  /**
   * Data whose features are checked whenever they are read.
   *
   * @param estimator the estimator
   * @param dataset the data
   * @return the same data
   */
  public static Dataset<?> checked(KMeans estimator, Dataset<?> dataset) {
    String features = estimator.getFeaturesCol();
    return dataset.withColumn(features, vectors(dataset, features));
  }

  private static Column vectors(Dataset<?> dataset, String features) {
    return DatasetUtils$.MODULE$.checkNonNanVectors(
        DatasetUtils$.MODULE$.columnToVector(dataset, features));
  }

  private static VectorWithNorm[] first(
      org.apache.spark.mllib.clustering.KMeans estimator, RDD<VectorWithNorm> rows) {
    Class<?> type = org.apache.spark.mllib.clustering.KMeans.class;
    Option<?> given = (Option<?>) requireNonNull(Hidden.field(type, estimator, "initialModel"));
    if (given.isDefined()) {
      return Arrays.stream(((KMeansModel) given.get()).clusterCenters())
          .map(VectorWithNorm::new)
          .toArray(VectorWithNorm[]::new);
    }
    if (estimator.getInitializationMode().equals("random")) {
      return (VectorWithNorm[])
          requireNonNull(
              Hidden.call(
                  org.apache.spark.mllib.clustering.KMeans.class, estimator, "initRandom", rows));
    }
    return estimator.initKMeansParallel(
        rows, DistanceMeasure$.MODULE$.decodeFromString(estimator.getDistanceMeasure()));
  }

  private static KMeansModel model(
      Centres found, int clusters, String measure, @Nullable Instrumentation log) {
    if (log != null && found.iteration() > 0) {
      log.logNumExamples(found.rows());
      log.logSumOfWeights(found.weight());
    }
    var centres = new org.apache.spark.mllib.linalg.Vector[clusters];
    Arrays.setAll(centres, i -> Vectors.dense(found.centre(i)));
    return new KMeansModel(centres, measure, found.cost(), found.iteration());
  }

  /**
   * The rows that {@code ml.clustering.KMeans} trains with, checked by MLlib's checks of columns.
   *
   * @param estimator the estimator
   * @param dataset the data
   * @return a row of each, with its squared norm as label, or normalised for cosine distances
   */
  public static RDD<Instance> rows(KMeans estimator, Dataset<?> dataset) {
    boolean cosine = isCosine(estimator.getDistanceMeasure());
    Dataset<?> columns =
        dataset.select(
            vectors(dataset, estimator.getFeaturesCol()),
            DatasetUtils$.MODULE$.checkNonNegativeWeights(estimator.get(estimator.weightCol())));
    return SqlRows.map(
        columns,
        row -> instance(requireNonNull(SqlRows.vector(row, 0)), SqlRows.number(row, 1), cosine));
  }

  private static RDD<InstanceBlock> blocks(
      KMeans estimator, RDD<Instance> rows, Instrumentation log) {
    long size = (long) Math.ceil(Rows.blockSize(estimator.getMaxBlockSizeInMB(), log) * MIB);
    return InstanceBlock$.MODULE$
        .blokifyWithMaxMemUsage(rows, size)
        .persist(StorageLevel.MEMORY_AND_DISK())
        .setName(estimator.uid() + ": training blocks");
  }

  private static Instance instance(Vector features, double weight, boolean cosine) {
    double squaredNorm = features.dot(features);
    if (!cosine) {
      return new Instance(squaredNorm, weight, features);
    }
    Lloyd.requireDirection(squaredNorm);
    return new Instance(1, weight, Vectors$.MODULE$.normalize(features, 2));
  }
}
