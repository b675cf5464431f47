package org.sparkcollectives.spark.internal.job;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.ScheduledFuture;
import java.util.function.Consumer;
import org.apache.spark.SparkContext;
import org.apache.spark.SparkException;
import org.apache.spark.rdd.RDD;
import org.apache.spark.resource.ResourceProfile;
import org.apache.spark.util.CallSite;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.sparkcollectives.error.AbortedException;
import org.sparkcollectives.error.CollectiveException;
import org.sparkcollectives.error.InvalidInputException;
import org.sparkcollectives.spark.internal.body.Plan;
import org.sparkcollectives.spark.internal.body.RankBody;
import org.sparkcollectives.spark.internal.body.SpmdBody;
import org.sparkcollectives.spark.internal.conf.CollectiveConf;
import org.sparkcollectives.spark.internal.conf.Settings;
import org.sparkcollectives.spark.internal.events.CallEvent;
import org.sparkcollectives.spark.internal.events.CallRecord;
import org.sparkcollectives.spark.internal.events.Naming;
import org.sparkcollectives.spark.internal.input.Calls;
import org.sparkcollectives.spark.internal.input.Lineage;
import org.sparkcollectives.spark.internal.input.RankStage;
import org.sparkcollectives.spark.internal.input.Slots;
import org.sparkcollectives.spark.internal.input.VectorAdapters;
import org.sparkcollectives.spark.internal.rendezvous.Admission;
import org.sparkcollectives.spark.internal.rendezvous.Attempt;
import org.sparkcollectives.spark.internal.rendezvous.DriverEndpoint;
import org.sparkcollectives.spark.internal.rendezvous.Failure;
import org.sparkcollectives.spark.internal.rendezvous.RankReport;
import org.sparkcollectives.spark.internal.rendezvous.Rendezvous;
import org.sparkcollectives.spark.internal.result.BlockStore;
import org.sparkcollectives.spark.internal.result.StoredValues;
import org.sparkcollectives.spark.internal.ui.Publisher;
import scala.reflect.ClassTag;
import scala.reflect.ClassTag$;

/**
 * Submits a barrier job, and again under a new epoch when an executor or a connection was lost.
 * Spark retries no barrier stage that ends a job. For the calling thread of the driver.
 */
public final class JobRunner {
  private static final Logger LOG = LoggerFactory.getLogger(JobRunner.class);
  private static final ClassTag<Object> ANY = ClassTag$.MODULE$.apply(Object.class);

  /** How many seconds after an attempt has failed what its ranks may have stored is removed. */
  private static final List<Long> DISCARDED_AGAIN = List.of(2L, 10L, 60L);

  /** How long to wait for the report of a rank that has links, and may see them break. */
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
   * @param resources what tasks need, or null for what the application's do
   */
  public JobRunner(
      SparkContext context,
      String operation,
      CollectiveConf conf,
      @Nullable ResourceProfile resources) {
    this.context = context;
    this.operation = operation;
    this.conf = conf;
    this.endpoint = Preconditions.endpoint(context, operation);
    this.profile =
        resources == null ? context.resourceProfileManager().defaultResourceProfile() : resources;
    this.job = endpoint.nextJob();
  }

  /** Makes the plan of each attempt. */
  @FunctionalInterface
  public interface Planner {
    /**
     * Plans an attempt.
     *
     * @param slots the tasks that can run at once
     * @return the plan, for as many ranks as there are slots at most
     */
    Plan plan(Slots slots);
  }

  /**
   * What a job has brought.
   *
   * @param values what the tasks returned, in order
   * @param ranks how many ranks there were
   * @param admitted how many of them took part
   * @param stored what they have stored
   */
  public record Outcome(
      List<@Nullable Object> values, int ranks, int admitted, StoredValues stored) {
    /**
     * The value of the rank that has one.
     *
     * @param <T> its class
     * @return the value, or null if no rank has one
     */
    @SuppressWarnings({"unchecked", "TypeParameterUnusedInFormals"}) // the user's class
    public <T> @Nullable T onlyValue() {
      return (T) values.stream().filter(Objects::nonNull).findFirst().orElse(null);
    }
  }

