package org.sparkcollectives.spark.internal.rendezvous;

import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import java.util.function.IntPredicate;
import org.apache.spark.rpc.RpcAddress;
import org.apache.spark.rpc.RpcCallContext;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.sparkcollectives.CommunicatorOptions;
import org.sparkcollectives.error.CollectiveException;
import org.sparkcollectives.error.DeadlineException;
import org.sparkcollectives.error.InvalidInputException;
import org.sparkcollectives.internal.engine.Agreement;
import org.sparkcollectives.spark.internal.conf.Settings;

/**
 * The driver's side of one attempt of one job: gathers the ranks, checks what they bring, tells
 * each who the others are, and when one fails, tells the others why. Thread-safe.
 */
public final class Rendezvous {
  private static final Logger LOG = LoggerFactory.getLogger(Rendezvous.class);
  private static final long CONSEQUENCE_MILLIS = 1500;
  private static final long LATE_MILLIS = 500;

  /** So long after it has begun the driver has heard of a rank, see {@link DriverLine}. */
  private static final long HEARD_OF_MILLIS = 2 * DriverLine.SILENT_MILLIS;

  /** After this time ranks that have been told of a failure have ended, and so has their job. */
  private static final long UNHEEDED_NANOS = TimeUnit.SECONDS.toNanos(5);

  /** How long ranks have to say what they do; shorter than those that are late wait for that. */
  private static final long ROLL_CALL_MILLIS = 2000;

  private final Attempt attempt;
  private final String operation;
  private final int size;
  private final Admission admission;

  /** How long the first rank waits for tasks that have not begun. */
  private final Duration timeout;

  /** How long a rank may compute what it brings; 0 is without limit. */
  private final Duration computeTimeout;

  private final Replies replies;
  private final HostRacks racks;
  private final ScheduledExecutorService timer;
  private final Arrivals arrivals;
  private final Attendance attendance;
  private final Causes causes;
  private final Set<Integer> started = new HashSet<>();
  private final Set<Integer> waiting = new HashSet<>();
  private final RollCall rollCall = new RollCall();
  private final List<RpcCallContext> held = new ArrayList<>();
  private final List<ScheduledFuture<?>> alarms = new ArrayList<>();
  private final Agreement agreement = new Agreement();
  private final Set<Integer> summoned = new HashSet<>();
  private @Nullable Participants participants;
  private boolean answered;
  private boolean linked;
  private boolean over;
  private boolean starved;
  private boolean givenUp;
  private long failedNanos;
  private @Nullable Failure failure;

  /**
   * Begins before the ranks' tasks are submitted.
   *
   * @param attempt what its ranks know
   * @param size how many ranks are to arrive
   * @param admission who of them takes part
   * @param replies what they are told
   * @param racks finds the racks of their hosts
   * @param timer for deadlines
   */
  Rendezvous(
      Attempt attempt,
      int size,
      Admission admission,
      Replies replies,
      HostRacks racks,
      ScheduledExecutorService timer) {
    this.attempt = attempt;
    this.operation = attempt.operation();
    this.size = size;
    this.admission = admission;
    this.timeout = attempt.conf().get(Settings.TIMEOUT);
    this.computeTimeout = attempt.conf().get(Settings.COMPUTE_TIMEOUT);
    this.replies = replies;
    this.racks = racks;
    this.timer = timer;
    this.arrivals = new Arrivals(size);
    this.causes = new Causes(operation, arrivals);
    this.attendance = new Attendance(size);
  }

  /** Takes a message of this attempt. */
  synchronized void receive(Wire.Request request, RpcCallContext context) {
    if (over) {
      context.reply(Wire.encode(new Wire.Over()));
    } else if (request instanceof Wire.Join join) {
      join(join, context);
    } else if (request instanceof Wire.Watch watch) {
      Failure known = failure;
      if (known == null) {
        watch(watch, context);
      } else {
        context.reply(Wire.encode(new Wire.Aborted(known.where(), known.text())));
      }
    } else if (request instanceof Wire.Late) {
      int number = rollCall.late(context, causes::hasReturned);
      if (number > 0) {
        alarm(() -> endRollCall(number), ROLL_CALL_MILLIS);
      }
    } else if (request instanceof Wire.Called called) {
      called(called);
      context.reply(Wire.encode(new Wire.Over()));
    } else if (request instanceof Wire.Failed failed) {
      failed(failed);
      if (failure == null && failed.severity() != Wire.Severity.INPUT_LOST) {
        held.add(context); // as long as it waits, its task does not end and Spark kills no other
      } else {
        context.reply(Wire.encode(new Wire.Over()));
      }
    }
  }

