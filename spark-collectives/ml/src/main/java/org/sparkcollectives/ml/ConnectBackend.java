package org.sparkcollectives.ml;

import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.apache.spark.ml.Estimator;
import org.apache.spark.sql.connect.plugin.MLBackendPlugin;

/**
 * Gives clients of Spark Connect this package's estimators where they ask for those of MLlib. A
 * server of Spark 4 that is started with {@code
 * spark.connect.ml.backend.classes=org.sparkcollectives.ml.ConnectBackend} asks it for each
 * operator; clients change nothing, and get MLlib's models.
 */
public final class ConnectBackend implements MLBackendPlugin {
  /** Each estimator, by the name of the one of MLlib that it extends. */
  private static final Map<String, Class<?>> ESTIMATORS =
      Stream.<Class<? extends Estimator<?>>>of(
              AFTSurvivalRegression.class,
              FMClassifier.class,
              FMRegressor.class,
              KMeans.class,
              LinearRegression.class,
              LinearSVC.class,
              LogisticRegression.class)
          .collect(
              Collectors.toUnmodifiableMap(
                  estimator -> estimator.getSuperclass().getName(), Function.identity()));

  /** A backend; Spark makes one for each question. */
  public ConnectBackend() {}

  /**
   * The estimator that trains in another's place.
   *
   * @param mlName the name of a class of MLlib
   * @return the name of the class of this package that extends it, or nothing where there is none
   */
  @Override
  public Optional<String> transform(String mlName) {
    return Optional.ofNullable(ESTIMATORS.get(mlName)).map(Class::getName);
  }
}
