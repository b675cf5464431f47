package org.sparkcollectives.spark.internal.events;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.sparkcollectives.internal.observe.OperationSum;
import org.sparkcollectives.schedule.Collective;
import org.sparkcollectives.schedule.Topology;
import org.sparkcollectives.select.Candidate;
import org.sparkcollectives.select.Explanation;
import org.sparkcollectives.select.Policy;
import org.sparkcollectives.select.Request;
import org.sparkcollectives.spark.internal.rendezvous.Attendance;
import org.sparkcollectives.spark.internal.rendezvous.RankReport;

/**
 * Gathers what there is to tell of one call while it runs. What it makes is bounded in size,
 * whatever the call was. For the calling thread of the driver.
 */
public final class CallRecord {
  /**
   * So many ranks are told of one by one: the half that came last, the half that worked longest.
   */
  public static final int MOST_RANKS = 64;

  static final Logger LOG = LoggerFactory.getLogger(CallRecord.class);
  private static final int MOST_CANDIDATES = 10;
  private static final int MOST_ATTEMPTS = 16;
  private static final int MOST_OPERATIONS = 40;
  private static final int LONGEST_TEXT = 2000;
  private static final double NANOS_PER_MILLI = 1e6;

  /** So long, or this part of a call, it may wait for its explanation. */
  private static final long PATIENCE_NANOS = 5_000_000;

  private static final int PART = 100;
  private static final Explainer EXPLAINER = new Explainer();

  private final CallEvent event = new CallEvent();
  private final RunningCall running;
  private final long start = System.nanoTime();
  private CallEvent.@Nullable Attempt attempt;
  private @Nullable Attendance came;
  private long attemptStart;

  /** Operations that are alike, over all ranks. */
  private static final class Alike {
    final CallEvent.Operations told = new CallEvent.Operations();
    final OperationSum first;
    long nanos;
    long longest;
    long slowest = -1;
    long largest;

    Alike(OperationSum first) {
      this.first = first;
      told.collective = first.collective().slug();
      told.algorithm = first.algorithm();
    }

    void add(int rank, OperationSum sum) {
      told.count = Math.max(told.count, sum.count());
      told.bytes = Math.max(told.bytes, sum.bytes());
      nanos += sum.nanos();
      longest = Math.max(longest, sum.largestNanos());
      largest = Math.max(largest, sum.largestBytes());
      if (sum.nanos() > slowest) {
        slowest = sum.nanos();
        told.slowestRank = rank;
      }
    }

    CallEvent.Operations told(int ranks) {
      told.millis = millis(nanos) / Math.max(1, ranks);
      told.slowestMillis = millis(slowest);
      told.longestMillis = millis(longest);
      return told;
    }
  }

  /**
   * Begins with a call.
   *
   * @param call its number in the application
   * @param operation what was called
   * @param callSite where
   * @param applicationAttempt the attempt of the application, empty where there is but one
   */
  public CallRecord(long call, String operation, String callSite, String applicationAttempt) {
    event.call = call;
    event.operation = operation;
    event.callSite = cut(callSite);
    event.applicationAttempt = applicationAttempt;
    event.startedAt = System.currentTimeMillis();
    running = new RunningCall(call, event.callSite, event.startedAt);
  }

  /**
   * What can be told of the call while it runs.
   *
   * @return always the same, which follows the call
   */
  public RunningCall running() {
    return running;
  }

  /**
   * An attempt begins.
   *
   * @param epoch its number, from 0
   * @param ranks how many ranks there are to be
   * @param attendance who of them has come, from now on
   */
  public void attempt(int epoch, int ranks, Attendance attendance) {
    running.attempt(epoch, attendance);
    CallEvent.Attempt begun = new CallEvent.Attempt();
    begun.number = epoch;
    begun.ranks = ranks;
    attempt = begun;
    came = attendance;
    attemptStart = System.nanoTime();
    event.attemptCount = epoch + 1;
    event.ranks = ranks;
    if (event.attempts.size() == MOST_ATTEMPTS) {
      event.attempts.remove(MOST_ATTEMPTS / 2);
    }
    event.attempts.add(begun);
  }

  /**
   * The attempt has been submitted.
   *
   * @param jobs the numbers of Spark's jobs
   */
  public void jobs(List<Integer> jobs) {
    running.jobs(jobs);
    CallEvent.Attempt now = attempt;
    if (now != null) {
      now.jobs.addAll(jobs);
    }
  }

  /**
   * The attempt has failed.
   *
   * @param cause why
   * @param attendance who has come
   */
  public void attemptFailed(String cause, Attendance attendance) {
    attemptEnded(CallEvent.FAILED, cause, attendance, List.of());
  }

