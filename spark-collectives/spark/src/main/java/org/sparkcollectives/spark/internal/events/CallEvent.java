package org.sparkcollectives.spark.internal.events;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import org.apache.spark.scheduler.SparkListenerEvent;
import org.jspecify.annotations.Nullable;

/**
 * A call that has ended: a collective on an RDD or on a value of the driver, with all its attempts.
 * Its class name and field names stand in event logs. Times are in milliseconds.
 */
public final class CallEvent extends Plain implements SparkListenerEvent {
  /** The state of what ended well. */
  public static final String SUCCEEDED = "SUCCEEDED";

  /** The state of what did not. */
  public static final String FAILED = "FAILED";

  /** The number of the call in its application, from 1. */
  public long call;

  /** What was called, such as {@code allReduce}. */
  public String operation = "";

  /** Where, such as {@code allReduce at App.java:12}. */
  public String callSite = "";

  /** The attempt of the application as its cluster manager counts them, empty where it does not. */
  public String applicationAttempt = "";

  /** When it began, in milliseconds since 1970. */
  public long startedAt;

  /** How long it took at the driver. */
  public double millis;

  /** {@link #SUCCEEDED} or {@link #FAILED}. */
  public String state = "";

  /** Why it failed, in words; empty where it did not. */
  public String failure = "";

  /** The class of its exception without package, such as {@code DeadlineException}; or empty. */
  public String failureKind = "";

  /** How many ranks the last attempt had. */
  public int ranks;

  /** On how many hosts those were that came. */
  public int hosts;

  /** In how many executors those were that came. */
  public int executors;

  /** The size of the vectors: of the largest operation, or else of the largest one brought. */
  public long bytes;

  /** What the vectors are of, such as {@code double}. */
  public String elements = "";

  /** The collective of the call's main operation, as {@code Collective.name()}; or empty. */
  public String collective = "";

  /** The slug of the algorithm that has run; empty where there was none. */
  public String algorithm = "";

  /** Into how many blocks it split the vector. */
  public int blocks;

  /** Whether it kept operands in rank order. */
  public boolean ordered;

  /** How many ranks took part in it, where executors combine what their ranks bring: fewer. */
  public int participants;

  /** The machine of each of these, as a number; empty where there were very many. */
  public List<Integer> participantHosts = new ArrayList<>();

  /** The executor of each of these, as a number; empty where there were very many. */
  public List<Integer> participantProcesses = new ArrayList<>();

  /**
   * The rack of each of these, as a number; empty where racks do not matter, or there were very
   * many.
   */
  public List<Integer> participantRacks = new ArrayList<>();

  /** Why it was chosen, as the end of a sentence that begins with the algorithm's name. */
  public String why = "";

  /** How long it was to take by the cost model; 0 where that is not known. */
  public double predictedMillis;

  /** How long it took on the rank where it took longest; 0 where that is not known. */
  public double measuredMillis;

  /** The other algorithms that were priced, the cheapest first; not all of them. */
  public List<Candidate> candidates = new ArrayList<>();

  /** The attempts, not all of many. */
  public List<Attempt> attempts = new ArrayList<>();

  /** How many attempts there were. */
  public int attemptCount;

  /** Ranks of the last attempt in rank order: all, or of many those that came or worked longest. */
  public List<Rank> rankFigures = new ArrayList<>();

  /** What operations between ranks have come to, by collective and algorithm. */
  public List<Operations> operations = new ArrayList<>();

  /** Payload that all ranks have sent. */
  public long sentBytes;

  /** The payload of the rank that has sent most. */
  public long mostSentBytes;

  /** How long after the last attempt's submission the first rank came; -1 if none did. */
  public double firstArrived = -1;

  /** Makes an event that tells nothing. */
  public CallEvent() {}

  /**
   * The last attempt.
   *
   * @return the attempt, null where there was none
   */
  public @Nullable Attempt lastAttempt() {
    return attempts.isEmpty() ? null : attempts.get(attempts.size() - 1);
  }

  /**
   * The rank that the others waited for.
   *
   * @return the one that came last, null where fewer than two came
   */
  public @Nullable Rank straggler() {
    List<Rank> came = rankFigures.stream().filter(rank -> rank.arrived >= 0).toList();
    return came.size() < 2
        ? null
        : came.stream().max(Comparator.comparingDouble((Rank rank) -> rank.arrived)).orElseThrow();
  }

  /** A priced algorithm. */
  public static final class Candidate extends Plain {
    /** Its slug. */
    public String algorithm = "";

    /** How long it was to take. */
    public double millis;

    /** Its rounds. */
    public int rounds;

    /** Into how many blocks it would split the vector. */
    public int blocks;

    /** The most bytes that one rank sends. */
    public double sentBytes;

    /** Makes a candidate that tells nothing. */
    public Candidate() {}
  }

  /** An attempt at the call: a job of Spark. */
  public static final class Attempt extends Plain {
    /** Its number, from 0. */
    public int number;

    /** Spark's jobs, of which there is one unless it was not submitted. */
    public List<Integer> jobs = new ArrayList<>();

    /** Spark's stage, -1 if no task began. */
    public int stage = -1;

    /** How many ranks there were to be. */
    public int ranks;

    /** How many of them came to the rendezvous. */
    public int came;

    /** How long it took. */
    public double millis;

    /** {@link CallEvent#SUCCEEDED} or {@link CallEvent#FAILED}. */
    public String state = "";

    /** The first cause of its failure, in words; empty where it did not fail. */
    public String cause = "";

    /** Makes an attempt that tells nothing. */
    public Attempt() {}
  }

  /** A rank of the last attempt. */
  public static final class Rank extends Plain {
    /** Its number. */
    public int rank;

    /** The executor's host; empty if it has not come. */
    public String host = "";

    /** The executor, such as {@code executor 2}. */
    public String executor = "";

    /** How long after the attempt's submission it came to the rendezvous; -1 if it did not. */
    public double arrived = -1;

    /** How long it waited there for the last of them. */
    public double waited;

    /** How long it worked from then on. */
    public double worked;

    /** How long of that its thread slept, waiting for other ranks. */
    public double blocked;

    /** Payload sent to other ranks. */
    public long sent;

    /** Payload got from other ranks. */
    public long received;

    /** Makes a rank that tells nothing. */
    public Rank() {}
  }

  /** Operations of one collective by one algorithm, over all ranks. */
  public static final class Operations extends Plain {
    /** The collective's slug. */
    public String collective = "";

    /** The algorithm's slug. */
    public String algorithm = "";

    /** How many operations there were on the rank that had most. */
    public long count;

    /** The bytes of the vectors on the rank where they had most. */
    public long bytes;

    /** The time in them, of all ranks on average. */
    public double millis;

    /** The rank that was in them longest. */
    public int slowestRank;

    /** How long it was. */
    public double slowestMillis;

    /** The longest one on any rank. */
    public double longestMillis;

    /** Makes operations that tell nothing. */
    public Operations() {}
  }
}
