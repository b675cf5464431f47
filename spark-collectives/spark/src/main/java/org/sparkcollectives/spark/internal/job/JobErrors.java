package org.sparkcollectives.spark.internal.job;

import java.time.Duration;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.apache.spark.SparkContext;
import org.apache.spark.resource.ResourceProfile;
import org.jspecify.annotations.Nullable;
import org.sparkcollectives.error.CollectiveException;
import org.sparkcollectives.error.DeadlineException;
import org.sparkcollectives.error.InvalidInputException;
import org.sparkcollectives.error.RankFailedException;
import org.sparkcollectives.internal.error.ErrorText;

/** The messages about jobs and the cluster that they run on. */
final class JobErrors {
  private static final int NAMED = 5;

  private JobErrors() {}

  /**
   * A context that was stopped.
   *
   * @param operation what was asked for
   * @return the exception
   */
  static InvalidInputException contextStopped(String operation) {
    return contextStopped(operation, null);
  }

  /**
   * A context that was stopped while the job was under way.
   *
   * @param operation what was asked for
   * @param original what came of that, or null
   * @return the exception
   */
  static InvalidInputException contextStopped(String operation, @Nullable Exception original) {
    return InvalidInputException.of(
        operation + " cannot run",
        "the SparkContext is stopped",
        "make a new one and its RDDs anew",
        original);
  }

  /**
   * Dynamic allocation, which barrier stages do not work with.
   *
   * @param operation what was asked for
   * @return the exception
   */
  static InvalidInputException dynamicAllocation(String operation) {
    return InvalidInputException.of(
        operation + " cannot run",
        "spark.dynamicAllocation.enabled is on, and Spark starts no barrier stage then",
        "set spark.dynamicAllocation.enabled=false and a fixed number of executors"
            + " (spark.executor.instances, or spark.cores.max in standalone mode)");
  }

  /**
   * A filter of classes that the serializer does not know.
   *
   * @param operation what was asked for
   * @return the exception
   */
  static InvalidInputException filterIgnored(String operation) {
    return InvalidInputException.of(
        operation + " would take objects of any class from other ranks",
        "spark.collectives.objects.filter is set, and only Java's serializer asks it",
        "use Java's serializer, or Kryo's with spark.kryo.registrationRequired=true and the"
            + " classes registered");
  }

  /**
   * An RDD that is made by barrier tasks of an RDD with other partitions.
   *
   * @param operation what was asked for
   * @return the exception
   */
  static InvalidInputException lineageNotBarrier(String operation) {
    return InvalidInputException.of(
        operation + " cannot run on this RDD",
        "it is made by a barrier stage, and Spark starts the tasks of one together only where"
            + " partitions map one to one back to the last shuffle, which those of coalesce and"
            + " union do not",
        "checkpoint what the barrier stage makes and compute it first, or put repartition(n)"
            + " before "
            + operation);
  }

  /**
   * No slot to run in.
   *
   * @param operation what was asked for
   * @param context the application
   * @param profile what a task needs
   * @param waited how long was waited
   * @return the exception
   */
  static InvalidInputException noSlots(
      String operation, SparkContext context, ResourceProfile profile, Duration waited) {
    int executors = ClusterSlots.executors(context);
    return executors == 0
        ? noExecutors(operation, waited)
        : noSlotInExecutors(operation, executors, profile, waited);
  }

  /**
   * No executor to run on.
   *
   * @param operation what was asked for
   * @param waited how long was waited
   * @return the exception
   */
  private static InvalidInputException noExecutors(String operation, Duration waited) {
    return InvalidInputException.of(
        operation + " has no slot to run in",
        "no executor has registered within " + waited.toSeconds() + " s",
        "see whether the cluster has free resources, or raise spark.collectives.slots.timeout");
  }