  /**
   * Runs the job.
   *
   * @param admission which ranks take part
   * @param needed how many slots there must be
   * @param planner makes the plan of each attempt
   * @return what the attempt that succeeded has brought
   */
  public Outcome run(Admission admission, int needed, Planner planner) {
    CallSite site = UserCall.site(context, operation);
    CallRecord call = new CallRecord(job, operation, site.shortForm(), applicationAttempt());
    Throwable failure = null;
    try {
      return attempts(admission, needed, planner, site, call);
    } catch (Throwable e) {
      failure = ForCaller.reason(context, operation, e);
      throw Calls.<RuntimeException>sneaky(ForCaller.of(context, failure));
    } finally {
      CallEvent ended = call.ended(failure);
      publish(publisher -> publisher.publish(ended));
    }
  }

  /**
   * Makes the checkpoint that an RDD is to have, as after any action: Spark does not see through
   * the ranks' RDD. Where that fails, nobody gets what ranks have stored, which is removed.
   *
   * @param rdd the RDD
   * @param outcome what the job has brought
   * @throws CollectiveException if it cannot be made
   */
  public void checkpoint(RDD<?> rdd, Outcome outcome) {
    try {
      rdd.doCheckpoint();
    } catch (Throwable e) { // Spark's code in Scala declares none
      discardNow(outcome.stored());
      if (e instanceof Error) {
        throw e;
      }
      Throwable reason = ForCaller.reason(context, operation, e);
      if (reason.equals(e)) {
        reason =
            e instanceof Exception x && new SparkFailure(x).jobCancelled()
                ? JobErrors.jobFailed(operation, 1, x)
                : JobErrors.notCheckpointed(operation, e);
      }
      throw Calls.<RuntimeException>sneaky(ForCaller.of(context, reason));
    }
  }

  /** Shows a call that has been submitted, or waits for slots; the first one makes the tab. */
  private void begun(CallRecord call) {
    publish(publisher -> publisher.begin(call.running()));
  }

  /** Tells of a call, which does not fail where that cannot be done. */
  private void publish(Consumer<Publisher> telling) {
    try {
      telling.accept(Publisher.of(context));
    } catch (Exception | LinkageError e) { // also what Scala does not declare
      LOG.warn("{} is not told of", operation, e);
    }
  }

  private String applicationAttempt() {
    return context.applicationAttemptId().getOrElse(() -> "");
  }

  private Outcome attempts(
      Admission admission, int needed, Planner planner, CallSite site, CallRecord call) {
    int wanted = needed;
    FailedAttempts failed = new FailedAttempts(context, operation, conf, endpoint);
    for (int epoch = 0; ; epoch++) {
      Slots slots = awaitSlots(needed, wanted, failed, call);
      StoredValues stored = StoredValues.reserve(context);
      Attempt attempt = new Attempt(operation, job, epoch, conf, stored.id());
      Plan plan = planner.plan(slots);
      wanted = plan.size();
      long lostBefore = endpoint.executorsLost();
      Rendezvous rendezvous = endpoint.open(attempt, plan.size(), admission);
      call.attempt(epoch, plan.size(), rendezvous.attendance());
      Ended done;
      try {
        done = UserCall.named(context, site, () -> submit(plan, attempt, rendezvous, call));
      } catch (Exception e) {
        if (Calls.isInterruption(e)) {
          endpoint.close(attempt);
          discard(stored);
          Thread.currentThread().interrupt();
          throw AbortedException.interrupted(e);
        }
        goOnAfter(e, new Trial(plan, attempt, rendezvous, stored, lostBefore), failed, call);
        LOG.warn(
            "{} is submitted again after attempt {}: {}",
            site.shortForm(),
            failed.count(),
            failed.latest());
        continue;
      } catch (Error e) { // the driver may lack memory for what ranks have stored
        discard(stored);
        throw e;
      } finally {
        endpoint.close(attempt);
      }
      return outcome(plan, done, rendezvous.admitted(), stored);
    }
  }

  /** An attempt, and how many executors had been lost before it. */
  private record Trial(
      Plan plan, Attempt attempt, Rendezvous rendezvous, StoredValues stored, long lostBefore) {}

