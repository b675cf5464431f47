package org.sparkcollectives.spark.internal.job;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.apache.spark.SparkContext;
import org.apache.spark.resource.ResourceProfile;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.sparkcollectives.spark.internal.conf.CollectiveConf;
import org.sparkcollectives.spark.internal.conf.Settings;
import org.sparkcollectives.spark.internal.rendezvous.Rendezvous;

/**
 * What looks once a second whether a job that has been submitted starts. Spark starts the tasks of
 * a barrier stage when all of them have a slot, and waits for that without a limit and without a
 * word: when slots were lost since, and when the tasks of other jobs take every slot that becomes
 * free.
 */
final class StartWatch implements Runnable {
  private static final Logger LOG = LoggerFactory.getLogger(StartWatch.class);
  private static final long FIRST_WORD_NANOS = TimeUnit.SECONDS.toNanos(5);

  private final SparkContext context;
  private final String operation;
  private final CollectiveConf conf;
  private final ResourceProfile profile;
  private final int needed;
  private final Rendezvous rendezvous;
  private final String tag;

  /** When the watch has looked last. */
  private long lookedAt = System.nanoTime();

  /** Since when no task of the job runs. */
  private long waitsSince = lookedAt;

  /** How long no task runs when that is logged next. */
  private long nextWord = FIRST_WORD_NANOS;

  /** For how much of that time there were slots, and no other call of the library's had them. */
  private long idleNanos;

  /** Whether a failure to look has been logged. */
  private boolean silenced;

  /** Since when there are too few slots, or 0. */
  private long shortSince;

  /**
   * Watches an attempt.
   *
   * @param context the application
   * @param operation what was asked for
   * @param conf the application's settings
   * @param profile what its tasks need
   * @param needed how many slots its ranks need at once
   * @param rendezvous where they are to meet
   * @param tag the tag of its job
   */
  StartWatch(
      SparkContext context,
      String operation,
      CollectiveConf conf,
      ResourceProfile profile,
      int needed,
      Rendezvous rendezvous,
      String tag) {
    this.context = context;
    this.operation = operation;
    this.conf = conf;
    this.profile = profile;
    this.needed = needed;
    this.rendezvous = rendezvous;
    this.tag = tag;
  }

  @Override
  public void run() {
    if (context.isStopped() || !rendezvous.nobodyYet()) {
      return;
    }
    try {
      long now = System.nanoTime();
      List<RunningStage> running = RunningStage.of(context);
      if (running.stream().anyMatch(stage -> stage.isFor(tag, context))) {
        shortSince = 0;
        waitsSince = now;
        nextWord = FIRST_WORD_NANOS;
        idleNanos = 0;
      } else if (!giveUpWithoutSlots(now)) {
        boolean idle = shortSince == 0 && running.stream().noneMatch(RunningStage::isForACall);
        idleNanos += idle ? now - lookedAt : 0;
        giveUpWaiting(now, running);
      }
      lookedAt = now;
    } catch (RuntimeException e) {
      if (!context.isStopped() && !silenced) { // it may stop at any moment
        silenced = true;
        LOG.warn("The slots of {} are not watched: its job may wait without a word.", operation, e);
      }
    }
  }

  private boolean giveUpWithoutSlots(long now) {
    int slots = ClusterSlots.count(context, profile);
    if (slots >= needed) {
      shortSince = 0;
      return false;
    }
    Duration limit = conf.get(Settings.SLOTS_TIMEOUT);
    if (shortSince == 0) {
      shortSince = now;
    } else if (now - shortSince >= limit.toNanos()) {
      rendezvous.starve(JobErrors.slotsLost(operation, needed, slots, limit), true);
      return true;
    }
    return false;
  }

  private void giveUpWaiting(long now, List<RunningStage> running) {
    long waited = now - waitsSince;
    Duration limit = conf.get(Settings.START_TIMEOUT);
    if (waited < nextWord && idleNanos < limit.toNanos()) {
      return;
    }
    List<String> holders = running.stream().map(stage -> stage.describe(context)).toList();
    if (idleNanos >= limit.toNanos()) {
      rendezvous.starve(JobErrors.notStarted(operation, needed, limit, holders), false);
      return;
    }
    nextWord = 2 * waited;
    long seconds = TimeUnit.NANOSECONDS.toSeconds(waited);
    if (shortSince > 0) {
      LOG.warn(
          "{} has waited {} s for {} slots: the executors have {}, as some were lost or have not"
              + " come yet. This attempt is given up {} s after they were seen to be too few ({});"
              + " where {} allows another one, it makes do with those that there are.",
          operation,
          seconds,
          needed,
          ClusterSlots.count(context, profile),
          conf.get(Settings.SLOTS_TIMEOUT).toSeconds(),
          Settings.SLOTS_TIMEOUT.key(),
          Settings.RETRIES.key());
    } else {
      LOG.warn(
          "{} has waited {} s for {} slots at once: {}. It is given up after {} s ({}), without the"
              + " turns of other calls.",
          operation,
          seconds,
          needed,
          JobErrors.holders(holders),
          limit.toSeconds(),
          Settings.START_TIMEOUT.key());
    }
  }
}