  /** Takes a message that needs no answer. */
  synchronized void hear(Wire.Request request) {
    if (over) {
      return;
    }
    if (request instanceof Wire.Returned done) {
      returned(done);
    } else if (request instanceof Wire.Progress progress) {
      attendance.progress(progress.text());
    } else if (request instanceof Wire.Computing begun) {
      started.add(begun.rank());
      attendance.started(begun.stage());
      Duration limit = computeTimeout;
      if (begun.nanos() < 0) {
        waiting.add(begun.rank());
      } else if (!limit.isZero() && arrivals.of(begun.rank()) == null) {
        long left = limit.minusNanos(begun.nanos()).toMillis();
        alarm(() -> checkComputing(begun.rank()), Math.max(0, left));
      }
    }
  }

  /**
   * Takes what a rank has brought that has ended without having met the others.
   *
   * @param rank the rank
   * @param brought what its task has told
   */
  public synchronized void left(int rank, RankReport.Left brought) {
    if (!over) {
      join(brought.join(attempt.job(), attempt.epoch(), rank), null);
    }
  }

  /** A process has gone. */
  synchronized void disconnected(RpcAddress address) {
    arrivals
        .present()
        .filter(arrival -> arrival.cameFrom(address))
        .findFirst()
        .ifPresent(
            lost ->
                fail(
                    Failure.found(
                        lost.who(), RendezvousErrors.executorLost(operation, lost.who()), true)));
  }

  /**
   * How many ranks took part.
   *
   * @return 0 when none brought anything
   */
  public synchronized int admitted() {
    return participants == null ? 0 : (int) participants.ranks().count();
  }

  /**
   * Who has come, and when.
   *
   * @return what is known so far, and will be later
   */
  public Attendance attendance() {
    return attendance;
  }

  /**
   * The reason of a failed attempt, waiting for it a short time, since Spark may report the end of
   * the job before the rank has reported its cause.
   *
   * @param millis how long to wait
   * @return the reason, or null if none is known
   */
  public synchronized @Nullable Failure awaitFailure(long millis) {
    await(() -> failure != null || causes.inputLost() != null, millis);
    return failure != null ? failure : causes.likeliest();
  }

