package org.sparkcollectives.spark.internal.rendezvous;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import java.util.function.IntPredicate;
import java.util.stream.IntStream;
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
import org.sparkcollectives.spark.internal.conf.Encryption;
import org.sparkcollectives.spark.internal.conf.Settings;

/**
 * The driver's side of one attempt of one job: gathers the ranks, checks what they bring, tells
 * each who the others are, and when one fails, tells the others why. Thread-safe.
 */
public final class Rendezvous {
  private static final Logger LOG = LoggerFactory.getLogger(Rendezvous.class);
  private static final long CONSEQUENCE_MILLIS = 1500;
  private static final long LATE_MILLIS = 500;

  /** So long after it has begun the driver has heard of a rank, see {@link RankSession}. */
  private static final long HEARD_OF_MILLIS = 2 * RankSession.SILENT_MILLIS;

  /** How long ranks have to say what they do; shorter than those that are late wait for that. */
  private static final long ROLL_CALL_MILLIS = 2000;

  /** Who of the arrived takes part. */
  public enum Admission {
    /** Every rank. */
    ALL,
    /** Ranks that bring a vector. */
    WITH_VECTOR,
    /** The lowest rank of each process. */
    ONE_PER_PROCESS
  }

  /**
   * What the attempt is.
   *
   * @param attempt what its ranks know
   * @param size how many ranks are to arrive
   * @param admission who of them takes part
   */
  public record Terms(Attempt attempt, int size, Admission admission) {
    String operation() {
      return attempt.operation();
    }

    /** How long the first rank waits for tasks that have not begun. */
    Duration timeout() {
      return attempt.conf().get(Settings.TIMEOUT);
    }

    /** How long a rank may compute what it brings; 0 is without limit. */
    Duration computeTimeout() {
      return attempt.conf().get(Settings.COMPUTE_TIMEOUT);
    }

    /** The largest vector. */
    long maxBytes() {
      return attempt.conf().get(Settings.MAX_BYTES);
    }
  }

  /** A rank that has come, and where it waits for an answer, null if it does not. */
  private record Arrival(Wire.Join join, @Nullable RpcCallContext context) {
    void reply(byte[] bytes) {
      if (context != null) {
        context.reply(bytes);
      }
    }

    Wire.Member member() {
      return join.member();
    }

    @Nullable List<Shape> shapes() {
      return join.shapes();
    }
  }

  private final Terms terms;
  private final byte[] salt;
  private final Encryption encryption;
  private final HostRacks racks;
  private final ScheduledExecutorService timer;
  private final @Nullable Arrival[] arrivals;
  private final Attendance attendance;
  private final Set<Integer> tellers = new HashSet<>();
  private final Set<Integer> returned = new HashSet<>();
  private final Set<Integer> started = new HashSet<>();
  private final RollCall rollCall = new RollCall();
  private final List<RpcCallContext> held = new ArrayList<>();
  private final List<ScheduledFuture<?>> alarms = new ArrayList<>();
  private final Agreement agreement = new Agreement();
  private boolean[] takes = new boolean[0];
  private boolean[] summoned = new boolean[0];
  private int arrived;
  private int admitted;

  /** So many ranks, the first, have been told of the others. */
  private int told;

  private boolean answered;
  private boolean linked;
  private boolean over;
  private boolean starved;
  private @Nullable Failure failure;
  private @Nullable Failure late;
  private @Nullable Failure maybe;
  private @Nullable Failure inputLost;

