package org.sparkcollectives.spark.internal.job;

import static java.util.Objects.requireNonNull;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.apache.spark.SimpleFutureAction;
import org.apache.spark.SparkContext;
import org.apache.spark.rdd.RDD;
import org.jspecify.annotations.Nullable;
import org.sparkcollectives.spark.internal.bridge.Scala;
import org.sparkcollectives.spark.internal.rendezvous.DriverEndpoint;
import org.sparkcollectives.spark.internal.rendezvous.RankReport;
import org.sparkcollectives.spark.internal.rendezvous.Rendezvous;
import scala.Tuple2;
import scala.collection.immutable.Range$;
import scala.concurrent.Await$;
import scala.concurrent.duration.FiniteDuration;
import scala.runtime.AbstractFunction0;
import scala.runtime.AbstractFunction2;
import scala.runtime.BoxedUnit;

/**
 * A barrier job that has been submitted. Spark looks for the slots of such a job four times a
 * minute, and until there are as many as it needs knows it neither as active nor as one to be
 * cancelled, nor as one to be ended when the application stops. So who gives it up does not wait
 * for Spark to know, and it is cancelled again and again until Spark does: by its tag, for which
 * Spark looks among active jobs. Cancelled by its number, a job of which another barrier stage
 * waits for slots would stop the application.
 */
final class Submission {
  private static final FiniteDuration POLL = FiniteDuration.apply(200, TimeUnit.MILLISECONDS);

  /** How long Spark may take to end a job that has been cancelled, or whose context is stopped. */
  private static final long GRACE_NANOS = TimeUnit.SECONDS.toNanos(2);

  private final SparkContext context;
  private final DriverEndpoint endpoint;
  private final SimpleFutureAction<BoxedUnit> action;
  private final String tag;
  private final @Nullable Object[] values;
  private final @Nullable RankReport[] reports;

  private Submission(
      SparkContext context,
      DriverEndpoint endpoint,
      SimpleFutureAction<BoxedUnit> action,
      String tag,
      @Nullable Object[] values,
      @Nullable RankReport[] reports) {
    this.context = context;
    this.endpoint = endpoint;
    this.action = action;
    this.tag = tag;
    this.values = values;
    this.reports = reports;
  }

  /**
   * Submits a job.
   *
   * @param context the application
   * @param endpoint its endpoint
   * @param ranks an RDD with a partition of one element for each rank
   * @param size how many ranks
   * @param rendezvous where its ranks meet, which hears of those that have ended without
   * @param tag which jobs of this thread have now, and no other
   * @return the job
   */
  static Submission of(
      SparkContext context,
      DriverEndpoint endpoint,
      RDD<Object> ranks,
      int size,
      Rendezvous rendezvous,
      String tag) {
    @Nullable Object[] values = new Object[size];
    @Nullable RankReport[] reports = new RankReport[size];
    SimpleFutureAction<BoxedUnit> action =
        context.submitJob(
            ranks,
            new OnlyElement(),
            Range$.MODULE$.apply(0, size),
            new AbstractFunction2<Object, Object, BoxedUnit>() {
              @Override
              public BoxedUnit apply(Object rank, Object value) {
                Tuple2<?, ?> told = (Tuple2<?, ?>) value;
                RankReport report = RankReport.decode((byte[]) told._2());
                values[(Integer) rank] = told._1();
                reports[(Integer) rank] = report;
                if (report.left() != null) {
                  rendezvous.left((Integer) rank, report.left());
                }
                return BoxedUnit.UNIT;
              }
            },
            new AbstractFunction0<BoxedUnit>() {
              @Override
              public BoxedUnit apply() {
                return BoxedUnit.UNIT;
              }
            });
    return new Submission(context, endpoint, action, tag, values, reports);
  }

  /** The numbers of Spark's jobs: one. */
  List<Integer> jobs() {
    return Scala.asJava(action.jobIds()).stream().map(Integer.class::cast).toList();
  }

  /** What the ranks have told of themselves, in order; for a job that has ended well. */
  List<RankReport> reports() {
    List<RankReport> all = new ArrayList<>();
    for (RankReport each : reports) {
      all.add(requireNonNull(each));
    }
    return all;
  }

  /**
   * Waits for the job.
   *
   * @param rendezvous as for {@link #of}
   * @return what the ranks have returned, in order
   * @throws Exception what Spark says of a job that has failed; {@link InterruptedException} where
   *     the thread was, {@link TimeoutException} where the job was given up or the application has
   *     stopped, and Spark does not end it
   */
  List<@Nullable Object> await(Rendezvous rendezvous) throws Exception {
    long ending = 0;
    while (!action.isCompleted()) {
      if (ending == 0 && (context.isStopped() || rendezvous.giveUp())) {
        ending = System.nanoTime();
        cancel(); // a stopped Spark says why it ends its jobs
      }
      try {
        var unused = Await$.MODULE$.ready(action, POLL);
      } catch (TimeoutException e) {
        if (ending != 0 && System.nanoTime() - ending > GRACE_NANOS) {
          throw e;
        }
      }
    }
    var unused = action.value().get().get();
    return new ArrayList<>(Arrays.asList(values));
  }

  /** Asks Spark to end the job, if it is active; a stopped application ends its jobs itself. */
  private void cancel() {
    try {
      if (!context.isStopped()) {
        context.cancelJobsWithTag(tag);
      }
    } catch (RuntimeException e) {
      if (!context.isStopped()) { // it may stop at any moment
        throw e;
      }
    }
  }

  /**
   * Waits no more. A job that has not ended is cancelled until Spark has ended it, which may still
   * begin it meanwhile.
   *
   * @param afterwards frees what the job's tasks need, when it has ended
   */
  void leave(Runnable afterwards) {
    if (action.isCompleted()) {
      afterwards.run();
    } else {
      new Abandoned(afterwards).begin();
    }
  }

  /** Cancels a job that nobody waits for until Spark has ended it. */
  private final class Abandoned implements Runnable {
    private final Runnable afterwards;
    private @Nullable ScheduledFuture<?> again;

    Abandoned(Runnable afterwards) {
      this.afterwards = afterwards;
    }

    synchronized void begin() {
      cancel();
      again = endpoint.everySecond(this);
    }

    @Override
    public synchronized void run() {
      if (action.isCompleted()) {
        requireNonNull(again).cancel(false);
        endpoint.later(0, afterwards); // it may take a while, and deadlines do not wait for it
      } else {
        cancel();
      }
    }
  }
}
