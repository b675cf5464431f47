package org.sparkcollectives.spark.internal.job;

import java.util.Collections;
import java.util.Set;
import java.util.WeakHashMap;
import java.util.function.Supplier;
import org.apache.spark.SparkConf;
import org.apache.spark.SparkContext;
import org.jspecify.annotations.Nullable;
import org.sparkcollectives.error.CollectiveException;
import org.sparkcollectives.internal.algorithm.Algorithms;
import org.sparkcollectives.internal.vector.VectorErrors;
import org.sparkcollectives.schedule.Collective;
import org.sparkcollectives.select.Rules;
import org.sparkcollectives.spark.internal.conf.CollectiveConf;
import org.sparkcollectives.spark.internal.conf.Encryption;
import org.sparkcollectives.spark.internal.conf.MadeFor;
import org.sparkcollectives.spark.internal.conf.Settings;
import org.sparkcollectives.spark.internal.conf.TlsStores;
import org.sparkcollectives.spark.internal.input.Calls;
import org.sparkcollectives.spark.internal.input.Lineage;
import org.sparkcollectives.spark.internal.rendezvous.DriverEndpoint;
import org.sparkcollectives.vector.ReduceOp;

/** What can be refused at the driver, before anything is submitted. */
public final class Preconditions {
  private static final String JAVA = "org.apache.spark.serializer.JavaSerializer";
  private static final String KRYO = "org.apache.spark.serializer.KryoSerializer";

  /** Applications that have shown their stores of TLS to be readable, which takes a while. */
  private static final Set<SparkContext> STORES_READ =
      Collections.newSetFromMap(Collections.synchronizedMap(new WeakHashMap<>()));

  private Preconditions() {}

  /**
   * Checks the application, and that an algorithm exists and suits the operator.
   *
   * @param context the application
   * @param operation what is asked for, for messages
   * @param collective the collective that it is
   * @param algorithm the algorithm's slug, or null for the cheapest
   * @param op the operator, or null where none is applied
   * @return the application's settings
   */
  public static CollectiveConf check(
      SparkContext context,
      String operation,
      Collective collective,
      @Nullable String algorithm,
      @Nullable ReduceOp<?> op) {
    if (collective.reducing()) {
      VectorErrors.requireOperator(op);
    }
    CollectiveConf conf = check(context, operation);
    checkAlgorithm(conf, collective, algorithm, op);
    return conf;
  }

  /**
   * Checks the application.
   *
   * @param context the application
   * @param operation what is asked for, for messages
   * @return the application's settings
   */
  public static CollectiveConf check(SparkContext context, String operation) {
    if (context.isStopped()) {
      throw JobErrors.contextStopped(operation);
    }
    MadeFor.compare(context, MadeFor.class);
    if (STORES_READ.contains(context)) {
      return checkSettings(context.getConf(), context.isLocal(), operation);
    }
    CollectiveConf settings = check(context.getConf(), context.isLocal(), operation);
    STORES_READ.add(context);
    return settings;
  }

  /**
   * Checks the settings of an application, and that its stores of TLS can be read where it uses
   * them.
   *
   * @param conf Spark's configuration
   * @param local whether it runs in this JVM alone, or else on a cluster
   * @param operation what is asked for, for messages
   * @return the application's settings
   */
  public static CollectiveConf check(SparkConf conf, boolean local, String operation) {
    CollectiveConf settings = checkSettings(conf, local, operation);
    if (Encryption.of(conf, settings) == Encryption.TLS && !local) {
      TlsStores unusedButReadable = TlsStores.of(conf);
    }
    return settings;
  }

  private static CollectiveConf checkSettings(SparkConf conf, boolean local, String operation) {
    CollectiveConf settings = CollectiveConf.of(conf);
    if (conf.getBoolean("spark.dynamicAllocation.enabled", false) && !local) {
      throw JobErrors.dynamicAllocation(operation);
    }
    if (!settings.get(Settings.OBJECTS_FILTER).isEmpty() && !limitsClasses(conf)) {
      throw JobErrors.filterIgnored(operation);
    }
    return settings;
  }

  /** Whether the serializer asks the filter, or is Kryo's and takes registered classes alone. */
  private static boolean limitsClasses(SparkConf conf) {
    String serializer = conf.get("spark.serializer", JAVA);
    return serializer.equals(JAVA)
        || (serializer.equals(KRYO) && conf.getBoolean("spark.kryo.registrationRequired", false));
  }

  /**
   * The application's endpoint, which the first call sets up.
   *
   * @param context the application
   * @param operation what is asked for, for messages
   * @return the endpoint
   */
  public static DriverEndpoint endpoint(SparkContext context, String operation) {
    return unlessStopped(context, operation, () -> DriverEndpoint.of(context));
  }

  /**
   * Asks Spark for something. One that has stopped since it was checked, or is about to, throws
   * what its parts do that are not there any more: the caller is told that it has stopped. A thread
   * that is interrupted cannot ask, and is told so.
   *
   * @param context the application
   * @param operation what was asked for, for messages
   * @param asked what is asked
   * @param <T> the answer's class
   * @return the answer
   */
  public static <T> T unlessStopped(SparkContext context, String operation, Supplier<T> asked) {
    try {
      return asked.get();
    } catch (Exception e) { // Scala's methods do not declare checked ones
      Throwable reason = ForCaller.reason(context, operation, e);
      throw Calls.<RuntimeException>sneaky(ForCaller.of(context, reason));
    }
  }

  /**
   * Stores a value in the driver's block manager, as {@link #unlessStopped} asks for something.
   *
   * @param context the application
   * @param operation what was asked for, for messages
   * @param stores stores it
   * @param <T> the class of what is stored
   * @return what it returns
   * @throws CollectiveException if it cannot be stored
   */
  public static <T> T stored(SparkContext context, String operation, Supplier<T> stores) {
    return unlessStopped(
        context,
        operation,
        () -> {
          try {
            return stores.get();
          } catch (Exception e) { // as above
            boolean told = e instanceof CollectiveException || Calls.isInterruption(e);
            if (told || context.isStopped()) {
              throw e;
            }
            throw JobErrors.valueNotStored(operation, e);
          }
        });
  }

  /**
   * Checks that ranks can compute an RDD.
   *
   * @param lineage what lies behind the RDD
   * @param operation what is asked for, for messages
   * @return how many slots there must be
   */
  public static int checkLineage(Lineage lineage, String operation) {
    if (!lineage.barrier()) {
      return 1;
    }
    if (!lineage.aligned()) {
      throw JobErrors.lineageNotBarrier(operation);
    }
    return lineage.partitions();
  }

  private static void checkAlgorithm(
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
    String name = op == null ? null : op.name();
    Algorithms.requireOrder(Algorithms.named(collective, slug).get(0), !ordered, name);
  }
}
