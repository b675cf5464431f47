package org.sparkcollectives.ml;

import java.util.Arrays;
import java.util.List;
import java.util.ServiceLoader;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import org.apache.spark.ml.Estimator;
import org.apache.spark.ml.param.Param;

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

  /** The parameters that an estimator has without being given them, each with its value. */
  @SuppressWarnings("unchecked") // each has its own values
  static List<String> defaults(Estimator<?> estimator) {
    return Arrays.stream(estimator.params())
        .map(each -> (Param<Object>) each)
        .filter(estimator::hasDefault)
        .map(each -> each.name() + " " + each.jsonEncode(estimator.getDefault(each).get()))
        .toList();
  }
}