  Rendezvous(
      Terms terms,
      byte[] salt,
      Encryption encryption,
      HostRacks racks,
      ScheduledExecutorService timer) {
    this.terms = terms;
    this.salt = salt;
    this.encryption = encryption;
    this.racks = racks;
    this.timer = timer;
    this.arrivals = new Arrival[terms.size()];
    this.attendance = new Attendance(terms.size());
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
      if (rollCall.late(context, returned::contains)) {
        alarm(this::endRollCall, ROLL_CALL_MILLIS);
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
      returned.add(done.rank());
    } else if (request instanceof Wire.Computing begun) {
      started.add(begun.rank());
      attendance.started(begun.stage());
      Duration limit = terms.computeTimeout();
      if (!limit.isZero() && arrivals[begun.rank()] == null) {
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
      join(brought.join(terms.attempt().job(), terms.attempt().epoch(), rank), null);
    }
  }

  /** A process has gone. */
  synchronized void disconnected(RpcAddress address) {
    for (int rank = 0; rank < arrivals.length; rank++) {
      Arrival arrival = arrivals[rank];
      if (arrival != null
          && arrival.context() != null
          && address.equals(arrival.context().senderAddress())) {
        String who = name(rank, arrival.member());
        fail(Failure.found(who, RendezvousErrors.executorLost(terms.operation(), who), true));
        return;
      }
    }
  }

  /**
   * How many ranks took part.
   *
   * @return 0 when none brought anything
   */
  public synchronized int admitted() {
    return admitted;
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
    await(() -> failure != null || inputLost != null, millis);
    if (failure != null || inputLost != null) {
      return failure != null ? failure : inputLost;
    }
    Failure broken = maybe;
    return late != null || broken == null ? late : orReturned(broken);
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
    if (failure != null || inputLost != null || over) {
      return false;
    }
    boolean told = maybe != null || late != null; // what is told last may be the cause
    return told
        || (linked
            && IntStream.range(0, takes.length)
                .anyMatch(rank -> takes[rank] && !returned.contains(rank)));
  }

  /**
   * Whether nothing has been heard of a rank, neither from it nor of its failure.
   *
   * @return false from the first sign of a rank on
   */
  public synchronized boolean nobodyYet() {
    return arrived == 0 && started.isEmpty() && failure == null && !over;
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
      fail(Failure.found(terms.operation(), reason, retryable));
    }
  }

  /**
   * Whether the attempt was given up for want of slots.
   *
   * @return true after {@link #starve}
   */
  public synchronized boolean starved() {
    return starved;
  }

  /**
   * Whether the attempt failed because a rank could not fetch the output of a shuffle.
   *
   * @return true if a rank has told so and no other reason is known
   */
  public synchronized boolean inputLost() {
    return inputLost != null && (failure == null || inputLost.equals(failure));
  }

  /** Ends the attempt: every rank that still asks is told so. */
  synchronized void close() {
    over = true;
    notifyAll();
    alarms.forEach(alarm -> alarm.cancel(false));
    alarms.clear();
    byte[] reply = Wire.encode(new Wire.Over());
    answerAll(reply);
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
    int rank = join.rank();
    if (rank < 0 || rank >= arrivals.length || arrivals[rank] != null) {
      String who = name(rank, join.member());
      LOG.warn("{}: {}", terms.operation(), RendezvousErrors.notExpected(rank));
      arrival.reply(Wire.encode(new Wire.Aborted(who, RendezvousErrors.notExpected(rank))));
      return;
    }
    arrived++;
    arrivals[rank] = arrival;
    attendance.joined(join);
    if (arrived == 1) {
      alarm(this::checkArrival, terms.timeout().toMillis() + HEARD_OF_MILLIS);
    }
    if (arrived == terms.size()) {
      allArrived();
    }
  }

  private void alarm(Runnable action, long millis) {
    alarms.add(timer.schedule(action, millis, TimeUnit.MILLISECONDS));
  }

  private synchronized void checkArrival() {
    if (over || answered || failure != null) {
      return;
    }
    IntPredicate idle = rank -> !started.contains(rank);
    if (missing(idle).isEmpty()) {
      return; // who is missing computes
    }
    fail(Failure.found(terms.operation(), ranksMissing(idle, terms.timeout()), false));
  }

  private synchronized void checkSummoned() {
    boolean allCame = arrived == terms.size(); // and the racks of their hosts are looked up
    if (!over && !answered && !allCame && failure == null) {
      IntPredicate any = rank -> true;
      fail(Failure.found(terms.operation(), ranksMissing(any, terms.timeout()), false));
    }
  }

