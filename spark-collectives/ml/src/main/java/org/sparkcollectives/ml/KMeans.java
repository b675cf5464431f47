package org.sparkcollectives.ml;

import java.io.Serial;
import org.apache.spark.ml.clustering.KMeansModel;
import org.apache.spark.ml.clustering.KMeansSummary;
import org.apache.spark.ml.feature.Instance;
import org.apache.spark.ml.param.ParamMap;
import org.apache.spark.ml.util.DefaultParamsReader;
import org.apache.spark.ml.util.Identifiable$;
import org.apache.spark.ml.util.Instrumentation;
import org.apache.spark.ml.util.Instrumentation$;
import org.apache.spark.ml.util.MLReader;
import org.apache.spark.rdd.RDD;
import org.apache.spark.sql.Dataset;
import org.sparkcollectives.ml.internal.estimator.KMeansTraining;
import org.sparkcollectives.ml.internal.estimator.Rows;
import org.sparkcollectives.ml.internal.estimator.Saved;
import scala.Option;

/**
 * K-means whose iterations run in one stage: MLlib's estimator with its parameters, and its choice
 * of the first centres. Rows are always made blocks of, as MLlib's solver {@code block} does. It
 * returns MLlib's model.
 */
public class KMeans extends org.apache.spark.ml.clustering.KMeans {
  @Serial private static final long serialVersionUID = 1L;

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
    // MLlib makes it of the name of the class: of this one it would be another.
    setDefault(seed(), (long) org.apache.spark.ml.clustering.KMeans.class.getName().hashCode());
  }

  /**
   * A reader of estimators that were saved.
   *
   * @return the reader, which makes objects of the class that was saved
   */
  public static MLReader<org.apache.spark.ml.clustering.KMeans> read() {
    return new DefaultParamsReader<>();
  }

  /**
   * An estimator that was saved, also as MLlib's.
   *
   * @param path where
   * @return the estimator
   */
  public static KMeans load(String path) {
    return Saved.as(KMeans.class, read().load(path), KMeans::new);
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
    RDD<Instance> rows = KMeansTraining.rows(this, dataset);
    log.logDataset(rows); // that of the data set would be planned for it alone
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
    // Checked as by MLlib, which does so to choose the solver.
    Dataset<?> checked = KMeansTraining.checked(this, dataset);
    var trained = KMeansTraining.ofBlocks(this, dataset, checked, rows, log);
    KMeansModel bare = new KMeansModel(uid(), trained);
    bare.setParent(this);
    KMeansModel model = this.<KMeansModel>copyValues(bare, ParamMap.empty());
    KMeansSummary summary =
        new KMeansSummary(
            model.transform(dataset),
            getPredictionCol(),
            getFeaturesCol(),
            getK(),
            trained.numIter(),
            trained.trainingCost());
    model.setSummary(Option.apply(summary));
    return model;
  }
}