  /**
   * The attempt has ended well.
   *
   * @param attendance who has come
   * @param reports what the ranks have told, in rank order
   * @param policy how algorithms are chosen
   * @param naming who names them
   */
  public void attemptSucceeded(
      Attendance attendance, List<RankReport> reports, Policy policy, Naming naming) {
    attemptEnded(CallEvent.SUCCEEDED, "", attendance, reports);
    event.bytes = attendance.bytes();
    event.elements = attendance.type();
    if (attendance.gathered()) {
      event.why =
          "the vectors are so small that they travelled with the results of tasks, or the messages in"
              + " which ranks find each other, and were combined when all had come";
      return;
    }
    List<Alike> operations = operations(reports);
    operations.stream()
        .sorted(Comparator.comparingLong((Alike alike) -> -alike.nanos))
        .limit(MOST_OPERATIONS)
        .forEach(alike -> event.operations.add(alike.told(reports.size())));
    main(operations).ifPresent(main -> choice(main, attendance, reports, policy, naming));
  }

  /**
   * The call has ended.
   *
   * @param failure why it failed, null where it did not
   * @return the event, complete
   */
  public CallEvent ended(@Nullable Throwable failure) {
    event.millis = millis(System.nanoTime() - start);
    event.state = failure == null ? CallEvent.SUCCEEDED : CallEvent.FAILED;
    event.failureKind = failure == null ? "" : failure.getClass().getSimpleName();
    event.failure = failure == null ? "" : cut(String.valueOf(failure.getMessage()));
    CallEvent.Attempt now = attempt;
    Attendance attendance = came;
    if (now != null && now.state.isEmpty() && attendance != null) {
      attemptEnded(event.state, event.failure, attendance, List.of());
    }
    return event;
  }

  private void attemptEnded(
      String state, String cause, Attendance attendance, List<RankReport> reports) {
    CallEvent.Attempt now = attempt;
    if (now == null) {
      return;
    }
    List<Attendance.@Nullable Present> present = attendance.ranks();
    now.state = state;
    now.cause = cut(cause);
    now.millis = millis(System.nanoTime() - attemptStart);
    now.stage = attendance.stage();
    now.came = 0;
    Set<String> hosts = new HashSet<>();
    Set<String> executors = new HashSet<>();
    List<CallEvent.Rank> ranks = new ArrayList<>();
    long first = -1;
    event.sentBytes = 0;
    event.mostSentBytes = 0;
    for (int rank = 0; rank < present.size(); rank++) {
      Attendance.Present who = present.get(rank);
      RankReport report = rank < reports.size() ? reports.get(rank) : null;
      if (who != null) {
        now.came++;
        hosts.add(who.node());
        executors.add(who.executor());
      }
      if (report != null) {
        event.sentBytes += report.sentBytes();
        event.mostSentBytes = Math.max(event.mostSentBytes, report.sentBytes());
      }
      ranks.add(rank(rank, who, report));
      if (who != null && (first < 0 || who.nanos() < first)) {
        first = who.nanos();
      }
    }
    event.hosts = hosts.size();
    event.executors = executors.size();
    event.rankFigures = few(ranks);
    event.firstArrived = first < 0 ? -1 : millis(first);
  }

  private static CallEvent.Rank rank(
      int number, Attendance.@Nullable Present who, @Nullable RankReport report) {
    CallEvent.Rank rank = new CallEvent.Rank();
    rank.rank = number;
    if (who != null) {
      rank.host = who.host();
      rank.executor = who.executor();
      rank.arrived = millis(who.nanos());
    }
    if (report != null) {
      rank.waited = millis(report.waitNanos());
      rank.worked = millis(report.workNanos());
      rank.blocked = millis(report.blockedNanos());
      rank.sent = report.sentBytes();
      rank.received = report.receivedBytes();
    }
    return rank;
  }

  /** All ranks, or those that came last or not at all and those that worked longest. */
  private static List<CallEvent.Rank> few(List<CallEvent.Rank> ranks) {
    if (ranks.size() <= MOST_RANKS) {
      return ranks;
    }
    Comparator<CallEvent.Rank> late =
        Comparator.comparingDouble(
            (CallEvent.Rank rank) -> rank.arrived < 0 ? -Double.MAX_VALUE : -rank.arrived);
    Comparator<CallEvent.Rank> slow =
        Comparator.comparingDouble((CallEvent.Rank rank) -> -rank.worked);
    Set<CallEvent.Rank> chosen =
        new TreeSet<>(Comparator.comparingInt((CallEvent.Rank rank) -> rank.rank));
    ranks.stream().sorted(late).limit(MOST_RANKS / 2).forEach(chosen::add);
    ranks.stream()
        .sorted(slow)
        .filter(rank -> !chosen.contains(rank))
        .limit(MOST_RANKS - MOST_RANKS / 2)
        .toList()
        .forEach(chosen::add);
    return new ArrayList<>(chosen);
  }

