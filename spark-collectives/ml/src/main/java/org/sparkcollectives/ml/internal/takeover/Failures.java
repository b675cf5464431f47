package org.sparkcollectives.ml.internal.takeover;

import java.io.InterruptedIOException;
import java.net.SocketTimeoutException;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.apache.spark.SparkContext;
import org.apache.spark.SparkException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.sparkcollectives.error.CollectiveException;
import org.sparkcollectives.error.InvalidInputException;
import org.sparkcollectives.error.RankFailedException;
import org.sparkcollectives.internal.error.CauseChain;
import org.sparkcollectives.internal.error.ErrorText;
import org.sparkcollectives.spark.internal.conf.MadeFor;
import org.sparkcollectives.spark.internal.conf.Settings;
import org.sparkcollectives.spark.internal.input.Calls;
import org.sparkcollectives.spark.internal.job.LostException;
import org.sparkcollectives.spark.internal.job.NeverStartedException;
import org.sparkcollectives.spark.internal.job.SparkFailure;
import scala.NotImplementedError;

/**
 * What follows from the failures of an application's calls that were taken over: what the log says,
 * and for how long others are left to Spark. For any thread of the driver.
 */
final class Failures {
  private static final Logger LOG = LoggerFactory.getLogger(Failures.class);

  /** Where packages begin whose code throws for others. */
  private static final List<String> LANGUAGES = List.of("java.", "jdk.", "scala.");

  private final SparkContext context;
  private final long startNanos;
  private final Set<String> said = ConcurrentHashMap.newKeySet();

  /** Whether a job of the library has failed for a reason that others may share. */
  private volatile boolean failed;

  /** Until when calls are left to Spark since one has waited for slots in vain. */
  private volatile long waitedUntil = System.nanoTime();

  /**
   * None so far.
   *
   * @param context the application
   * @param start for how long calls are left to Spark after one that got no slots
   */
  Failures(SparkContext context, Duration start) {
    this.context = context;
    this.startNanos = start.toNanos();
  }

  /** Whether no failure leaves calls to Spark for now. */
  boolean isReady() {
    boolean waited = System.nanoTime() - waitedUntil < 0;
    return !failed && !waited;
  }

  /**
   * What Spark throws to a program that does not know the library, where its call was interrupted
   * or its job ended from outside: the first such exception behind one of the library's.
   */
  static Throwable asSparkThrows(CollectiveException thrown) {
    Optional<Throwable> found =
        CauseChain.find(
            thrown, each -> each instanceof InterruptedException || each instanceof SparkException);
    if (found.isPresent() && found.get() instanceof InterruptedException) {
      boolean unusedAsWhereItWasThrown = Thread.interrupted();
    }
    return found.orElse(thrown);
  }

  /** Whether what has failed is a job that somebody has cancelled. */
  static boolean cancelled(Throwable thrown) {
    return CauseChain.find(
            thrown,
            each ->
                each instanceof RankFailedException
                    || (each instanceof SparkException e && new SparkFailure(e).jobCancelled()))
        .filter(found -> !(found instanceof RankFailedException)) // which tells of the application
        .isPresent();
  }

  /** Whether the calling thread is not to go on: it is interrupted, or was, as Hadoop says it. */
  static boolean interrupted(Throwable thrown) {
    return Thread.currentThread().isInterrupted()
        || CauseChain.find(thrown, each -> isInterruption(each) || each instanceof SparkException)
            .filter(found -> !(found instanceof SparkException)) // which tells of a task
            .isPresent();
  }

  private static boolean isInterruption(Throwable thrown) {
    return Calls.isInterruption(thrown)
        || (thrown instanceof InterruptedIOException
            && !(thrown instanceof SocketTimeoutException));
  }

  /** The failure of a rank by which an exception has come to the driver; else the exception. */
  static Exception ofRank(Exception thrown) {
    for (Throwable suppressed : thrown.getSuppressed()) {
      if (suppressed instanceof RankFailedException failed) {
        return failed;
      }
    }
    return thrown;
  }

