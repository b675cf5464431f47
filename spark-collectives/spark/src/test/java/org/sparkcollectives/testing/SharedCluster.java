package org.sparkcollectives.testing;

import java.nio.file.Path;

/** The one cluster that all test classes of a JVM use; it ends with the JVM. */
public final class SharedCluster {
  private static final StandaloneCluster CLUSTER =
      StandaloneCluster.start(Path.of("target", "cluster-logs"), 2, 16, 16384);

  static {
    Runtime.getRuntime().addShutdownHook(new Thread(CLUSTER::close, "shared-cluster-close"));
  }

  private SharedCluster() {}

  /**
   * The cluster: two workers of sixteen cores and 16 GiB each, as far as it tells Spark.
   *
   * @return the cluster, started
   */
  public static StandaloneCluster get() {
    return CLUSTER;
  }
}
