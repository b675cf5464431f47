package org.sparkcollectives.ml.internal.agent;

/** A method that is woven; each is one of its name with so many arguments. */
public enum WovenMethod {
  /** {@code RDD.treeAggregate}. */
  TREE_AGGREGATE("org.apache.spark.rdd.RDD", "treeAggregate", 6),

  /** {@code RDD.treeReduce}. */
  TREE_REDUCE("org.apache.spark.rdd.RDD", "treeReduce", 2),

  /** {@code SparkContext.broadcast}. */
  BROADCAST("org.apache.spark.SparkContext", "broadcast", 2),

  /** Breeze's {@code FirstOrderMinimizer.iterations}. */
  ITERATIONS("breeze.optimize.FirstOrderMinimizer", "iterations", 2),

  /** {@code GradientDescent.runMiniBatchSGD}. */
  MINI_BATCHES("org.apache.spark.mllib.optimization.GradientDescent$", "runMiniBatchSGD", 9),

  /** The training of {@code LogisticRegression} of {@code ml}. */
  LOGISTIC_REGRESSION("org.apache.spark.ml.classification.LogisticRegression", "train", 1),

  /** That of {@code LinearSVC}. */
  LINEAR_SVC("org.apache.spark.ml.classification.LinearSVC", "train", 1),

  /** That of {@code LinearRegression}. */
  LINEAR_REGRESSION("org.apache.spark.ml.regression.LinearRegression", "train", 1),

  /** That of {@code AFTSurvivalRegression}. */
  SURVIVAL_REGRESSION("org.apache.spark.ml.regression.AFTSurvivalRegression", "train", 1),

  /** What k-means of {@code mllib}, and of {@code ml} by rows, does. */
  CLUSTERS_OF_ROWS("org.apache.spark.mllib.clustering.KMeans", "runAlgorithmWithWeight", 2),

  /** What k-means of {@code ml} does by blocks of rows. */
  CLUSTERS_OF_BLOCKS("org.apache.spark.ml.clustering.KMeans", "trainWithBlock", 2),

  /** The loop of Gaussian mixtures of {@code ml}. */
  MIXTURE("org.apache.spark.ml.clustering.GaussianMixture", "trainImpl", 5),

  /** The loop of {@code Word2Vec} of {@code mllib}, which that of {@code ml} calls. */
  WORD_VECTORS("org.apache.spark.mllib.feature.Word2Vec", "doFit", 5);

  private final String type;
  private final String method;
  private final int arguments;

  WovenMethod(String type, String method, int arguments) {
    this.type = type;
    this.method = method;
    this.arguments = arguments;
  }

  String type() {
    return type;
  }

  String method() {
    return method;
  }

  int arguments() {
    return arguments;
  }

  /**
   * The name by which the woven method asks.
   *
   * @return class and method
   */
  public String key() {
    return type + "." + method;
  }
}
