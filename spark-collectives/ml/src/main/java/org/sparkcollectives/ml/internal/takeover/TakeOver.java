package org.sparkcollectives.ml.internal.takeover;

import breeze.optimize.FirstOrderMinimizer;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Supplier;
import org.apache.spark.SparkContext;
import org.apache.spark.SparkException;
import org.apache.spark.TaskContext;
import org.apache.spark.rdd.RDD;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.sparkcollectives.error.AbortedException;
import org.sparkcollectives.error.CollectiveException;
import org.sparkcollectives.error.ErrorText;
import org.sparkcollectives.error.InvalidInputException;
import org.sparkcollectives.error.RankFailedException;
import org.sparkcollectives.ml.internal.training.Training;
import org.sparkcollectives.spark.internal.conf.CollectiveConf;
import org.sparkcollectives.spark.internal.conf.Settings;

/**
 * The answers to the woven methods of one application. Whatever it cannot do or fails to do is left
 * to Spark's own code, which is said once for each reason. For any thread of the driver.
 */
public final class TakeOver {
  private static final Logger LOG = LoggerFactory.getLogger(TakeOver.class);

  /** Set while a thread is in here, so that what the library calls itself is Spark's. */
  private static final ThreadLocal<Boolean> INSIDE = ThreadLocal.withInitial(() -> false);

  private final SparkContext context;
  private final Aggregations aggregations;
  private final Counts counts = new Counts();
  private final Set<String> said = ConcurrentHashMap.newKeySet();

  /** Whether a job of the library has failed for a reason that others may share. */
  private volatile boolean failed;

  TakeOver(SparkContext context, CollectiveConf conf) {
    this.context = context;
    this.aggregations = new Aggregations(conf.get(Settings.MLLIB_MIN_BYTES), counts);
  }

  /**
   * What has been done so far.
   *
   * @return the counts, which go on counting
   */
  public Counts counts() {
    return counts;
  }

  /** The answer to {@code treeAggregate(zero, seqOp, combOp, depth, finalOnExecutor, tag)}. */
  @Nullable Object @Nullable [] aggregate(Object rdd, Object[] arguments) {
    return answer(() -> ours((RDD<?>) rdd), () -> aggregations.tree((RDD<?>) rdd, arguments));
  }

  /** The answer to {@code treeReduce(f, depth)}. */
  @Nullable Object @Nullable [] reduce(Object rdd, Object[] arguments) {
    return answer(() -> ours((RDD<?>) rdd), () -> aggregations.reduce((RDD<?>) rdd, arguments));
  }

  /** The answer to {@code iterations(f, init)}. */
  @Nullable Object @Nullable [] optimise(Object minimizer, Object[] arguments) {
    return answer(
        () -> true,
        () -> {
          Optional<?> states =
              Training.iterations(
                  (FirstOrderMinimizer<?, ?>) minimizer, arguments[0], arguments[1]);
          states.ifPresent(unused -> counts.training());
          return states.map(found -> new Object[] {found}).orElse(null);
        });
  }

  private boolean ours(RDD<?> rdd) {
    return rdd.context() == context;
  }

  private @Nullable Object @Nullable [] answer(
      Supplier<Boolean> ours, Supplier<@Nullable Object @Nullable []> work) {
    boolean task = TaskContext.get() != null; // of an executor in the driver's JVM
    if (task || INSIDE.get() || failed || switchedOff() || !ours.get()) {
      return null;
    }
    INSIDE.set(true);
    try {
      @Nullable Object @Nullable [] answer = work.get();
      if (answer == null) {
        counts.left();
      }
      return answer;
    } catch (AbortedException e) {
      throw e; // the user's interruption
    } catch (CollectiveException e) {
      if (context.isStopped() || cancelled(e)) {
        throw e;
      }
      leave(e);
    } catch (LinkageError e) {
      leave(e);
    } finally {
      INSIDE.remove();
    }
    counts.left();
    return null;
  }

  /** Leaves a call to Spark, and all later ones where these are likely to fail too. */
  private void leave(Throwable reason) {
    boolean refused = reason instanceof InvalidInputException;
    boolean others = // the application's code, or Spark
        reason instanceof RankFailedException || reason.getCause() instanceof SparkException;
    if (refused) {
      say(ErrorText.reason(reason));
    } else if (others) {
      LOG.info("Spark computes anew what failed in code of the application, to say why", reason);
    } else {
      failed = true;
      LOG.warn(
          "{}",
          ErrorText.of(
              "MLlib goes on as it is, for the rest of the application",
              "a call that was taken over failed: " + ErrorText.reason(reason),
              "see the cause below; " + Settings.MLLIB.key() + "=false leaves all calls to Spark"),
          reason);
    }
  }

  private void say(String reason) {
    if (said.add(reason)) {
      LOG.warn("A call of MLlib is left to Spark. {}", reason);
    }
  }

  private boolean switchedOff() {
    return context.isStopped() || "false".equals(context.getLocalProperty(Settings.MLLIB.key()));
  }

  private static boolean cancelled(Throwable thrown) {
    for (Throwable next = thrown; next != null; next = next.getCause()) {
      if (String.valueOf(next.getMessage()).contains("cancelled")) {
        return true;
      }
    }
    return false;
  }
}
