package org.sparkcollectives.ml;

import static java.util.Objects.requireNonNull;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertSame;

import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.apache.spark.ml.Estimator;
import org.apache.spark.ml.param.ParamMap;
import org.apache.spark.ml.param.Params;
import org.apache.spark.ml.util.Identifiable;
import org.apache.spark.ml.util.MLWritable;
import org.apache.spark.sql.connect.ml.MLUtils$;
import org.apache.spark.sql.connect.plugin.MLBackendPlugin;
import org.apache.spark.sql.connect.plugin.SparkConnectPluginRegistry;
import org.apache.spark.sql.internal.SQLConf;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.sparkcollectives.ml.internal.bridge.Hidden;
import scala.jdk.javaapi.CollectionConverters;

/** The backend as a server of Spark Connect finds it, and asks it, by the server's own code. */
class ConnectBackendTest {

  private static MLBackendPlugin backend() {
    SQLConf conf = new SQLConf();
    conf.setConfString("spark.connect.ml.backend.classes", ConnectBackend.class.getName());
    List<MLBackendPlugin> found =
        CollectionConverters.asJava(SparkConnectPluginRegistry.mlBackendRegistry(conf));
    assertEquals(1, found.size());
    return found.get(0);
  }

  private static List<String> names() {
    return List.of(
        "classification.FMClassifier",
        "classification.LinearSVC",
        "classification.LogisticRegression",
        "clustering.KMeans",
        "regression.AFTSurvivalRegression",
        "regression.FMRegressor",
        "regression.LinearRegression");
  }

  @ParameterizedTest
  @MethodSource("names")
  void theServerMakesThisPackagesEstimator(String name) throws Exception {
    Class<?> asked = Class.forName("org.apache.spark.ml." + name);
    String answer = backend().transform(asked.getName()).orElseThrow();
    Class<?> allowed = MLUtils$.MODULE$.loadOperators(Estimator.class).apply(answer);
    Object estimator = allowed.getConstructor(String.class).newInstance("some uid");
    assertInstanceOf(asked, estimator);
    assertSame(
        ConnectBackend.class.getPackage(), estimator.getClass().getSuperclass().getPackage());
    assertEquals("some uid", ((Identifiable) estimator).uid());
  }

  /** Also a seed, which MLlib makes of the name of its class. */
  @ParameterizedTest
  @MethodSource("names")
  void whatAClientDoesNotSetIsAsMllibs(String name) throws Exception {
    String mllibs = "org.apache.spark.ml." + name;
    Estimator<?> served = made(backend().transform(mllibs).orElseThrow());
    List<String> expected = Estimators.defaults(made(mllibs));
    assertEquals(expected, Estimators.defaults(served));
    assertEquals(expected, Estimators.defaults(served.copy(ParamMap.empty())));
  }

  private static Estimator<?> made(String className) throws ReflectiveOperationException {
    return Class.forName(className)
        .asSubclass(Estimator.class)
        .getConstructor(String.class)
        .newInstance("some uid");
  }

  /** Its metadata name the class of what the writer has. */
  @ParameterizedTest
  @MethodSource("names")
  void whatAClientSavesIsMllibs(String name) throws Exception {
    Class<?> asked = Class.forName("org.apache.spark.ml." + name);
    Estimator<?> served = made(backend().transform(asked.getName()).orElseThrow());
    served.set(served.getParam("maxIter"), 7);
    Estimator<?> copy = served.copy(ParamMap.empty());
    for (Estimator<?> each : List.of(served, copy)) {
      Params saved = (Params) requireNonNull(Hidden.field(((MLWritable) each).write(), "instance"));
      assertSame(asked, saved.getClass());
      assertEquals("some uid", saved.uid());
      assertEquals(7, saved.getOrDefault(saved.getParam("maxIter")));
      assertEquals(served.explainParams(), saved.explainParams());
    }
  }

  @Test
  void everythingElseStaysWithMllib() {
    assertEquals(Optional.empty(), backend().transform("org.apache.spark.ml.feature.PCA"));
    assertEquals(Optional.empty(), backend().transform(LinearSVC.class.getName()));
  }

  @Test
  void theServerKnowsNoOtherEstimatorsOfThisPackage() {
    Map<String, Class<?>> known =
        CollectionConverters.asJava(MLUtils$.MODULE$.loadOperators(Estimator.class));
    String room = ConnectBackend.class.getPackageName() + ".";
    long ours = known.keySet().stream().filter(name -> name.startsWith(room)).count();
    assertEquals(2L * names().size(), ours); // this package's, and what the server gives
  }
}