  /**
   * Puts an attempt that failed among the others; throws what the caller gets if it is the last.
   */
  private void goOnAfter(Exception e, Trial trial, FailedAttempts failed, CallRecord call) {
    Rendezvous rendezvous = trial.rendezvous();
    int epoch = trial.attempt().epoch();
    SparkFailure spark = new SparkFailure(e);
    long lostSoFar = endpoint.executorsLost();
    boolean stopped = context.isStopped(); // whichever of its parts was missed first
    if (stopped || (!rendezvous.givenUp() && spark.jobCancelled())) {
      call.attemptFailed(spark.endedBy(null), rendezvous.attendance());
      discard(trial.stored());
      throw stopped ? stopped(e) : JobErrors.jobFailed(operation, epoch + 1, e);
    }
    Failure failure = reason(rendezvous, spark);
    discard(trial.stored());
    boolean lost =
        failure == null
            && (spark.executorLost()
                || spark.taskKilled()
                || (endpoint.executorsLost() > trial.lostBefore() && !spark.taskFailed()));
    boolean inputLost = rendezvous.inputLost() || spark.inputLost();
    boolean retryable = inputLost || lost || (failure != null && failure.retryable());
    CollectiveException exception = exception(failure, e, epoch + 1);
    failed.add(spark.endedBy(failure), exception, inputLost);
    call.attemptFailed(failed.latest(), rendezvous.attendance());
    if (!retryable) {
      throw failed.forCaller();
    } else if (failed.isLast(inputLost) || context.isStopped()) {
      throw failed.ofLosses(!inputLost && !spark.taskKilled(), trial.lostBefore());
    }
    if (spark.executorEnds()) {
      endpoint.awaitLoss(lostSoFar, context::isStopped);
    }
    if (failed.inputsLost() > 1) {
      Lineage.forgetShuffles(trial.plan().input());
    }
  }

  /**
   * What a job's tasks have brought.
   *
   * @param values what they have returned, in order
   * @param left the operands that they have left for the driver, in order: all or none
   */
  private record Ended(List<@Nullable Object> values, List<RankReport.Left> left) {}

  private Outcome outcome(Plan plan, Ended done, int admitted, StoredValues stored) {
    if (done.left().isEmpty()) {
      return new Outcome(done.values(), plan.size(), admitted, stored);
    }
    try {
      done.values().set(0, plan.body().combine(done.left()));
    } catch (CollectiveException | VirtualMachineError e) {
      throw e;
    } catch (Throwable e) { // an operator's may be neither RuntimeException nor Error
      if (Calls.isInterruption(e)) {
        throw e;
      }
      throw JobErrors.notCombined(operation, e);
    }
    return new Outcome(done.values(), plan.size(), done.left().size(), stored);
  }

  private Ended submit(Plan plan, Attempt attempt, Rendezvous rendezvous, CallRecord call) {
    RDD<Object> returned =
        plan.input().barrier().mapPartitions(new RankTask(attempt, plan.body()), false, ANY);
    RDD<Object> ranks = RankStage.of(plan.input(), returned);
    String tag = RunningStage.tag(attempt);
    List<ScheduledFuture<?>> watches = new ArrayList<>();
    Submission submission = null;
    context.addJobTag(tag);
    try {
      plan.pack();
      submission = Submission.of(context, endpoint, ranks, plan.size(), rendezvous, tag);
      watches.add( // not before: to submit it, this thread lists what is behind several shuffles
          endpoint.everySecond(
              new StartWatch(context, operation, conf, profile, plan.size(), rendezvous, tag)));
      watches.add(endpoint.everySecond(new ProgressLog(call.running(), System.nanoTime())));
      call.jobs(submission.jobs());
      begun(call);
      List<@Nullable Object> values = submission.await(rendezvous);
      List<RankReport> reports = submission.reports();
      List<RankReport.Left> left =
          reports.stream()
              .map(RankReport::left)
              .filter(each -> each != null && each.operand() != null)
              .toList();
      for (int rank = 0; rank < reports.size(); rank++) {
        if (reports.get(rank).leftResult()) {
          values.set(rank, fetched(attempt.results(), values.get(rank)));
        }
      }
      record(call, rendezvous, reports, plan.body());
      return new Ended(values, left);
    } catch (Exception e) {
      throw Calls.<RuntimeException>sneaky(orStopped(e));
    } finally {
      watches.forEach(watch -> watch.cancel(false));
      if (submission == null) {
        plan.end();
      } else {
        submission.leave(plan::end);
      }
      if (!context.isStopped()) {
        context.removeJobTag(tag);
      }
    }
  }

  /** What a rank has left; an array becomes of the class of what its task has returned, if any. */
  private static Object fetched(long results, @Nullable Object like) {
    Object left = BlockStore.requireLeft(results);
    BlockStore.remove(results, true, false);
    return VectorAdapters.fromArray(left, like);
  }

