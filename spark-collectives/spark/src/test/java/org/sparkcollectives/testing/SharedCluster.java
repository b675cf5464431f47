package org.sparkcollectives.testing;

import java.nio.file.Path;

/** The one cluster that all test classes of a JVM use; it ends with the JVM. */
public final class SharedCluster {
  private static final StandaloneCluster CLUSTER =
      StandaloneCluster.start(Path.of("target", "cluster-logs"), 1, 32, 32768);

  static {
    Runtime.getRuntime().addShutdownHook(new Thread(CLUSTER::close, "shared-cluster-close"));
  }

  private SharedCluster() {}

  /**
   * The cluster: a worker of 32 cores and 32 GiB, as far as it tells Spark.
   *
   * @return the cluster, started
   */
  public static StandaloneCluster get() {
    return CLUSTER;
  }
}
