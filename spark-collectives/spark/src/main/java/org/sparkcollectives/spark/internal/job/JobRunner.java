package org.sparkcollectives.spark.internal.job;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.atomic.AtomicLong;
import java.util.regex.Pattern;
import org.apache.spark.SparkContext;
import org.apache.spark.api.java.JavaRDD;
import org.apache.spark.rdd.RDD;
import org.apache.spark.resource.ResourceProfile;
import org.jspecify.annotations.Nullable;
import org.sparkcollectives.error.AbortedException;
import org.sparkcollectives.error.CollectiveException;
import org.sparkcollectives.spark.internal.body.Plan;
import org.sparkcollectives.spark.internal.conf.CollectiveConf;
import org.sparkcollectives.spark.internal.conf.Settings;
import org.sparkcollectives.spark.internal.rendezvous.Attempt;
import org.sparkcollectives.spark.internal.rendezvous.DriverEndpoint;
import org.sparkcollectives.spark.internal.rendezvous.Failure;
import org.sparkcollectives.spark.internal.rendezvous.Rendezvous;
import org.sparkcollectives.spark.internal.result.StoredValues;
import scala.reflect.ClassTag;
import scala.reflect.ClassTag$;

/**
 * Submits a barrier job, and again under a new epoch when an executor or a connection was lost.
 * Spark retries no barrier stage that ends a job. For the calling thread of the driver.
 */
public final class JobRunner {
  private static final ClassTag<Object> ANY = ClassTag$.MODULE$.apply(Object.class);

  /** What Spark says of a job that a user has cancelled. */
  private static final Pattern CANCELLED = Pattern.compile("Job \\d+ cancelled ");

  private static final long CAUSE_MILLIS = 3_000;
  private static final Duration SHORT_PATIENCE = Duration.ofSeconds(10);
  private static final long POLL_MILLIS = 50;

  private final SparkContext context;
  private final String operation;
  private final CollectiveConf conf;
  private final DriverEndpoint endpoint;
  private final ResourceProfile profile;
  private final long job;

  /**
   * Prepares a job.
   *
   * @param context the application
   * @param operation what is asked for, for messages
   * @param conf the application's settings
   * @param rdd the RDD whose resources tasks need, or null for those of the application
   */
  public JobRunner(
      SparkContext context, String operation, CollectiveConf conf, @Nullable RDD<?> rdd) {
    this.context = context;
    this.operation = operation;
    this.conf = conf;
    this.endpoint = DriverEndpoint.of(context);
    ResourceProfile own = rdd == null ? null : rdd.getResourceProfile();
    this.profile = own == null ? context.resourceProfileManager().defaultResourceProfile() : own;
    this.job = endpoint.nextJob();
  }

  /** Makes the plan of each attempt. */
  @FunctionalInterface
  public interface Planner {
    /**
     * Plans an attempt.
     *
     * @param slots how many tasks can run at once, 1 or more
     * @param attempt the attempt
     * @return the plan, for as many ranks as there are slots at most
     */
    Plan plan(int slots, Attempt attempt);
  }

  /**
   * What a job has brought.
   *
   * @param values what the tasks returned, in order
   * @param admitted how many ranks took part
   * @param stored what they have stored
   */
  public record Outcome(List<Object> values, int admitted, StoredValues stored) {}

  /**
   * Runs the job.
   *
   * @param admission which ranks take part
   * @param needed the number of slots to wait for
   * @param results how many values its ranks store
   * @param planner makes the plan of each attempt
   * @return what the attempt that succeeded has brought
   */
  public Outcome run(Rendezvous.Admission admission, int needed, int results, Planner planner) {
    int wanted = needed;
    for (int epoch = 0; ; epoch++) {
      int slots = awaitSlots(wanted, epoch > 0);
      StoredValues stored = StoredValues.reserve(context, results);
      Attempt attempt = new Attempt(operation, job, epoch, conf, stored.base());
      Plan plan = planner.plan(slots, attempt);
      if (plan.size() > slots) {
        throw JobErrors.tooFewSlots(operation, slots, plan.size());
      }
      wanted = plan.size();
      long lostBefore = endpoint.executorsLost();
      Rendezvous.Terms terms = new Rendezvous.Terms(attempt, plan.size(), admission);
      Rendezvous rendezvous = endpoint.open(terms);
      try {
        List<Object> values = submit(plan, attempt, rendezvous);
        return new Outcome(values, rendezvous.admitted(), stored);
      } catch (Exception e) {
        if (e instanceof InterruptedException) {
          endpoint.close(terms);
          discard(stored);
          Thread.currentThread().interrupt();
          throw AbortedException.interrupted(e);
        }
        Failure failure = context.isStopped() ? null : rendezvous.awaitFailure(CAUSE_MILLIS);
        discard(stored);
        if (!rendezvous.starved() && CANCELLED.matcher(String.valueOf(e.getMessage())).find()) {
          throw JobErrors.jobFailed(operation, epoch + 1, e);
        }
        boolean lost = failure == null && endpoint.executorsLost() > lostBefore;
        boolean again = lost || (failure != null && failure.retryable());
        if (!again || epoch >= conf.get(Settings.RETRIES) || context.isStopped()) {
          throw forCaller(failure, e, epoch + 1);
        }
      } finally {
        endpoint.close(terms);
      }
    }
  }

