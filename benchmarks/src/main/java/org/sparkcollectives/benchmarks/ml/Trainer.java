package org.sparkcollectives.benchmarks.ml;

import org.apache.spark.SparkContext;
import org.jspecify.annotations.Nullable;

/** A way to train. */
enum Trainer {
  MLLIB("MLlib", false, false, null),
  PLUGIN("MLlib with the plugin", true, false, null),
  ESTIMATOR("the library's estimator", false, true, null),
  WHOLE("the estimator, whole vectors", false, true, "whole"),
  DIVIDED("the estimator, divided vectors", false, true, "divided");

  private static final String SWITCH = "spark.collectives.mllib.enabled";
  private static final String VECTORS = "spark.collectives.mllib.vectors";

  private final String title;
  private final boolean woven;
  private final boolean own;
  private final @Nullable String vectors;

  Trainer(String title, boolean woven, boolean own, @Nullable String vectors) {
    this.title = title;
    this.woven = woven;
    this.own = own;
    this.vectors = vectors;
  }

  /** Its name in tables. */
  String title() {
    return title;
  }

  /** Whether its estimators are the library's. */
  boolean own() {
    return own;
  }

  /** Has this thread's trainings run its way. */
  void choose(SparkContext context) {
    @Nullable String value = woven ? null : "false";
    context.setLocalProperty(SWITCH, value);
    context.setLocalProperty(VECTORS, vectors);
  }
}