  private static List<Alike> operations(List<RankReport> reports) {
    Map<String, Alike> all = new LinkedHashMap<>();
    for (int rank = 0; rank < reports.size(); rank++) {
      for (OperationSum sum : reports.get(rank).operations()) {
        all.computeIfAbsent(sum.collective() + " " + sum.algorithm(), name -> new Alike(sum))
            .add(rank, sum);
      }
    }
    return List.copyOf(all.values());
  }

  /**
   * The operation that the call was made for: that on the largest vector. None where there are
   * several of a kind, unless they are small beside it, as those are by which ranks tell each other
   * how long their parts are.
   */
  private static Optional<Alike> main(List<Alike> operations) {
    return operations.stream()
        .max(
            Comparator.comparingLong((Alike alike) -> alike.largest)
                .thenComparingLong(alike -> alike.slowest))
        .filter(
            main ->
                operations.stream()
                    .allMatch(
                        alike ->
                            alike.told.count <= 1
                                || alike.told.bytes - (alike == main ? main.largest : 0)
                                    < main.largest));
  }

  private void choice(
      Alike main, Attendance attendance, List<RankReport> reports, Policy policy, Naming naming) {
    OperationSum sum = main.first;
    event.collective = sum.collective().name();
    event.algorithm = sum.algorithm();
    event.blocks = sum.blocks();
    event.ordered = sum.ordered();
    event.measuredMillis = millis(main.longest);
    event.bytes = main.largest > 0 ? main.largest : event.bytes;
    List<String> hosts = new ArrayList<>();
    List<String> processes = new ArrayList<>();
    List<String> racks = new ArrayList<>();
    List<Attendance.@Nullable Present> present = attendance.ranks();
    for (int rank = 0; rank < reports.size(); rank++) {
      Attendance.Present who = present.get(rank);
      if (who != null && reports.get(rank).operations().stream().anyMatch(o -> alike(o, sum))) {
        hosts.add(who.node());
        processes.add(who.process());
        racks.add(who.rack());
      }
    }
    Topology topology = Topology.of(hosts, processes, racks);
    event.participants = hosts.size();
    if (hosts.size() <= MOST_RANKS) {
      event.participantHosts = numbered(hosts);
      event.participantProcesses = numbered(processes);
      event.participantRacks = topology.hasRacks() ? numbered(racks) : new ArrayList<>();
    }
    Request request =
        Request.of(sum.collective(), hosts.size(), main.largest, sum.ordered(), topology);
    long patience = Math.max(PATIENCE_NANOS, (System.nanoTime() - start) / PART);
    boolean priced = main.largest > 0 || sum.collective() == Collective.BARRIER;
    EXPLAINER.explain(
        policy,
        request,
        sum.algorithm(),
        naming,
        patience,
        explanation -> explained(explanation, priced));
  }

  /**
   * Adds the reason of the choice, maybe when the event is told already, and prices: not those of a
   * vector whose size is not known, as that of objects, nor those by which something else would
   * have run.
   */
  private void explained(Explanation why, boolean priced) {
    boolean same = why.choice().algorithm().equals(event.algorithm);
    if (priced && same) {
      event.predictedMillis = millis(why.choice().nanos());
      event.candidates = new ArrayList<>(others(why).toList());
    }
    event.why = cut(why.reason()); // the last, by which a reader knows that the others are there
    if (same) {
      LOG.debug("{}: {}", event.callSite, why);
    } else {
      LOG.debug("{}: {}: {}", event.callSite, event.algorithm, why.reason());
    }
  }

  /** Names as numbers, the same for the same name. */
  private static List<Integer> numbered(List<String> names) {
    List<String> distinct = names.stream().distinct().toList();
    return new ArrayList<>(names.stream().map(distinct::indexOf).toList());
  }

  private static boolean alike(OperationSum one, OperationSum other) {
    return one.collective() == other.collective() && one.algorithm().equals(other.algorithm());
  }

  private static Stream<CallEvent.Candidate> others(Explanation why) {
    return why.candidates().stream()
        .filter(candidate -> candidate.refusal() == null)
        .limit(MOST_CANDIDATES)
        .map(CallRecord::candidate);
  }

  private static CallEvent.Candidate candidate(Candidate priced) {
    CallEvent.Candidate told = new CallEvent.Candidate();
    told.algorithm = priced.algorithm();
    told.millis = millis(priced.nanos());
    told.rounds = priced.rounds();
    told.blocks = priced.blocks();
    told.sentBytes = priced.bytesSent();
    return told;
  }

  private static double millis(long nanos) {
    return nanos / NANOS_PER_MILLI;
  }

  private static double millis(double nanos) {
    return nanos / NANOS_PER_MILLI;
  }

  private static String cut(String text) {
    return text.length() <= LONGEST_TEXT ? text : text.substring(0, LONGEST_TEXT) + "...";
  }
}
