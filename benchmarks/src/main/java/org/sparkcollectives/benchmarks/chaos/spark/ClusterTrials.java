package org.sparkcollectives.benchmarks.chaos.spark;

import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.regex.Pattern;
import java.util.stream.IntStream;
import org.apache.spark.SparkConf;
import org.apache.spark.api.java.JavaSparkContext;
import org.jspecify.annotations.Nullable;
import org.sparkcollectives.benchmarks.chaos.ApplicationState;
import org.sparkcollectives.benchmarks.chaos.Held;
import org.sparkcollectives.benchmarks.chaos.Outcome;
import org.sparkcollectives.benchmarks.chaos.Polling;
import org.sparkcollectives.benchmarks.chaos.Workload;
import org.sparkcollectives.error.CollectiveException;
import org.sparkcollectives.spark.internal.rendezvous.DriverEndpoint;
import org.sparkcollectives.testing.StandaloneCluster;

/**
 * Runs faults one after the other in one application on a cluster of its own: executors of one core
 * on workers of two, each with an address of its own, of which one can be lost without the others
 * lacking room.
 */
final class ClusterTrials implements AutoCloseable {
  private static final int CORES_OF_WORKER = 2;
  private static final int EXECUTOR_MIB = 512;
  private static final Duration SLOTS = Duration.ofMinutes(1);
  private static final Duration GRACE = Duration.ofSeconds(1);
  private static final Duration NEXT = Duration.ofMinutes(2);
  private static final Duration RETURN = Duration.ofMinutes(3);
  private static final Duration QUIET = Duration.ofSeconds(20);
  private static final int SETTLE_SECONDS = 20;
  private static final int LOOK_MILLIS = 20;
  private static final int HEAP_MIB = 64;
  private static final int COUNT = 24;
  private static final int CAUSES = 20;

  /** How many faults later an executor has all the threads that Spark begins one by one. */
  private static final int WARM = 4;

  /** The share of a call's usual time within which faults happen. */
  private static final double STRUCK_SHARE = 0.85;

  private final int executors;
  private final int workers;
  private final Duration timeout;
  private final double slack;
  private final StandaloneCluster cluster;
  private final JavaSparkContext context;
  private final ApplicationState state;
  private final Tasks tasks = new Tasks();
  private final Map<ClusterCall, Long> usualNanos = new EnumMap<>(ClusterCall.class);
  private final Map<Long, Sight> executorsSeen = new HashMap<>();
  private @Nullable Held driverBefore;
  private int blocksBefore;

  /**
   * Starts cluster and application.
   *
   * @param executors how many
   * @param timeout how long a rank may wait for others
   * @param slack by what the time that a failure may take is multiplied
   * @param logs folder of the cluster's logs
   */
  ClusterTrials(int executors, Duration timeout, double slack, Path logs) {
    this.executors = executors;
    this.workers = (executors + CORES_OF_WORKER - 1) / CORES_OF_WORKER + 1;
    this.timeout = timeout;
    this.slack = slack;
    List<StandaloneCluster.Host> hosts =
        IntStream.rangeClosed(1, workers)
            .mapToObj(i -> new StandaloneCluster.Host("127.0.0." + i, List.of()))
            .toList();
    this.cluster =
        StandaloneCluster.start(
            logs,
            StandaloneCluster.Host.LOOPBACK,
            hosts,
            CORES_OF_WORKER,
            CORES_OF_WORKER * EXECUTOR_MIB);
    boolean started = false;
    try {
      SparkConf conf =
          cluster
              .conf("chaos", executors, 1, EXECUTOR_MIB + "m")
              .set("spark.decommission.enabled", "true")
              .set("spark.speculation", "true")
              .set("spark.speculation.multiplier", "1.5")
              .set("spark.speculation.quantile", "0.5")
              .set("spark.collectives.timeout", timeout.toMillis() + "ms")
              .set("spark.collectives.slots.timeout", SLOTS.toSeconds() + "s");
      this.context = new JavaSparkContext(conf);
      context.sc().addSparkListener(tasks);
      this.state = new ApplicationState(context, executors);
      started = true;
    } finally {
      if (!started) {
        cluster.close();
      }
    }
  }

  /** How often an executor was seen while it was new, and what it held the last time. */
  private record Sight(int times, Held held) {}

  /** Makes each call without a fault, until all that they load is there. */
  void warmUp() throws IOException {
    for (int round = 0; round < 2; round++) {
      for (ClusterCall call : ClusterCall.values()) {
        RunningCall running = RunningCall.begin(context, call, input(call, round));
        if (!running.await(RETURN.toNanos()) || running.failure() != null) {
          throw new IOException(call.slug() + " fails without a fault", running.failure());
        }
        usualNanos.put(call, running.nanos());
      }
    }
    for (Map.Entry<Long, Held> each : state.executors().entrySet()) {
      executorsSeen.put(each.getKey(), new Sight(WARM, each.getValue()));
    }
    blocksBefore = state.settledBlocks(0, SETTLE_SECONDS).size();
    driverBefore = Held.here();
  }

  private ClusterInput input(ClusterCall call, long seed) {
    return new ClusterInput(context, executors, call.exactly(), seed);
  }

