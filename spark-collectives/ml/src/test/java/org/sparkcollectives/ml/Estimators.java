package org.sparkcollectives.ml;

import java.util.ServiceLoader;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import org.apache.spark.ml.Estimator;

/** The estimators that users can name. */
final class Estimators {
  private Estimators() {}

  /** The names of those that are registered as services, without their package. */
  static Set<String> names() {
    return ServiceLoader.load(Estimator.class, Estimators.class.getClassLoader()).stream()
        .<Class<?>>map(ServiceLoader.Provider::type)
        .filter(type -> type.getPackageName().equals(Estimators.class.getPackageName()))
        .map(Class::getSimpleName)
        .collect(Collectors.toCollection(TreeSet::new));
  }
}
