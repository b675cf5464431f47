package org.sparkcollectives.ml;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.lang.reflect.Method;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** The estimators as the gateway of PySpark calls them: by names, with plain values. */
final class PlainCallsTest {

  /** For each estimator one of its parameters that is no whole number. */
  private static final Map<String, String> NUMBERS =
      Map.of(
          "LogisticRegression", "RegParam",
          "LinearRegression", "RegParam",
          "LinearSVC", "RegParam",
          "AFTSurvivalRegression", "Tol",
          "KMeans", "Tol",
          "FMClassifier", "StepSize",
          "FMRegressor", "StepSize");

  private static Object call(Object target, String name, Object... arguments) throws Exception {
    List<Method> named =
        Arrays.stream(target.getClass().getMethods())
            .filter(method -> method.getName().equals(name) && !method.isBridge())
            .filter(method -> method.getParameterCount() == arguments.length)
            .toList();
    assertTrue(!named.isEmpty(), "there is no " + name);
    return named.get(0).invoke(target, arguments);
  }

  static Set<String> names() {
    assertEquals(Estimators.names(), NUMBERS.keySet(), "the estimators that have a number here");
    return NUMBERS.keySet();
  }

  @ParameterizedTest
  @MethodSource("names")
  void settersAndGettersTakeAndGivePlainValues(String name) throws Exception {
    String number = NUMBERS.get(name);
    Object estimator =
        Class.forName("org.sparkcollectives.ml." + name).getConstructor().newInstance();
    assertEquals(estimator, call(estimator, "setMaxIter", 7));
    assertEquals(7, call(estimator, "getMaxIter"));
    assertEquals(estimator, call(estimator, "set" + number, 0.25));
    assertEquals(0.25, call(estimator, "get" + number));
    assertEquals(estimator, call(estimator, "setFeaturesCol", "x"));
    assertEquals("x", call(estimator, "getFeaturesCol"));
  }
}