  /** That the application has stopped, with what came of it. */
  private InvalidInputException stopped(Exception e) {
    return e instanceof InvalidInputException said ? said : JobErrors.contextStopped(operation, e);
  }

  /** What ended an attempt; that the application has stopped where Spark does not say it. */
  private Exception orStopped(Exception e) {
    boolean told = e instanceof SparkException || e instanceof InterruptedException;
    return told || !context.isStopped() ? e : JobErrors.contextStopped(operation, e);
  }

  /** Takes note of an attempt that has ended well, which does not fail on that account. */
  private void record(
      CallRecord call, Rendezvous rendezvous, List<RankReport> reports, RankBody body) {
    try {
      call.attemptSucceeded(rendezvous.attendance(), reports, conf.policy(), naming(body));
    } catch (RuntimeException e) {
      LOG.warn("What the ranks of {} have told of themselves is left out", operation, e);
    }
  }

  private static Naming naming(RankBody body) {
    if (body instanceof SpmdBody) {
      return Naming.PROGRAM;
    }
    return body.algorithm() == null ? Naming.NOBODY : Naming.CALL;
  }

  /**
   * Removes what ranks have stored, and again a little later: tasks go on for a while after their
   * job has ended, and one may just be storing its part. Each removal asks all executors, and waits
   * for the driver's block manager.
   */
  private void discard(StoredValues stored) {
    discardNow(stored);
    for (long seconds : DISCARDED_AGAIN) {
      endpoint.later(seconds, () -> discardNow(stored));
    }
  }

  private void discardNow(StoredValues stored) {
    if (!context.isStopped()) {
      stored.discard();
    }
  }

  /** Why an attempt failed, as far as a rank or the driver knows it. */
  private @Nullable Failure reason(Rendezvous rendezvous, SparkFailure spark) {
    if (context.isStopped()) {
      return null;
    }
    boolean refused = spark.exception() instanceof InvalidInputException; // before there were ranks
    boolean resultLost = spark.exception() instanceof CollectiveException && !refused;
    boolean known = spark.executorLost() || spark.taskKilled();
    boolean worthIt = resultLost || (!known && rendezvous.reportsMayCome());
    Failure found = rendezvous.awaitFailure(worthIt ? CAUSE_MILLIS : 0);
    boolean consequence = found != null && found.retryable() && spark.taskKilled();
    return consequence ? null : found;
  }

  private CollectiveException exception(@Nullable Failure failure, Exception spark, int attempts) {
    if (failure == null) {
      return spark instanceof InvalidInputException stopped
          ? stopped
          : JobErrors.jobFailed(operation, attempts, spark);
    }
    RuntimeException exception = failure.exception();
    exception.addSuppressed(spark);
    return exception instanceof CollectiveException collective
        ? collective
        : JobErrors.jobFailed(operation, attempts, exception);
  }

  /**
   * Waits until there are as many slots as are wanted. Where there are enough of them to go on, or
   * none that have been lost, more are not likely to come, and the wait is short.
   */
  private Slots awaitSlots(int needed, int wanted, FailedAttempts failed, CallRecord call) {
    boolean afterFailure = failed.count() > 0;
    Duration limit = conf.get(Settings.SLOTS_TIMEOUT);
    long start = System.nanoTime();
    while (true) {
      if (context.isStopped()) {
        throw JobErrors.contextStopped(operation);
      }
      Slots slots = ClusterSlots.slots(context, profile);
      boolean brief = slots.total() >= needed || (slots.total() > 0 && !afterFailure);
      Duration patience = brief && limit.compareTo(SHORT_PATIENCE) > 0 ? SHORT_PATIENCE : limit;
      if (slots.total() >= wanted
          || System.nanoTime() - start >= patience.toNanos()
          || (context.isLocal() && slots.total() > 0)) {
        if (slots.total() == 0 || slots.total() < needed) {
          throw tooFewSlots(slots.total(), needed, patience, failed);
        }
        return slots;
      }
      begun(call);
      try {
        Thread.sleep(POLL_MILLIS);
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
        throw AbortedException.interrupted(e);
      }
    }
  }

  private CollectiveException tooFewSlots(
      int slots, int needed, Duration waited, FailedAttempts failed) {
    if (failed.count() > 0) {
      return failed.ofLack(JobErrors.lack(slots, needed, ClusterSlots.executors(context), waited));
    }
    return slots == 0
        ? JobErrors.noSlots(operation, context, profile, waited)
        : JobErrors.tooFewSlots(operation, slots, needed);
  }
}