  private synchronized void await(BooleanSupplier condition, long millis) {
    long start = System.nanoTime();
    while (!condition.getAsBoolean()) {
      long rest = millis - TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - start);
      if (rest <= 0) {
        return;
      }
      try {
        wait(rest);
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
        return;
      }
    }
  }

  /**
   * Whether a rank may still tell why it failed although Spark has ended the job: one that has
   * links to others, which may have broken. Any other rank that fails has told before Spark knows.
   *
   * @return false where it does not help to wait
   */
  public synchronized boolean reportsMayCome() {
    if (failure != null || causes.inputLost() != null || over) {
      return false;
    }
    Participants met = participants;
    return causes.reasonMayCome()
        || (linked && met != null && !met.ranks().allMatch(causes::hasReturned));
  }

  /**
   * Whether nothing has been heard of a rank, neither from it nor of its failure.
   *
   * @return false from the first sign of a rank on
   */
  public synchronized boolean nobodyYet() {
    return arrivals.count() == 0 && started.isEmpty() && failure == null && !over;
  }

  /**
   * Gives an attempt up that gets no slots.
   *
   * @param reason what the driver's caller is told
   * @param retryable whether another attempt may do with those that there are
   */
  public synchronized void starve(RuntimeException reason, boolean retryable) {
    if (nobodyYet()) {
      starved = true;
      fail(Failure.found(operation, reason, retryable));
    }
  }

  /**
   * Gives the attempt up where it has got no slots, or has failed some time ago and its job has not
   * ended by itself: a rank that computes does not hear of it.
   *
   * @return whether the driver has to end the job; once true, always true
   */
  public synchronized boolean giveUp() {
    givenUp |= starved || (failure != null && System.nanoTime() - failedNanos > UNHEEDED_NANOS);
    return givenUp;
  }

  /**
   * Whether it was given up, so that it was not the user who ended its job.
   *
   * @return true after {@link #giveUp} has said so
   */
  public synchronized boolean givenUp() {
    return givenUp;
  }

  /**
   * Whether the attempt failed because a rank could not fetch the output of a shuffle.
   *
   * @return true if a rank has told so and no other reason is known
   */
  public synchronized boolean inputLost() {
    Failure lost = causes.inputLost();
    return lost != null && (failure == null || lost.equals(failure));
  }

  /** Ends the attempt: every rank that still asks is told so. */
  void close() {
    Handout.Handed handed = end();
    if (handed != null) {
      handed.end(); // which may take its time
    }
  }

  private synchronized Handout.@Nullable Handed end() {
    over = true;
    notifyAll();
    alarms.forEach(alarm -> alarm.cancel(false));
    alarms.clear();
    answerAll(Wire.encode(new Wire.Over()));
    return replies.handed();
  }

  // ---- arriving

  /** Takes a rank's arrival; without a context it does not wait for the others. */
  private void join(Wire.Join join, @Nullable RpcCallContext context) {
    Arrival arrival = new Arrival(join, context);
    Failure known = failure;
    if (known != null) {
      arrival.reply(Wire.encode(new Wire.Aborted(known.where(), known.text())));
      return;
    }
    if (!arrivals.expects(join.rank())) {
      String text = RendezvousErrors.notExpected(join.rank());
      LOG.warn("{}: {}", operation, text);
      arrival.reply(Wire.encode(new Wire.Aborted(arrival.who(), text)));
      return;
    }
    arrivals.add(arrival);
    attendance.joined(join);
    if (arrivals.count() == 1) {
      alarm(this::checkArrival, timeout.toMillis() + HEARD_OF_MILLIS);
    }
    if (arrivals.complete()) {
      allArrived();
    }
  }

  private void alarm(Runnable action, long millis) {
    alarms.add(timer.schedule(action, millis, TimeUnit.MILLISECONDS));
  }

  private synchronized void checkArrival() {
    failIfMissing(rank -> !started.contains(rank)); // others compute
  }

  private synchronized void checkSummoned() {
    failIfMissing(rank -> true); // where none is, the racks of their hosts are looked up
  }

  private void failIfMissing(IntPredicate which) {
    List<Integer> missing = arrivals.missing(which);
    if (!over && !answered && failure == null && !missing.isEmpty()) {
      DeadlineException late = RendezvousErrors.ranksMissing(operation, missing, size, timeout);
      fail(Failure.found(operation, late, false));
    }
  }

  private synchronized void checkComputing(int rank) {
    boolean hasCome = arrivals.of(rank) != null || summoned.contains(rank);
    if (!over && failure == null && !hasCome && !waiting.contains(rank)) {
      fail(
          Failure.found(
              "rank " + rank, RendezvousErrors.notBegun(operation, rank, computeTimeout), false));
    }
  }

  private void allArrived() {
    Participants met = new Participants(arrivals.present().toList(), admission);
    CollectiveException refusal =
        Shapes.refusal(operation, met.shapes(), attempt.conf().get(Settings.MAX_BYTES));
    if (refusal != null) {
      fail(Failure.found(operation, refusal, false));
      return;
    }
    participants = met;
    answered = Replies.gather(met, attendance);
    if (answered) {
      return;
    }
    if (!met.ranks().allMatch(rank -> met.of(rank).waits())) {
      fail(Failure.found(operation, RendezvousErrors.formsDiffer(operation), false));
      return;
    }
    if (summoned(met)) {
      return;
    }
    List<Wire.Member> ranks = met.members();
    CompletableFuture<Map<String, String>> found =
        racks.configured()
            ? racks.of(ranks.stream().map(Wire.Member::host).distinct().toList())
            : CompletableFuture.completedFuture(Map.of());
    CompletableFuture<Void> told =
        found.isDone()
            ? found.thenAccept(racksOf -> meet(met, ranks, racksOf))
            : found.thenAcceptAsync(racksOf -> meet(met, ranks, racksOf), timer);
    var unused = told.exceptionally(this::notMet);
  }

  /** All have come, and the racks of their hosts are known. */
  private synchronized void meet(
      Participants met, List<Wire.Member> ranks, Map<String, String> racksOf) {
    if (over || answered || failure != null) {
      return;
    }
    linked = true;
    List<Wire.Member> placed = HostRacks.placed(ranks, racksOf);
    int[] tasks = met.ranks().toArray();
    for (int i = 0; i < tasks.length; i++) {
      if (!placed.get(i).rack().isEmpty()) {
        attendance.takesPart(tasks[i], placed.get(i));
      }
    }
    replies.tell(met, Members.of(placed, tasks), attempt.conf().get(Settings.MEMBERS_BYTES));
    answered = true;
  }

  /** All have come, but not all could be told of the others: nobody else ends the attempt. */
  private synchronized @Nullable Void notMet(Throwable thrown) {
    if (!over) {
      Throwable original =
          thrown instanceof CompletionException && thrown.getCause() != null
              ? thrown.getCause()
              : thrown;
      fail(Failure.found(operation, RendezvousErrors.notTold(operation, original), false));
    }
    return null;
  }

  /** Lets ranks come again that need links and do not listen yet; false if there are none. */
  private boolean summoned(Participants met) {
    List<Integer> silent = Replies.summon(met);
    silent.forEach(arrivals::recall);
    summoned.addAll(silent);
    if (!silent.isEmpty()) {
      alarm(this::checkSummoned, timeout.toMillis());
    }
    return !silent.isEmpty();
  }

  // ---- failing

  private void failed(Wire.Failed failed) {
    Failure told = Failure.told(operation, failed);
    if (failed.severity() == Wire.Severity.CAUSE) {
      fail(told);
    } else if (causes.add(failed, told)) {
      boolean late = failed.severity() == Wire.Severity.DEADLINE;
      alarm(() -> settle(failed.severity()), late ? LATE_MILLIS : CONSEQUENCE_MILLIS);
    }
  }

  /** Time enough has gone for a better reason. */
  private synchronized void settle(Wire.Severity severity) {
    Failure reason = over ? null : causes.reason(severity, participants);
    if (reason != null) {
      fail(reason);
    }
  }

  private void called(Wire.Called called) {
    for (CommunicatorOptions.Call call : called.calls()) {
      failIf(
          agreement.add(
              call.communicator(), call.number(), call.fingerprint(), call.rank(), call.what()));
    }
  }

  private void returned(Wire.Returned done) {
    causes.returned(done.rank());
    failIf(agreement.end(Agreement.OF_ALL, done.operations(), arrivals.who(done.rank())));
  }

  private void failIf(@Nullable InvalidInputException differs) {
    if (differs != null) {
      fail(Failure.found(operation, differs, false));
    }
  }

  /** A rank listens; what it does others want to know if it was asked. */
  private void watch(Wire.Watch watch, RpcCallContext context) {
    if (!rollCall.watch(watch, context)) {
      return;
    }
    String who = arrivals.who(watch.rank());
    Duration computes = Duration.ofNanos(watch.computingNanos());
    Duration limit = computeTimeout;
    if (limit.isZero() || computes.compareTo(limit) < 0) {
      LOG.info(
          "{}: {} has computed for {} s while other ranks wait for it; they wait on",
          operation,
          who,
          computes.toSeconds());
    } else {
      fail(Failure.found(who, RendezvousErrors.computesTooLong(operation, who, limit), false));
    }
  }

  private synchronized void endRollCall(int number) {
    rollCall.end(number);
  }

  private void fail(Failure cause) {
    if (failure != null) {
      return;
    }
    failure = cause;
    failedNanos = System.nanoTime();
    answerAll(Wire.encode(new Wire.Aborted(cause.where(), cause.text())));
    notifyAll();
  }

  private void answerAll(byte[] reply) {
    rollCall.tell(reply);
    held.forEach(reporter -> reporter.reply(Wire.encode(new Wire.Over())));
    held.clear();
    if (!answered) {
      answered = true;
      arrivals
          .present()
          .filter(arrival -> arrival.join().rank() >= replies.toldRanks())
          .forEach(arrival -> abort(arrival, reply));
    }
  }

  /** Answers a rank; that it cannot be answered keeps no answer from others. */
  private void abort(Arrival arrival, byte[] reply) {
    try {
      arrival.reply(reply);
    } catch (RuntimeException e) {
      LOG.debug("{}: {} cannot be answered", operation, arrival.member().label(), e);
    }
  }
}