  private List<Integer> missing(IntPredicate which) {
    return IntStream.range(0, arrivals.length)
        .filter(rank -> arrivals[rank] == null && which.test(rank))
        .boxed()
        .toList();
  }

  private DeadlineException ranksMissing(IntPredicate which, Duration waited) {
    return RendezvousErrors.ranksMissing(terms.operation(), missing(which), terms.size(), waited);
  }

  private synchronized void checkComputing(int rank) {
    boolean hasCome = arrivals[rank] != null || (summoned.length > 0 && summoned[rank]);
    if (!over && failure == null && !hasCome) {
      fail(
          Failure.found(
              "rank " + rank,
              RendezvousErrors.notBegun(terms.operation(), rank, terms.computeTimeout()),
              false));
    }
  }

  private void allArrived() {
    List<Arrival> all = Arrays.stream(arrivals).map(Objects::requireNonNull).toList();
    CollectiveException refusal = Shapes.refusal(terms.operation(), shapes(all), terms.maxBytes());
    if (refusal != null) {
      fail(Failure.found(terms.operation(), refusal, false));
      return;
    }
    takes = admit(all);
    List<Wire.Member> ranks = new ArrayList<>();
    for (int i = 0; i < takes.length; i++) {
      if (takes[i]) {
        ranks.add(all.get(i).member());
      }
    }
    admitted = ranks.size();
    answered = gathered(all);
    if (answered) {
      return;
    }
    if (IntStream.range(0, takes.length)
        .anyMatch(rank -> takes[rank] && all.get(rank).context() == null)) {
      fail(
          Failure.found(terms.operation(), RendezvousErrors.formsDiffer(terms.operation()), false));
      return;
    }
    if (summoned(all)) {
      return;
    }
    CompletableFuture<Map<String, String>> found =
        racks.configured()
            ? racks.of(ranks.stream().map(Wire.Member::host).distinct().toList())
            : CompletableFuture.completedFuture(Map.of());
    CompletableFuture<Void> met =
        found.isDone()
            ? found.thenAccept(racksOf -> meet(all, ranks, racksOf))
            : found.thenAcceptAsync(racksOf -> meet(all, ranks, racksOf), timer);
    var unused = met.exceptionally(this::notMet);
  }

  /** All have come, and the racks of their hosts are known. */
  private synchronized void meet(
      List<Arrival> all, List<Wire.Member> ranks, Map<String, String> racksOf) {
    if (over || answered || failure != null) {
      return;
    }
    linked = true;
    tell(all, Members.of(racksOf.isEmpty() ? ranks : placed(ranks, racksOf)));
    answered = true;
  }

  /** All have come, but not all could be told of the others: nobody else ends the attempt. */
  private synchronized @Nullable Void notMet(Throwable thrown) {
    if (!over) {
      Throwable original =
          thrown instanceof CompletionException && thrown.getCause() != null
              ? thrown.getCause()
              : thrown;
      String operation = terms.operation();
      fail(Failure.found(operation, RendezvousErrors.notTold(operation, original), false));
    }
    return null;
  }

  /** The same with their racks; a machine of several names is in one rack. */
  private static List<Wire.Member> placed(
      List<Wire.Member> ranks, Map<String, String> racksOfHosts) {
    Map<String, String> ofNode = new HashMap<>();
    List<Wire.Member> placed = new ArrayList<>();
    for (Wire.Member member : ranks) {
      String rack = racksOfHosts.getOrDefault(member.host(), "");
      String known = ofNode.putIfAbsent(member.node(), rack);
      placed.add(member.in(known == null ? rack : known));
    }
    return placed;
  }

  /** Lets ranks come again that need links and do not listen yet; false if there are none. */
  private boolean summoned(List<Arrival> all) {
    byte[] listen = Wire.encode(new Wire.Listen());
    boolean any = false;
    summoned = new boolean[takes.length];
    for (int rank = 0; rank < takes.length; rank++) {
      if (takes[rank] && !all.get(rank).member().listens()) {
        arrivals[rank] = null;
        arrived--;
        summoned[rank] = true;
        all.get(rank).reply(listen);
        any = true;
      }
    }
    if (any) {
      alarm(this::checkSummoned, terms.timeout().toMillis());
    }
    return any;
  }

