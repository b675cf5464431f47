package org.sparkcollectives.internal.calibrate;

import java.time.Duration;
import java.util.Arrays;
import java.util.concurrent.locks.LockSupport;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;
import org.sparkcollectives.Communicator;
import org.sparkcollectives.schedule.Schedule;
import org.sparkcollectives.vector.ReduceOp;

/**
 * Measured trials as operations are used: each after a pause, so that network cards and processors
 * find what they find between operations, and after a barrier of all ranks. Ranks leave a barrier
 * apart, by messages between the farthest of them; so every trial is done twice, and the first one,
 * which is not timed, lets the ranks of a group meet. Every rank measures by its own clock; the
 * slowest rank's time is that of a collective, and each rank's that of a ping-pong. How often a
 * trial is done depends on times that all ranks know alike.
 */
final class Stopwatch implements Timing {
  /** Before a trial: idle network cards may send a burst, and each trial shall find it. */
  private static final long PAUSE_NANOS = 1_000_000;

  /** How often a trial is done at least, and how many times as often then, if time allows. */
  private static final int LEAST = 2;

  private static final int MORE = 5;

  private static final int MANY = 100;
  private static final int FEW = 10;

  /** How many times as long a warm-up may take as many trials, and as a few. */
  private static final int OVER_MANY = 4;

  private static final int OVER_FEW = 6;

  /** So many elements are combined at once, in a vector of so many times that. */
  private static final int COMBINED = 2 << 10;

  private static final int PIECES = 8;

  private static final int COMBINATIONS = 200;
  private static final int COMBINING_TIMES = 50;

  private final Communicator communicator;
  private final int warmUps;
  private final long budgetNanos;
  private final LongSupplier clock;

  /**
   * A stopwatch that all ranks hold.
   *
   * @param communicator this rank's
   * @param warmUps how often a trial is done at most until it is as fast as it gets
   * @param budget how long that may take; other repetitions get a part of it
   * @param clock this rank's, in nanoseconds
   */
  Stopwatch(Communicator communicator, int warmUps, Duration budget, LongSupplier clock) {
    this.communicator = communicator;
    this.warmUps = warmUps;
    this.budgetNanos = budget.toNanos();
    this.clock = clock;
  }

  @Override
  public void warmUp(Trial trial) {
    nanos(trial, warmUps, budgetNanos);
  }

  @Override
  public double[] ofMany(Trial trial) {
    return nanos(trial, MANY, budgetNanos / OVER_MANY).slowest();
  }

  @Override
  public double[] ofFew(Trial trial) {
    return eachRank(nanos(trial, FEW, budgetNanos / OVER_FEW).own());
  }

  /** The medians of all ranks that have times. */
  private double[] eachRank(double[] own) {
    double[] median = {LevelFit.median(own)};
    return Arrays.stream(communicator.allGather(median)).filter(nanos -> nanos > 0).toArray();
  }

  /**
   * The times of a trial.
   *
   * @param own this rank's, 0 where it rests
   * @param slowest the slowest rank's, the same on all ranks
   */
  @SuppressWarnings("ArrayRecordComponent") // never compared
  private record Measured(double[] own, double[] slowest) {}

  private Measured nanos(Trial trial, int most, long budget) {
    Schedule schedule = trial.schedule(communicator.rank());
    boolean concerned = !schedule.rounds().isEmpty();
    double[] vector = trial.vector();
    double[] own = new double[most];
    double[] slowest = new double[most];
    int done = 0;
    long spent = 0;
    int next = Math.min(most, LEAST);
    while (next > 0) {
      // The ranks' times, and how long all of this took.
      double[] batch = new double[next + 1];
      long begin = clock.getAsLong();
      for (int i = 0; i < next; i++) {
        double nanos = once(schedule, vector, trial.op());
        batch[i] = concerned ? nanos : 0;
      }
      batch[next] = clock.getAsLong() - begin;
      System.arraycopy(batch, 0, own, done, next);
      communicator.allReduce(batch, ReduceOp.MAX);
      System.arraycopy(batch, 0, slowest, done, next);
      done += next;
      spent += (long) batch[next];
      long affordable = (budget - spent) * done / Math.max(1, spent);
      next = (int) Math.max(0, Math.min(Math.min(most - done, MORE * done), affordable));
    }
    return new Measured(Arrays.copyOf(own, done), Arrays.copyOf(slowest, done));
  }

  private double once(Schedule schedule, double[] vector, @Nullable ReduceOp<Object> op) {
    LockSupport.parkNanos(PAUSE_NANOS);
    communicator.barrier();
    communicator.run(schedule, vector, op);
    long start = clock.getAsLong();
    communicator.run(schedule, vector, op);
    return clock.getAsLong() - start;
  }

  /**
   * The median over the ranks of each one's least time, in which nothing came between. Pieces are
   * combined as the engine does with a long vector: with operands that begin at different indexes.
   */
  @Override
  public double combiningNanosPerByte() {
    double[] vector = new double[PIECES * COMBINED];
    double[] piece = new double[COMBINED];
    double least = Double.POSITIVE_INFINITY;
    for (int i = 0; i < COMBINING_TIMES; i++) {
      long start = clock.getAsLong();
      for (int run = 0; run < COMBINATIONS; run++) {
        int at = run % PIECES * COMBINED;
        ReduceOp.SUM.combine(vector, at, piece, 0, vector, at, COMBINED);
      }
      least = Math.min(least, (double) (clock.getAsLong() - start));
    }
    double[] own = {least / COMBINATIONS / COMBINED / Double.BYTES};
    return LevelFit.median(communicator.allGather(own));
  }
}
