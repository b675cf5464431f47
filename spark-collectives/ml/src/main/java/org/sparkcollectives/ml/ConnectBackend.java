package org.sparkcollectives.ml;

import java.util.Map;
import java.util.Optional;
import java.util.ServiceLoader;
import java.util.stream.Collectors;
import org.apache.spark.ml.Estimator;
import org.apache.spark.sql.connect.plugin.MLBackendPlugin;

/**
 * Gives clients of Spark Connect this package's estimators where they ask for those of MLlib. A
 * server of Spark 4 that is started with {@code
 * spark.connect.ml.backend.classes=org.sparkcollectives.ml.ConnectBackend} asks it for each
 * operator; clients change nothing, and get MLlib's models. What they save is MLlib's, too.
 */
public final class ConnectBackend implements MLBackendPlugin {
  private static final String SERVED = "org.sparkcollectives.ml.internal.connect";

  /**
   * What trains in the place of each class of MLlib: a class that extends this package's, which
   * extends MLlib's. They are registered as services, as a server of Spark Connect finds all that
   * it may train.
   */
  private static final Map<String, String> ESTIMATORS =
      ServiceLoader.load(Estimator.class, ConnectBackend.class.getClassLoader()).stream()
          .<Class<?>>map(ServiceLoader.Provider::type)
          .filter(type -> type.getPackageName().equals(SERVED))
          .collect(
              Collectors.toUnmodifiableMap(
                  type -> type.getSuperclass().getSuperclass().getName(), Class::getName));

  /** A backend; Spark makes one for each question. */
  public ConnectBackend() {}

  /**
   * The estimator that trains in another's place.
   *
   * @param mlName the name of a class of MLlib
   * @return the name of a class that trains as this package's and is saved as MLlib's, or nothing
   *     where there is none
   */
  @Override
  public Optional<String> transform(String mlName) {
    return Optional.ofNullable(ESTIMATORS.get(mlName));
  }
}
