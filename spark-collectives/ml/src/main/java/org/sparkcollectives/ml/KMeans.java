package org.sparkcollectives.ml;

import static java.util.Objects.requireNonNull;

import java.io.Serial;
import java.util.Arrays;
import org.apache.spark.ml.clustering.KMeansModel;
import org.apache.spark.ml.clustering.KMeansSummary;
import org.apache.spark.ml.feature.Instance;
import org.apache.spark.ml.feature.InstanceBlock;
import org.apache.spark.ml.feature.InstanceBlock$;
import org.apache.spark.ml.linalg.Vector;
import org.apache.spark.ml.linalg.Vectors$;
import org.apache.spark.ml.param.ParamMap;
import org.apache.spark.ml.util.DatasetUtils$;
import org.apache.spark.ml.util.DefaultParamsReader;
import org.apache.spark.ml.util.Identifiable$;
import org.apache.spark.ml.util.Instrumentation;
import org.apache.spark.ml.util.Instrumentation$;
import org.apache.spark.ml.util.MLReader;
import org.apache.spark.mllib.linalg.Vectors;
import org.apache.spark.rdd.RDD;
import org.apache.spark.sql.Dataset;
import org.apache.spark.storage.StorageLevel;
import org.sparkcollectives.ml.internal.estimator.Rows;
import org.sparkcollectives.ml.internal.training.Hidden;
import org.sparkcollectives.ml.internal.training.Lloyd;
import scala.Option;

/**
 * K-means whose iterations run in one stage: MLlib's estimator with its parameters, and its choice
 * of the first centres. Rows are always made blocks of, as MLlib's solver {@code block} does. It
 * returns MLlib's model.
 */
public class KMeans extends org.apache.spark.ml.clustering.KMeans {
  @Serial private static final long serialVersionUID = 1L;

  private static final Class<?> MLLIB = org.apache.spark.ml.clustering.KMeans.class;
  private static final double MIB = 1024 * 1024;

  /** An estimator with a name of its own. */
  public KMeans() {
    this(Identifiable$.MODULE$.randomUID("kmeans"));
  }

  /**
   * An estimator.
   *
   * @param uid its name, which no other has
   */
  public KMeans(String uid) {
    super(uid);
  }

  /**
   * A reader of estimators that were saved.
   *
   * @return the reader, which makes objects of this class
   */
  public static MLReader<org.apache.spark.ml.clustering.KMeans> read() {
    return new DefaultParamsReader<>();
  }

  /**
   * An estimator that was saved.
   *
   * @param path where
   * @return the estimator
   */
  public static KMeans load(String path) {
    return (KMeans) read().load(path);
  }

  @Override
  public KMeans copy(ParamMap extra) {
    return this.<KMeans>defaultCopy(extra);
  }

  @Override
  public KMeansModel fit(Dataset<?> dataset) {
    return Instrumentation$.MODULE$.instrumented(log -> fitted(dataset, log));
  }

  private KMeansModel fitted(Dataset<?> dataset, Instrumentation log) {
    transformSchema(dataset.schema());
    log.logPipelineStage(this);
    log.logDataset(dataset);
    log.logParams(
        this,
        Rows.parameters(
            featuresCol(),
            predictionCol(),
            k(),
            initMode(),
            initSteps(),
            distanceMeasure(),
            maxIter(),
            seed(),
            tol(),
            weightCol(),
            maxBlockSizeInMB()));
    Vector[] first = (Vector[]) requireNonNull(Hidden.call(MLLIB, this, "initialize", dataset));
    int features = first[0].size();
    log.logNumFeatures(features);
    double[] centres =
        Arrays.stream(first).flatMapToDouble(c -> Arrays.stream(c.toArray())).toArray();
    Lloyd lloyd = new Lloyd(centres, first.length, getDistanceMeasure(), getMaxIter(), getTol());
    RDD<InstanceBlock> blocks = blocks(dataset);
    Lloyd.Clusters found;
    try {
      found = lloyd.over(blocks);
    } finally {
      blocks.unpersist(false);
    }
    return model(dataset, found, first.length, features);
  }

  /** The rows, each with its squared norm as label, or normalised for cosine distances. */
  private RDD<InstanceBlock> blocks(Dataset<?> dataset) {
    boolean cosine = getDistanceMeasure().equals("cosine");
    RDD<Instance> rows =
        dataset
            .select(
                DatasetUtils$.MODULE$.checkNonNanVectors(
                    DatasetUtils$.MODULE$.columnToVector(dataset, getFeaturesCol())),
                DatasetUtils$.MODULE$.checkNonNegativeWeights(get(weightCol())))
            .toJavaRDD()
            .map(row -> instance(row.<Vector>getAs(0), row.getDouble(1), cosine))
            .rdd();
    long size = (long) Math.ceil(Rows.blockSize(getMaxBlockSizeInMB()) * MIB);
    return InstanceBlock$.MODULE$
        .blokifyWithMaxMemUsage(rows, size)
        .persist(StorageLevel.MEMORY_AND_DISK())
        .setName(uid() + ": training blocks");
  }

  private static Instance instance(Vector features, double weight, boolean cosine) {
    return cosine
        ? new Instance(1, weight, Vectors$.MODULE$.normalize(features, 2))
        : new Instance(features.dot(features), weight, features);
  }

  private KMeansModel model(Dataset<?> dataset, Lloyd.Clusters found, int clusters, int features) {
    var centres = new org.apache.spark.mllib.linalg.Vector[clusters];
    for (int i = 0; i < clusters; i++) {
      centres[i] =
          Vectors.dense(Arrays.copyOfRange(found.centres(), i * features, (i + 1) * features));
    }
    KMeansModel bare =
        new KMeansModel(
            uid(),
            new org.apache.spark.mllib.clustering.KMeansModel(
                centres, getDistanceMeasure(), found.cost(), found.iterations()));
    bare.setParent(this);
    KMeansModel model = this.<KMeansModel>copyValues(bare, ParamMap.empty());
    KMeansSummary summary =
        new KMeansSummary(
            model.transform(dataset),
            getPredictionCol(),
            getFeaturesCol(),
            clusters,
            found.iterations(),
            found.cost());
    model.setSummary(Option.apply(summary));
    return model;
  }
}