  /**
   * Executors of which none can run such a task.
   *
   * @param operation what was asked for
   * @param executors how many are registered
   * @param profile what a task needs
   * @param waited how long was waited
   * @return the exception
   */
  private static InvalidInputException noSlotInExecutors(
      String operation, int executors, ResourceProfile profile, Duration waited) {
    return InvalidInputException.of(
        operation + " has no slot to run in",
        "of "
            + executors
            + " registered executors none could run a task of resource profile "
            + profile.id()
            + " within "
            + waited.toSeconds()
            + " s: they lack a resource or cores that it asks for, or take no new tasks as they are"
            + " being decommissioned or excluded",
        "ask for what executors have (RDD.withResources, spark.task.cpus, spark.task.resource.*),"
            + " start executors that have it, or raise spark.collectives.slots.timeout where new"
            + " ones are to come");
  }

  /**
   * Too few slots for all ranks to run at once.
   *
   * @param operation what was asked for
   * @param slots how many there are
   * @param needed how many are needed
   * @return the exception
   */
  static InvalidInputException tooFewSlots(String operation, int slots, int needed) {
    return InvalidInputException.of(
        operation + " needs " + needed + " slots at once and there are " + slots,
        "the RDD is made by a barrier stage, whose tasks all run at the same time",
        "add executors or cores (spark.executor.instances, spark.executor.cores, spark.cores.max),"
            + " lower spark.task.cpus, or give the RDD at most "
            + slots
            + " partitions with repartition before barrier()");
  }

  /**
   * A job whose slots have gone while it waited for them.
   *
   * @param operation what was asked for
   * @param needed how many slots its tasks need at once
   * @param slots how many are left
   * @param waited how long was waited for others
   * @return the exception
   */
  static DeadlineException slotsLost(String operation, int needed, int slots, Duration waited) {
    return notStarted(
        operation,
        needed,
        waited,
        "there are " + slots + ": executors were lost while it waited, or take no new tasks",
        "call it again, which makes do with the slots that there are, or raise"
            + " spark.collectives.retries");
  }

  /**
   * A job whose tasks have not started.
   *
   * @param operation what was asked for
   * @param needed how many slots they need at once
   * @param waited how long was waited
   * @param holders the stages of which tasks run, in words
   * @return the exception
   */
  static DeadlineException notStarted(
      String operation, int needed, Duration waited, List<String> holders) {
    return notStarted(
        operation,
        needed,
        waited,
        holders(holders),
        "run fewer jobs at the same time, add executors or cores, or raise"
            + " spark.collectives.start.timeout");
  }

  private static DeadlineException notStarted(
      String operation, int needed, Duration waited, String why, String remedy) {
    return new DeadlineException(
        ErrorText.of(
            operation + " has not started within " + waited.toMillis() + " ms",
            "its tasks need " + needed + " slots at once, and " + why,
            remedy),
        new NeverStartedException());
  }

  /**
   * Who holds the slots.
   *
   * @param stages the stages of which tasks run, in words
   * @return a clause
   */
  static String holders(List<String> stages) {
    if (stages.isEmpty()) {
      return "no task of another job runs now (see Spark's log for what it waits for)";
    }
    String more = stages.size() > NAMED ? " and " + (stages.size() - NAMED) + " more" : "";
    return "slots are held by "
        + stages.stream().limit(NAMED).collect(Collectors.joining(", "))
        + more;
  }

  /**
   * A job that failed as often as it may be submitted.
   *
   * @param operation what was asked for
   * @param ended what ended each attempt
   * @param outOfMemory whether one of them lost an executor that had no memory left
   * @param last the exception of the last one
   * @return the exception, a {@link RankFailedException} or {@link DeadlineException} if the last
   *     one is
   */
  static CollectiveException attemptsFailed(
      String operation, List<String> ended, boolean outOfMemory, CollectiveException last) {
    return failed(
        ErrorText.of(
            operation
                + (ended.size() == 1
                    ? " failed at its only attempt"
                    : " failed at each of " + ended.size() + " attempts"),
            numbered(ended),
            outOfMemory
                ? LostException.MORE_MEMORY
                : "see the logs of these executors, or raise spark.collectives.retries"),
        last);
  }

