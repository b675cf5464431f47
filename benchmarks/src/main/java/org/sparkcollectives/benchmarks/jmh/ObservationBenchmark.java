package org.sparkcollectives.benchmarks.jmh;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import jdk.jfr.Recording;
import org.apache.spark.util.JsonProtocol;
import org.jspecify.annotations.Nullable;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.TearDown;
import org.openjdk.jmh.annotations.Warmup;
import org.sparkcollectives.internal.observe.FlightRecording;
import org.sparkcollectives.internal.observe.OperationEvent;
import org.sparkcollectives.internal.observe.OperationSum;
import org.sparkcollectives.internal.observe.OperationTotals;
import org.sparkcollectives.internal.observe.RankOperations;
import org.sparkcollectives.schedule.Collective;
import org.sparkcollectives.schedule.Problem;
import org.sparkcollectives.select.Policy;
import org.sparkcollectives.spark.internal.events.CallEvent;
import org.sparkcollectives.spark.internal.events.CallRecord;
import org.sparkcollectives.spark.internal.events.Naming;
import org.sparkcollectives.spark.internal.rendezvous.Attendance;
import org.sparkcollectives.spark.internal.rendezvous.Gatherings;
import org.sparkcollectives.spark.internal.rendezvous.RankReport;

/**
 * What it takes to be observed: of each operation its event for Flight Recorder and its counters,
 * and of each call on an RDD what the driver gathers for Spark's UI.
 */
@State(Scope.Thread)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@Fork(1)
@Warmup(iterations = 3, time = 1)
@Measurement(iterations = 5, time = 1)
public class ObservationBenchmark {
  private static final int RANKS = 4;
  private static final long BYTES = 8 << 20;
  private static final String ALGORITHM = "two-tree";
  private static final Problem PROBLEM = new Problem(Collective.ALLREDUCE, RANKS, 0, 64, false);

  private final RankOperations operations = new RankOperations(new OperationTotals());
  private final List<byte[]> reports = new ArrayList<>();

  /** Made by JMH. */
  public ObservationBenchmark() {}

  /** Flight Recorder, which records the events of operations, or does not run. */
  @State(Scope.Benchmark)
  public static class Recorder {
    /** Whether it records. */
    @Param({"off", "on"})
    public String recorder = "off";

    private @Nullable Recording recording;

    /** Made by JMH. */
    public Recorder() {}

    /** Begins to record. */
    @Setup
    public void start() {
      if (recorder.equals("on")) {
        Recording begun = new Recording();
        begun.enable(OperationEvent.class).withoutThreshold();
        begun.start();
        recording = begun;
      }
    }

    /** Ends the recording, and forgets it. */
    @TearDown
    public void stop() {
      if (recording != null) {
        recording.close();
      }
    }
  }

  /** Makes what the ranks of a call tell. */
  @Setup
  public void prepare() {
    OperationSum sum =
        new OperationSum(
            Collective.ALLREDUCE, ALGORITHM, 1, BYTES, 5_000_000, 5_000_000, BYTES, 64, false);
    for (int rank = 0; rank < RANKS; rank++) {
      reports.add(
          new RankReport(
                  1_000_000, 2_000_000, 6_000_000, 500_000, BYTES, BYTES, List.of(sum), false, null)
              .encode());
    }
  }

  /**
   * The event of an operation.
   *
   * @param recorder whether it is recorded
   */
  @Benchmark
  public void event(Recorder recorder) {
    OperationEvent event = FlightRecording.begin();
    if (event != null) {
      event.done(PROBLEM, ALGORITHM, 0, BYTES, BYTES, true);
    }
  }

  /**
   * The counters of an operation.
   *
   * @return them
   */
  @Benchmark
  public RankOperations counters() {
    long start = System.nanoTime();
    operations.enter();
    long end = System.nanoTime();
    operations.leave(end);
    operations.traffic(BYTES, BYTES, 1000);
    operations.add(PROBLEM, ALGORITHM, BYTES, end - start);
    return operations;
  }

  /**
   * What the driver gathers of a call.
   *
   * @return the call's event
   */
  @Benchmark
  public CallEvent call() {
    CallRecord record = new CallRecord(7, "allReduce", "allReduce at App.java:12", "");
    Attendance attendance = Gatherings.of(RANKS, RANKS, 3);
    record.attempt(0, RANKS, attendance);
    record.jobs(List.of(41));
    List<RankReport> told = reports.stream().map(RankReport::decode).toList();
    record.attemptSucceeded(attendance, told, Policy.DEFAULT, Naming.CALL);
    return record.ended(null);
  }

  /**
   * The same as the event log's thread writes it.
   *
   * @return JSON
   */
  @Benchmark
  public String logged() {
    return JsonProtocol.sparkEventToJsonString(call());
  }
}
