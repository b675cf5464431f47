package org.sparkcollectives.benchmarks.ml;

import org.apache.spark.SparkContext;
import org.jspecify.annotations.Nullable;

/** A way to train. */
enum Trainer {
  MLLIB("MLlib", false, false),
  PLUGIN("MLlib with the plugin", true, false),
  ESTIMATOR("the library's estimator", false, true);

  private static final String SWITCH = "spark.collectives.mllib.enabled";

  private final String title;
  private final boolean woven;
  private final boolean own;

  Trainer(String title, boolean woven, boolean own) {
    this.title = title;
    this.woven = woven;
    this.own = own;
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
  }
}