  /** Makes a fault happen, and looks what comes of it. */
  Outcome run(ClusterFault fault) throws IOException {
    List<String> complaints = new ArrayList<>();
    ClusterInput input = input(fault.call(), fault.work());
    if (fault.kind() == ClusterKind.SPECULATION) {
      input.withStraggler(fault.victim());
    }
    ClusterInjector injector = new ClusterInjector(context, cluster, workers, tasks, fault);
    RunningCall call = RunningCall.begin(context, fault.call(), input);
    long usual = usualNanos.getOrDefault(fault.call(), 0L);
    boolean struck = injector.strike(call, (long) (fault.share() * STRUCK_SHARE * usual));
    if (!call.await(limitNanos(fault.kind(), usual))) {
      complaints.add("the call has not ended in time; its thread is at " + call.place());
      context.cancelJobGroup(call.group());
      call.interrupt();
      call.await(RETURN.toNanos());
    }
    boolean happened = injector.happened(struck);
    Throwable failure = call.failure();
    if (!happened) {
      usualNanos.merge(fault.call(), call.nanos(), Math::min);
    }
    judge(fault, happened, call, failure, complaints);
    next(fault, complaints);
    long recovered = System.nanoTime() - injector.hitNanos();
    injector.repair();
    awaitExecutors(complaints);
    leftovers(complaints);
    return new Outcome(
        fault,
        failure != null ? Outcome.End.FAILED : happened ? Outcome.End.RIGHT : Outcome.End.MISSED,
        happened ? TimeUnit.NANOSECONDS.toMillis(recovered) : 0,
        failure == null ? "" : text(failure),
        complaints);
  }

  /** Until when a call is to be right, or to have failed. */
  private long limitNanos(ClusterKind kind, long usual) {
    Duration limit = timeout.plus(GRACE);
    if (kind.losesExecutors()) {
      limit = limit.plus(SLOTS);
    }
    return (long) (slack * (limit.toNanos() + usual));
  }

  private static void judge(
      ClusterFault fault,
      boolean happened,
      RunningCall call,
      @Nullable Throwable failure,
      List<String> complaints) {
    if (failure == null) {
      return;
    }
    String text = text(failure);
    if (text.contains(Workload.WrongResult.class.getName())) {
      complaints.add("it is wrong");
    } else if (!happened) {
      complaints.add("it failed although nothing happened");
    } else if (!fault.kind().mayFail(call.isReading())) {
      complaints.add("it failed, which it need not");
    } else if (!call.isReading() && !(failure instanceof CollectiveException)) {
      complaints.add("it failed without a clear exception");
    } else if (!Pattern.compile(fault.kind().cause(), Pattern.CASE_INSENSITIVE)
        .matcher(call.isReading() ? text : String.valueOf(failure.getMessage()))
        .find()) {
      complaints.add("its error does not name the cause");
    }
  }

  /** The next calls are right, with what is left of the cluster. */
  private void next(ClusterFault fault, List<String> complaints) throws IOException {
    for (ClusterCall kind : List.of(ClusterCall.ALL_REDUCE, ClusterCall.COLLECTIVELY)) {
      RunningCall call = RunningCall.begin(context, kind, input(kind, ~fault.work()));
      if (!call.await(NEXT.toNanos())) {
        complaints.add("the next call has not ended; its thread is at " + call.place());
        call.interrupt();
        call.await(RETURN.toNanos());
      } else if (call.failure() != null) {
        complaints.add("the next call: " + text(call.failure()));
      }
    }
  }

  private void awaitExecutors(List<String> complaints) throws IOException {
    boolean all =
        Polling.until(
            RETURN,
            LOOK_MILLIS,
            () -> context.sc().getExecutorMemoryStatus().size() > executors); // and driver
    if (!all) {
      complaints.add("only some executors have come back");
    }
  }

  /** What is left when all have ended. */
  private void leftovers(List<String> complaints) throws IOException {
    boolean quiet =
        Polling.until(
            QUIET,
            LOOK_MILLIS,
            () ->
                context.statusTracker().getActiveJobIds().length == 0
                    && DriverEndpoint.openAttempts() == 0
                    && tasks.ids().length == 0);
    if (!quiet) {
      complaints.add(
          "%d jobs, %d attempts and %d tasks are left"
              .formatted(
                  context.statusTracker().getActiveJobIds().length,
                  DriverEndpoint.openAttempts(),
                  tasks.ids().length));
    }
    for (Map.Entry<Long, Held> each : state.executors().entrySet()) {
      Sight last = executorsSeen.getOrDefault(each.getKey(), new Sight(0, each.getValue()));
      if (last.times() == WARM) {
        note("executor " + each.getKey(), last.held(), each.getValue(), complaints);
      } else {
        executorsSeen.put(each.getKey(), new Sight(last.times() + 1, each.getValue()));
      }
    }
    List<String> blocks = state.settledBlocks(blocksBefore, SETTLE_SECONDS);
    if (blocks.size() > blocksBefore) {
      complaints.add(blocksBefore + " blocks became " + blocks.size() + ": " + blocks);
    }
    Held before = driverBefore;
    if (before != null) {
      note("the driver", before, Held.here(), complaints);
    }
  }

  private static void note(String who, Held before, Held now, List<String> complaints) {
    now.growthSince(before, HEAP_MIB, COUNT).forEach(g -> complaints.add(who + ": " + g));
  }

  /** A failure and its causes, in one line. */
  private static String text(Throwable failure) {
    StringBuilder text = new StringBuilder(failure.toString());
    Throwable cause = failure.getCause();
    for (int depth = 0; cause != null && depth < CAUSES; depth++) {
      text.append(" / ").append(cause);
      cause = cause.getCause();
    }
    return text.toString().replace('\n', ' ');
  }

  @Override
  public void close() {
    context.close();
    cluster.close();
  }
}
