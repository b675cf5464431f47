package org.sparkcollectives.spark;

import java.util.List;
import org.apache.spark.SparkConf;
import org.apache.spark.SparkContext;
import org.jspecify.annotations.Nullable;
import org.sparkcollectives.error.SparkErrors;
import org.sparkcollectives.internal.algorithm.Algorithms;
import org.sparkcollectives.schedule.Collective;
import org.sparkcollectives.select.Rules;
import org.sparkcollectives.vector.ReduceOp;

/** What can be refused at the driver, before anything is submitted. */
final class Preconditions {
  private static final List<String> ENCRYPTION =
      List.of(
          "spark.network.crypto.enabled",
          "spark.authenticate.enableSaslEncryption",
          "spark.io.encryption.enabled",
          "spark.ssl.rpc.enabled");

  private Preconditions() {}

  /** Checks the application; returns its settings. */
  static CollectiveConf check(SparkContext context, String operation) {
    if (context.isStopped()) {
      throw SparkErrors.contextStopped(operation);
    }
    return check(context.getConf(), context.isLocal(), operation);
  }

  /** Checks the settings of an application that runs in this JVM alone, or on a cluster. */
  static CollectiveConf check(SparkConf conf, boolean local, String operation) {
    CollectiveConf settings = CollectiveConf.of(conf);
    if (conf.getBoolean("spark.dynamicAllocation.enabled", false) && !local) {
      throw SparkErrors.dynamicAllocation(operation);
    }
    List<String> encrypted =
        ENCRYPTION.stream().filter(key -> conf.getBoolean(key, false)).toList();
    if (!encrypted.isEmpty() && !settings.allowPlaintext() && !local) {
      throw SparkErrors.plaintext(operation, encrypted);
    }
    return settings;
  }

  /** Checks that an algorithm exists and suits the operator. */
  static void checkAlgorithm(
      CollectiveConf conf,
      Collective collective,
      @Nullable String algorithm,
      @Nullable ReduceOp<?> op) {
    Rules rules = conf.policy().rules().getOrDefault(collective, Rules.NONE);
    String slug = algorithm == null ? rules.only() : algorithm;
    if (slug == null) {
      return;
    }
    boolean ordered = op != null && !op.commutative();
    String name = op == null ? "none" : op.name();
    Algorithms.requireOrder(Algorithms.find(collective, slug), !ordered, name);
  }
}