  private List<Object> submit(Plan plan, Attempt attempt, Rendezvous rendezvous) {
    @SuppressWarnings("unchecked")
    RDD<Object> input = (RDD<Object>) plan.rdd().rdd();
    RDD<Object> ranks =
        input.barrier().mapPartitions(new RankTask(attempt, plan.body()), false, ANY);
    String tag = "spark-collectives-" + attempt.job() + "." + attempt.epoch();
    ScheduledFuture<?> watch = endpoint.everySecond(slotWatch(plan.size(), rendezvous, tag));
    context.addJobTag(tag);
    try {
      return new JavaRDD<>(ranks, ANY).collect();
    } catch (Exception e) {
      if (e instanceof InterruptedException && !context.isStopped()) {
        context.cancelJobsWithTag(tag); // Spark would let the job go on
      }
      throw e;
    } finally {
      watch.cancel(false);
      if (!context.isStopped()) {
        context.removeJobTag(tag);
      }
    }
  }

  /**
   * Gives an attempt up when its slots were lost before its ranks could start: Spark looks at the
   * slots when a job is submitted, and then waits for them without a limit.
   */
  private Runnable slotWatch(int needed, Rendezvous rendezvous, String tag) {
    AtomicLong since = new AtomicLong();
    return () -> {
      if (context.isStopped() || !rendezvous.nobodyYet()) {
        return;
      }
      int slots = context.maxNumConcurrentTasks(profile);
      long now = System.nanoTime();
      if (slots >= needed) {
        since.set(0);
      } else if (!since.compareAndSet(0, now)
          && now - since.get() >= conf.get(Settings.SLOTS_TIMEOUT).toNanos()) {
        rendezvous.starve(JobErrors.tooFewSlots(operation, slots, needed));
        context.cancelJobsWithTag(tag);
      }
    };
  }

  private void discard(StoredValues stored) {
    if (!context.isStopped()) {
      stored.discard();
    }
  }

  private CollectiveException forCaller(@Nullable Failure failure, Exception spark, int attempts) {
    if (failure == null) {
      return JobErrors.jobFailed(operation, attempts, spark);
    }
    RuntimeException exception = failure.exception();
    exception.addSuppressed(spark);
    return exception instanceof CollectiveException collective
        ? collective
        : JobErrors.jobFailed(operation, attempts, exception);
  }

  /**
   * Waits until there are enough slots or time is up; returns how many there are, at least one.
   * Where there are some and none were lost, more are not likely to come, and the wait is short.
   */
  private int awaitSlots(int needed, boolean afterFailure) {
    long start = System.nanoTime();
    while (true) {
      if (context.isStopped()) {
        throw JobErrors.contextStopped(operation);
      }
      int slots = context.maxNumConcurrentTasks(profile);
      Duration patience = conf.get(Settings.SLOTS_TIMEOUT);
      if (slots > 0 && !afterFailure && patience.compareTo(SHORT_PATIENCE) > 0) {
        patience = SHORT_PATIENCE;
      }
      if (slots >= needed || System.nanoTime() - start >= patience.toNanos()) {
        if (slots == 0) {
          throw JobErrors.noSlots(operation, patience);
        }
        return slots;
      }
      try {
        Thread.sleep(POLL_MILLIS);
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
        throw AbortedException.interrupted(e);
      }
    }
  }
}
