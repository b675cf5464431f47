package org.sparkcollectives.ml;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.lang.reflect.Method;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The estimators as the gateway of PySpark calls them: by names, with plain values. */
final class PlainCallsTest {

  private static Object call(Object target, String name, Object... arguments) throws Exception {
    List<Method> named =
        Arrays.stream(target.getClass().getMethods())
            .filter(method -> method.getName().equals(name) && !method.isBridge())
            .filter(method -> method.getParameterCount() == arguments.length)
            .toList();
    assertTrue(!named.isEmpty(), "there is no " + name);
    return named.get(0).invoke(target, arguments);
  }

  @ParameterizedTest
  @CsvSource({
    "LogisticRegression, RegParam",
    "LinearRegression, RegParam",
    "LinearSVC, RegParam",
    "AFTSurvivalRegression, Tol",
    "KMeans, Tol",
    "FMClassifier, StepSize",
    "FMRegressor, StepSize"
  })
  void settersAndGettersTakeAndGivePlainValues(String name, String number) throws Exception {
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
