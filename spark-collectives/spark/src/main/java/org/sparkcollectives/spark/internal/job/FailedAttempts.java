package org.sparkcollectives.spark.internal.job;

import java.util.ArrayList;
import java.util.List;
import org.apache.spark.SparkContext;
import org.jspecify.annotations.Nullable;
import org.sparkcollectives.error.CollectiveException;
import org.sparkcollectives.spark.internal.conf.CollectiveConf;
import org.sparkcollectives.spark.internal.conf.Settings;
import org.sparkcollectives.spark.internal.rendezvous.DriverEndpoint;

/**
 * How the attempts of a call that have failed ended, whether there may be another one, and what the
 * caller is told if not. For the calling thread of the driver.
 */
final class FailedAttempts {
  private final SparkContext context;
  private final String operation;
  private final CollectiveConf conf;
  private final DriverEndpoint endpoint;
  private final long outOfMemoryBefore;
  private final List<String> ended = new ArrayList<>();
  private @Nullable CollectiveException last;
  private int inputsLost;

  /**
   * None so far.
   *
   * @param context the application
   * @param operation what was asked for, for messages
   * @param conf the application's settings
   * @param endpoint what counts executors that are lost
   */
  FailedAttempts(
      SparkContext context, String operation, CollectiveConf conf, DriverEndpoint endpoint) {
    this.context = context;
    this.operation = operation;
    this.conf = conf;
    this.endpoint = endpoint;
    this.outOfMemoryBefore = endpoint.executorsOutOfMemory();
  }

  /**
   * Puts one more among them.
   *
   * @param how what ended it
   * @param exception what the caller is told if it was the only one
   * @param inputLost whether it lacked the output of a shuffle
   */
  void add(String how, CollectiveException exception, boolean inputLost) {
    ended.add(how);
    last = exception;
    inputsLost += inputLost ? 1 : 0;
  }

  int count() {
    return ended.size();
  }

  /** What ended the last one. */
  String latest() {
    return ended.get(ended.size() - 1);
  }

  /** How many of them lacked the output of a shuffle. */
  int inputsLost() {
    return inputsLost;
  }

  /**
   * Whether there is not to be another one, whatever ended the last: those that lacked input are as
   * many as Spark itself would make, the others as many as the settings say.
   *
   * @param inputLost whether the last one lacked input
   */
  boolean isLast(boolean inputLost) {
    return inputLost
        ? inputsLost
            >= Math.max(1, context.getConf().getInt("spark.stage.maxConsecutiveAttempts", 4))
        : ended.size() - 1 - inputsLost >= conf.get(Settings.RETRIES);
  }

  /** What the caller is told where the last one ended for a reason that others would, too. */
  CollectiveException forCaller() {
    CollectiveException thrown = exception();
    for (String earlier : ended.subList(0, ended.size() - 1)) {
      thrown.addSuppressed(new CollectiveException("an earlier attempt: " + earlier, null));
    }
    return thrown;
  }

  /**
   * What the caller is told where each has lost something. Of an executor without memory Spark may
   * tell a moment after ranks have told that it is lost.
   *
   * @param executorLost whether the last one may have lost an executor
   * @param known how many executors had been lost before it
   */
  CollectiveException ofLosses(boolean executorLost, long known) {
    if (executorLost && !context.isLocal()) {
      endpoint.awaitLoss(known, context::isStopped);
    }
    boolean outOfMemory = lackedMemory();
    return marked(
        ended.size() == 1 && !outOfMemory
            ? exception()
            : JobErrors.attemptsFailed(operation, ended, outOfMemory, exception()),
        outOfMemory);
  }

  /**
   * What the caller is told where there are too few slots for another one.
   *
   * @param lack what {@link JobErrors#lack} says
   */
  CollectiveException ofLack(String lack) {
    boolean outOfMemory = lackedMemory();
    return marked(
        JobErrors.notSubmittedAgain(operation, ended, lack, outOfMemory, exception()), outOfMemory);
  }

  private boolean lackedMemory() {
    return endpoint.executorsOutOfMemory() > outOfMemoryBefore;
  }

  private CollectiveException marked(CollectiveException exception, boolean outOfMemory) {
    if (!context.isStopped()) {
      exception.addSuppressed(new LostException(outOfMemory));
    }
    return exception;
  }

  private CollectiveException exception() {
    CollectiveException known = last;
    if (known == null) {
      throw new IllegalStateException("no attempt of " + operation + " has failed");
    }
    return known;
  }
}