  /** Tells every rank who takes part, and of each process that does not know them one rank all. */
  private void tell(List<Arrival> all, Members members) {
    boolean sparse = Shapes.sparse(shapes(all));
    byte[] encoded = members.encode();
    byte[] idle = Wire.encode(new Wire.Idle());
    Set<String> processes = new HashSet<>();
    int rank = 0;
    for (int i = 0; i < takes.length; i++) {
      Arrival arrival = all.get(i);
      if (!takes[i]) {
        arrival.reply(idle);
        told = i + 1;
        continue;
      }
      Wire.Member member = members.member(rank);
      if (!member.rack().isEmpty()) {
        attendance.takesPart(i, member);
      }
      boolean knows = arrival.join().knows() == members.version();
      boolean first = !knows && processes.add(arrival.member().endpoint());
      Wire.Joined reply =
          new Wire.Joined(
              salt, rank++, members.version(), first ? encoded : null, sparse, encryption);
      arrival.reply(Wire.encode(reply));
      told = i + 1;
    }
  }

  /**
   * Gives all operands to a rank, where all who take part have sent theirs, and wait or have all
   * left: then the driver has them with the tasks' results. False if not.
   */
  private boolean gathered(List<Arrival> all) {
    List<byte[]> operands = operands(all);
    long waiting =
        IntStream.range(0, takes.length)
            .filter(rank -> takes[rank] && all.get(rank).context() != null)
            .count();
    if (operands.isEmpty() || (waiting > 0 && waiting < operands.size())) {
      return false;
    }
    attendance.gather();
    boolean combined = false;
    for (int rank = 0; rank < takes.length; rank++) {
      Arrival arrival = all.get(rank);
      boolean combines = !combined && takes[rank] && arrival.context() != null;
      combined |= combines;
      arrival.reply(Wire.encode(combines ? new Wire.Gathered(operands) : new Wire.Idle()));
    }
    return true;
  }

  /** The small operands of all who take part, in rank order; empty if one has not sent its own. */
  private List<byte[]> operands(List<Arrival> all) {
    List<byte[]> operands = new ArrayList<>();
    for (int rank = 0; rank < takes.length; rank++) {
      byte[] operand = all.get(rank).join().operand();
      if (takes[rank] && operand == null) {
        return List.of();
      } else if (takes[rank]) {
        operands.add(operand);
      }
    }
    return operands;
  }

  private boolean[] admit(List<Arrival> all) {
    boolean[] admittedOf = new boolean[all.size()];
    Set<String> processes = new HashSet<>();
    for (int i = 0; i < admittedOf.length; i++) {
      Arrival arrival = all.get(i);
      admittedOf[i] =
          switch (terms.admission()) {
            case ALL -> true;
            case WITH_VECTOR -> arrival.shapes() != null && !arrival.shapes().isEmpty();
            case ONE_PER_PROCESS -> processes.add(arrival.member().endpoint());
          };
    }
    return admittedOf;
  }

  /** What those who have arrived bring. */
  private static List<Shape> shapes(List<Arrival> all) {
    List<Shape> shapes = new ArrayList<>();
    for (Arrival arrival : all) {
      if (arrival.shapes() != null) {
        shapes.addAll(arrival.shapes());
      }
    }
    return shapes;
  }

  // ---- failing

  private void failed(Wire.Failed failed) {
    Failure told = Failure.told(terms.operation(), failed);
    tellers.add(failed.rank());
    switch (failed.severity()) {
      case CAUSE -> fail(told);
      case DEADLINE -> {
        if (late == null) {
          late = told;
          alarm(this::settleLate, LATE_MILLIS);
        }
      }
      case INPUT_LOST -> {
        if (inputLost == null) {
          inputLost = told;
          alarm(this::settleInput, CONSEQUENCE_MILLIS);
        }
      }
      case MAYBE_CONSEQUENCE -> {
        if (maybe == null) {
          maybe = told;
          alarm(this::settle, CONSEQUENCE_MILLIS);
        }
      }
    }
  }

