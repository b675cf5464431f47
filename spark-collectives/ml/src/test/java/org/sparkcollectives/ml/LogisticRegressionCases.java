package org.sparkcollectives.ml;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Consumer;
import org.apache.spark.ml.classification.LogisticRegressionModel;
import org.apache.spark.ml.linalg.Matrices;
import org.apache.spark.ml.linalg.Vectors;
import org.apache.spark.scheduler.SparkListener;
import org.apache.spark.scheduler.SparkListenerEvent;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.SparkSession;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.sparkcollectives.spark.internal.events.TrainingEvent;
import org.sparkcollectives.testing.Jobs;

/** Logistic regression against MLlib's, in the application of {@link EstimatorsIT}. */
@Timeout(240)
abstract class LogisticRegressionCases {
  private static final int FEATURES = 8;

  private static SparkSession session;
  private static Dataset<Row> rows;

  @BeforeAll
  static void start() {
    session = EstimatorsIT.session();
    rows = Examples.of(session, 900, FEATURES, 5);
  }

  @Test
  void binomial() {
    List<TrainingEvent> told = new CopyOnWriteArrayList<>();
    SparkListener listener =
        new SparkListener() {
          @Override
          public void onOtherEvent(SparkListenerEvent event) {
            if (event instanceof TrainingEvent training) {
              told.add(training);
            }
          }
        };
    Jobs.settle(session.sparkContext());
    session.sparkContext().addSparkListener(listener);
    LogisticRegressionModel model = same(estimator -> estimator.setMaxIter(15));
    Jobs.settle(session.sparkContext());
    session.sparkContext().removeSparkListener(listener);
    assertEquals(1, told.size());
    TrainingEvent training = told.get(0);
    double[] history = model.summary().objectiveHistory();
    assertEquals(Arrays.stream(history).boxed().toList(), training.objective);
    assertEquals(history.length - 1, training.iterations);
    assertEquals(training.evaluations - 1, training.iterationsEvaluations);
    assertEquals(model.coefficients().size() + 1, training.coefficients);
    assertTrue(training.iterationsMillis < training.millis);
    assertTrue(training.iterationsCommunicatingMillis < training.iterationsMillis);
    assertTrue(training.call > 0 && training.millis > 0 && !training.reason.isEmpty());
  }

  @Test
  void withoutInterceptAndStandardization() {
    same(e -> e.setFitIntercept(false).setStandardization(false).setRegParam(0.1));
  }

  @Test
  void weightsAndElasticNet() {
    same(e -> e.setWeightCol("weight").setRegParam(0.02).setElasticNetParam(0.5));
  }

  @Test
  void multinomial() {
    same(e -> e.setLabelCol("class").setFamily("multinomial"));
    same(e -> e.setLabelCol("class").setFitIntercept(false).setRegParam(0.1));
  }

  @Test
  void bounds() {
    same(
        e ->
            e.setLowerBoundsOnCoefficients(Matrices.zeros(1, FEATURES))
                .setUpperBoundsOnIntercepts(Vectors.dense(0.2)));
  }

  @Test
  void allLabelsTheSame() {
    Dataset<Row> ones = rows.where("label = 1.0");
    LogisticRegressionModel model = new LogisticRegression().fit(ones);
    assertEquals(Double.POSITIVE_INFINITY, model.intercept());
  }

  @Test
  void labelsThatAreNoClassesAreMllibsError() {
    Exception expected =
        assertThrows(
            Exception.class,
            () ->
                new org.apache.spark.ml.classification.LogisticRegression()
                    .setLabelCol("time")
                    .fit(rows));
    Exception actual =
        assertThrows(Exception.class, () -> new LogisticRegression().setLabelCol("time").fit(rows));
    assertEquals(expected.getClass(), actual.getClass());
  }

  @Test
  void boundsThatDoNotFitAreMllibsError() {
    var plain = new org.apache.spark.ml.classification.LogisticRegression();
    plain.setLowerBoundsOnCoefficients(Matrices.zeros(1, FEATURES + 1));
    LogisticRegression collective = new LogisticRegression();
    collective.setLowerBoundsOnCoefficients(Matrices.zeros(1, FEATURES + 1));
    Exception expected = assertThrows(IllegalArgumentException.class, () -> plain.fit(rows));
    Exception actual = assertThrows(IllegalArgumentException.class, () -> collective.fit(rows));
    assertEquals(expected.getMessage(), actual.getMessage());
  }

  @Test
  void startsFromAModelThatIsGiven() {
    LogisticRegressionModel first = new LogisticRegression().setMaxIter(5).fit(rows);
    LogisticRegressionModel again = same(e -> e.setMaxIter(5).setInitialModel(first));
    assertTrue(
        again.summary().objectiveHistory()[0] < first.summary().objectiveHistory()[4],
        "starts lower");
  }

  @Test
  void savedAndLoaded(@TempDir Path folder) throws Exception {
    LogisticRegression estimator = new LogisticRegression();
    estimator.setRegParam(0.25).setMaxIter(4);
    String path = folder.resolve("estimator").toString();
    estimator.save(path);
    LogisticRegression loaded = LogisticRegression.load(path);
    assertEquals(estimator.uid(), loaded.uid());
    assertEquals(0.25, loaded.getRegParam());
    assertEquals(4, loaded.copy(loaded.extractParamMap()).getMaxIter());
    LogisticRegressionModel model = loaded.fit(rows);
    String saved = folder.resolve("model").toString();
    model.save(saved);
    assertEquals(model.coefficients(), LogisticRegressionModel.load(saved).coefficients());
    assertEquals(loaded.uid(), model.parent().uid());
  }

  private static LogisticRegressionModel same(
      Consumer<org.apache.spark.ml.classification.LogisticRegression> settings) {
    var plain = new org.apache.spark.ml.classification.LogisticRegression();
    LogisticRegression collective = new LogisticRegression();
    plain.setMaxIter(8);
    collective.setMaxIter(8);
    settings.accept(plain);
    settings.accept(collective);
    LogisticRegressionModel expected = plain.fit(rows);
    LogisticRegressionModel actual = collective.fit(rows);
    Same.numbers(expected.coefficientMatrix().toArray(), actual.coefficientMatrix().toArray());
    Same.coefficients(expected.interceptVector(), actual.interceptVector());
    Same.histories(expected.summary().objectiveHistory(), actual.summary().objectiveHistory());
    assertEquals(expected.summary().accuracy(), actual.summary().accuracy(), 1e-12);
    return actual;
  }
}
