package org.sparkcollectives.ml.internal.agent;

import java.lang.instrument.Instrumentation;
import net.bytebuddy.agent.ByteBuddyAgent;
import org.jspecify.annotations.Nullable;
import org.sparkcollectives.error.InvalidInputException;
import org.sparkcollectives.internal.error.ErrorText;

/**
 * The agent of the driver's JVM: given with {@code -javaagent}, or attached when it is asked for.
 */
public final class Agent {
  private static volatile @Nullable Instrumentation given;

  private Agent() {}

  /**
   * Takes what {@code -javaagent} gives; it changes nothing.
   *
   * @param arguments not used
   * @param instrumentation the JVM's
   */
  public static void premain(@Nullable String arguments, Instrumentation instrumentation) {
    given = instrumentation;
  }

  /**
   * Takes what attaching gives; it changes nothing.
   *
   * @param arguments not used
   * @param instrumentation the JVM's
   */
  public static void agentmain(@Nullable String arguments, Instrumentation instrumentation) {
    given = instrumentation;
  }

  /**
   * The way to change classes of this JVM.
   *
   * @return it
   * @throws InvalidInputException if the JVM allows none
   */
  public static Instrumentation instrumentation() {
    Instrumentation known = given;
    if (known != null) {
      return known;
    }
    try {
      Instrumentation attached = ByteBuddyAgent.install();
      given = attached;
      return attached;
    } catch (IllegalStateException | LinkageError e) {
      throw InvalidInputException.of(
          "MLlib stays as it is",
          "the driver's JVM lets no agent attach to it (" + ErrorText.reason(e) + ")",
          "start the driver with the agent: -javaagent:PATH/spark-collectives-ml_2.13-VERSION.jar"
              + " in spark.driver.extraJavaOptions or --driver-java-options, and the jars of"
              + " spark-collectives in spark.driver.extraClassPath",
          e);
    }
  }
}