  private void called(Wire.Called called) {
    for (CommunicatorOptions.Call call : called.calls()) {
      InvalidInputException differs =
          agreement.add(
              call.communicator(), call.number(), call.fingerprint(), call.rank(), call.what());
      if (differs != null) {
        fail(Failure.found(terms.operation(), differs, false));
      }
    }
  }

  /** A rank listens; what it does others want to know if it was asked. */
  private void watch(Wire.Watch watch, RpcCallContext context) {
    if (!rollCall.watch(watch, context)) {
      return;
    }
    Arrival arrival = arrivals[watch.rank()];
    String who = arrival == null ? "rank " + watch.rank() : name(watch.rank(), arrival.member());
    Duration computes = Duration.ofNanos(watch.computingNanos());
    Duration limit = terms.computeTimeout();
    if (limit.isZero() || computes.compareTo(limit) < 0) {
      LOG.info(
          "{}: {} has computed for {} s while other ranks wait for it; they wait on",
          terms.operation(),
          who,
          computes.toSeconds());
    } else {
      fail(
          Failure.found(
              who, RendezvousErrors.computesTooLong(terms.operation(), who, limit), false));
    }
  }

  private synchronized void endRollCall() {
    rollCall.end();
  }

  private synchronized void settleLate() {
    Failure deadline = late;
    if (deadline == null || over) {
      return;
    }
    List<String> silent = new ArrayList<>();
    for (int rank = 0; rank < arrivals.length; rank++) {
      Arrival arrival = arrivals[rank];
      if (arrival != null && rank < takes.length && takes[rank] && !tellers.contains(rank)) {
        String who = name(rank, arrival.member());
        silent.add(returned.contains(rank) ? who + ", which has returned" : who);
      }
    }
    fail(deadline.waitingFor(terms.operation(), silent));
  }

  /**
   * Ends the attempt if Spark has not done so: what it hears last of a job it does not listen to,
   * and the others' ends, as a consequence, would be what it hears first.
   */
  private synchronized void settleInput() {
    Failure lost = inputLost;
    if (lost != null && !over) {
      fail(lost);
    }
  }

  private synchronized void settle() {
    Failure broken = maybe;
    if (broken != null && late == null && inputLost == null && !over) {
      fail(orReturned(broken));
    }
  }

  /** What a broken connection means: nothing broke if the rank at its other end has returned. */
  private Failure orReturned(Failure broken) {
    for (int rank : returned) {
      Arrival arrival = arrivals[rank];
      String who = arrival == null ? "" : name(rank, arrival.member());
      if (arrival != null && broken.text().contains(who)) {
        return Failure.found(
            who, RendezvousErrors.rankReturned(terms.operation(), who, broken.text()), false);
      }
    }
    return broken;
  }

  private void fail(Failure cause) {
    if (failure != null) {
      return;
    }
    failure = cause;
    answerAll(Wire.encode(new Wire.Aborted(cause.where(), cause.text())));
    notifyAll();
  }

  private void answerAll(byte[] reply) {
    rollCall.tell(reply);
    held.forEach(reporter -> reporter.reply(Wire.encode(new Wire.Over())));
    held.clear();
    if (!answered) {
      answered = true;
      for (int rank = told; rank < arrivals.length; rank++) {
        Arrival arrival = arrivals[rank];
        if (arrival != null) {
          abort(arrival, reply);
        }
      }
    }
  }

  /** Answers a rank; that it cannot be answered keeps no answer from others. */
  private void abort(Arrival arrival, byte[] reply) {
    try {
      arrival.reply(reply);
    } catch (RuntimeException e) {
      LOG.debug("{}: {} cannot be answered", terms.operation(), arrival.member().label(), e);
    }
  }

  private static String name(int rank, Wire.Member member) {
    return "rank " + rank + " on " + member.host() + " (" + member.label() + ")";
  }
}