  /**
   * Leaves a call to Spark, and later ones where these are likely to fail too: all after a failure
   * of the library or for want of memory, and for as long as one may wait those after one that got
   * no slots. What else was lost at each attempt may be there at the next call, whose turn it is as
   * before.
   */
  void leave(Throwable reason) {
    boolean refused = reason instanceof InvalidInputException;
    boolean noMemory = LostException.lackedMemory(reason);
    if (refused) {
      say(ErrorText.reason(reason));
    } else if (LostException.isBehind(reason) && !noMemory) {
      LOG.warn(
          "{}",
          ErrorText.of(
              "A call of MLlib is computed by Spark's own code, and later ones are taken over as"
                  + " before",
              "executors, connections or outputs of shuffles were lost at each attempt: "
                  + ErrorText.reason(reason),
              "where executors come and go, as spot instances do, raise "
                  + Settings.RETRIES.key()
                  + "; "
                  + Settings.MLLIB.key()
                  + "=false leaves all calls to Spark"));
    } else if (isBehind(reason, NeverStartedException.class)) {
      waitedUntil = System.nanoTime() + startNanos;
      say(ErrorText.reason(reason));
    } else if (!noMemory && !isLibrarys(reason)) {
      LOG.info(
          "Spark computes anew what failed in code that is not the library's, to say why", reason);
    } else {
      failed = true;
      LOG.warn(
          "{}",
          ErrorText.of(
              "MLlib goes on as it is, for the rest of the application",
              "a call that was taken over failed: " + ErrorText.reason(reason),
              remedy(reason)),
          reason);
    }
  }

  /**
   * Whether it is a failure of the library, not of the application's code or Spark's or MLlib's.
   */
  static boolean isLibrarys(Throwable reason) {
    boolean atTheDriver = // where data are planned and an application's function merges results
        reason instanceof IllegalStateException
            || reason instanceof NullPointerException
            || reason instanceof Error;
    boolean ours =
        reason instanceof CollectiveException
            || reason instanceof LinkageError
            || (atTheDriver && thrower(reason).filter(Failures::isLibrarys).isPresent());
    boolean others =
        (reason instanceof RankFailedException ofRank && applications(ofRank))
            || reason.getCause() instanceof SparkException;
    return classMissing(reason) || (ours && !others);
  }

  /** Whether Spark says that an executor has not the library's classes as the driver has them. */
  private static boolean classMissing(Throwable reason) {
    return CauseChain.find(
            reason, each -> each instanceof SparkException e && new SparkFailure(e).classMissing())
        .isPresent();
  }

  private String remedy(Throwable reason) {
    if (classMissing(reason)) {
      return "give executors both jars of the library, those of the driver: name them in --jars";
    }
    String off = "; " + Settings.MLLIB.key() + "=false leaves all calls to Spark";
    if (LostException.lackedMemory(reason)) {
      return LostException.MORE_MEMORY + off;
    }
    String ofAny = "see the cause below" + off;
    boolean misfit = isBehind(reason, LinkageError.class); // here or in a rank
    return misfit ? MadeFor.remedy(context, Failures.class, ofAny) : ofAny;
  }

  private static boolean isBehind(Throwable thrown, Class<? extends Throwable> kind) {
    return CauseChain.find(thrown, kind::isInstance).isPresent();
  }

  /**
   * Whether what a rank met is none of the library's own exceptions, and no error but those by
   * which MLlib and others refuse rows.
   */
  private static boolean applications(RankFailedException ofRank) {
    return CauseChain.find(ofRank, each -> !(each instanceof RankFailedException)) // of attempts
        .map(met -> met instanceof Error ? asserted(met) : !(met instanceof CollectiveException))
        .orElse(true);
  }

  /** Whether code that is not the library's has said so of what it was given. */
  private static boolean asserted(Throwable error) {
    return (error instanceof AssertionError || error instanceof NotImplementedError)
        && thrower(error).filter(name -> !isLibrarys(name)).isPresent();
  }

  /** The class that has thrown it, by whatever of Java or Scala it did so. */
  private static Optional<String> thrower(Throwable thrown) {
    return Arrays.stream(thrown.getStackTrace())
        .map(StackTraceElement::getClassName)
        .filter(name -> LANGUAGES.stream().noneMatch(name::startsWith))
        .findFirst();
  }

  private static boolean isLibrarys(String className) {
    return className.startsWith("org.sparkcollectives.");
  }

  /** Says why a call is left to Spark, once. */
  void say(String reason) {
    if (said.add(reason)) {
      LOG.warn("A call of MLlib is left to Spark. {}", reason);
    }
  }
}
