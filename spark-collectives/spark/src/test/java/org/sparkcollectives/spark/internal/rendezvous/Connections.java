package org.sparkcollectives.spark.internal.rendezvous;

import java.util.Objects;
import org.apache.spark.SparkEnv;
import org.sparkcollectives.internal.transport.EndpointStatistics;
import org.sparkcollectives.spark.internal.conf.CollectiveConf;
import org.sparkcollectives.spark.internal.conf.Encryption;

/** What the connections of the executor that a task runs on are like. */
public final class Connections {
  private Connections() {}

  /** The executor, how its connections are sealed, and whether any has its bytes in memory. */
  public static String ofThisExecutor() {
    SparkEnv env = SparkEnv.get();
    EndpointStatistics numbers = Objects.requireNonNull(ExecutorEndpoint.statistics());
    return env.executorId()
        + " "
        + Encryption.of(env.conf(), CollectiveConf.of(env.conf()))
        + " shared "
        + numbers.shared()
        + " used "
        + (numbers.openConnections() > 0);
  }
}