  /**
   * A job that failed, and has too few slots to be submitted again.
   *
   * @param operation what was asked for
   * @param ended what ended each attempt
   * @param lack what {@link #lack} says
   * @param outOfMemory whether one of the attempts lost an executor that had no memory left
   * @param last the exception of the last attempt
   * @return the exception, a {@link RankFailedException} or {@link DeadlineException} if the last
   *     one is
   */
  static CollectiveException notSubmittedAgain(
      String operation,
      List<String> ended,
      String lack,
      boolean outOfMemory,
      CollectiveException last) {
    return failed(
        ErrorText.of(
            operation + " failed and cannot be submitted again",
            numbered(ended) + "; then " + lack,
            outOfMemory
                ? LostException.MORE_MEMORY
                : "see the logs of these executors, or raise spark.collectives.slots.timeout where"
                    + " others take longer to take their place"),
        last);
  }

  /**
   * What is lacking after a failure.
   *
   * @param slots how many slots there are
   * @param needed how many are needed at once
   * @param executors how many executors are registered
   * @param waited how long was waited
   * @return a clause
   */
  static String lack(int slots, int needed, int executors, Duration waited) {
    String within = " within " + waited.toSeconds() + " s";
    if (slots > 0) {
      return "it needed " + needed + " slots at once, and there were " + slots + within;
    }
    return executors > 0
        ? "none of " + executors + " registered executors could run a task of it" + within
        : "no executor was left, and no other one has registered" + within;
  }

  private static String numbered(List<String> ended) {
    return IntStream.range(0, ended.size())
        .mapToObj(i -> (i + 1) + ") " + ended.get(i))
        .collect(Collectors.joining("; "));
  }

  private static CollectiveException failed(String text, CollectiveException last) {
    if (last instanceof RankFailedException) {
      return new RankFailedException(text, last);
    }
    return last instanceof DeadlineException
        ? new DeadlineException(text, last)
        : new CollectiveException(text, last);
  }

  /**
   * A job that Spark ended for a reason of its own.
   *
   * @param operation what was asked for
   * @param attempts how often it was submitted
   * @param original what Spark said
   * @return the exception
   */
  static CollectiveException jobFailed(String operation, int attempts, Exception original) {
    return new CollectiveException(
        ErrorText.of(
            operation + " failed",
            "Spark ended its job at attempt " + attempts + ": " + original.getMessage(),
            new SparkFailure(original).jobCancelled()
                ? "see who has cancelled it, if that was not wanted"
                : "see the cause and the executors' logs"),
        original);
  }

  /**
   * A checkpoint that could not be made after a job that has ended well.
   *
   * @param operation what was asked for
   * @param original what Spark said
   * @return the exception
   */
  static CollectiveException notCheckpointed(String operation, Throwable original) {
    return new CollectiveException(
        ErrorText.of(
            operation + " failed",
            "the RDD was to be checkpointed after it, and that failed: " + original.getMessage(),
            "see the cause; the folder of SparkContext.setCheckpointDir must be one that all"
                + " executors can write to"),
        original);
  }

  /**
   * A value that the driver could not store for others to fetch.
   *
   * @param operation what was asked for
   * @param original what Spark said
   * @return the exception
   */
  static CollectiveException valueNotStored(String operation, Exception original) {
    return new CollectiveException(
        ErrorText.of(
            "the value of " + operation + " cannot be stored at the driver",
            "Spark says: " + ErrorText.reason(original),
            "see the cause; the driver needs memory for it (spark.driver.memory), or else room in"
                + " spark.local.dir"),
        original);
  }

  /**
   * Operands that the driver could not combine.
   *
   * @param operation what was asked for
   * @param original what the operator threw, or what reads operands
   * @return the exception
   */
  static CollectiveException notCombined(String operation, Throwable original) {
    return new CollectiveException(
        ErrorText.of(
            operation + " failed",
            "the driver, which combines short arrays, could not: " + original,
            "see the cause, which the operator may have thrown"),
        original);
  }
}
