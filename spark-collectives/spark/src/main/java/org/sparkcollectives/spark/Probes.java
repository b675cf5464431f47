package org.sparkcollectives.spark;

import java.io.Serial;
import java.io.Serializable;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.sparkcollectives.Communicator;
import org.sparkcollectives.schedule.BlockRange;
import org.sparkcollectives.schedule.Collective;
import org.sparkcollectives.schedule.Level;
import org.sparkcollectives.schedule.Problem;
import org.sparkcollectives.schedule.Receive;
import org.sparkcollectives.schedule.Round;
import org.sparkcollectives.schedule.Schedule;
import org.sparkcollectives.schedule.Send;
import org.sparkcollectives.vector.ReduceOp;

/**
 * Measures messages between two ranks of each level that a communicator has, by schedules of their
 * own: ping-pong, and streams of short messages in one direction.
 */
final class Probes {
  private static final int[] BYTES = {8, 256, 4 << 10, 32 << 10, 256 << 10, 2 << 20};
  private static final int STREAM = 2000;
  private static final int REPEATS = 9;
  private static final long BYTES_PER_REPEAT = 8L << 20;
  private static final int MOST_ROUND_TRIPS = 100;
  private static final int COMBINED = 4 << 10;

  private Probes() {}

  /** What was measured. */
  enum Kind {
    /** One message of a ping-pong. */
    MESSAGE,
    /** One short message of a stream. */
    STREAMED,
    /** Combining, per run of elements. */
    COMBINING
  }

  /**
   * A measured time.
   *
   * @param kind what was measured
   * @param level how far apart the ranks were
   * @param bytes the payload
   * @param nanos the median time
   */
  record Sample(Kind kind, Level level, int bytes, double nanos) implements Serializable {
    @Serial private static final long serialVersionUID = 1L;
  }

  /** Measures; all ranks call it. */
  static List<Sample> run(Communicator communicator) {
    List<Sample> samples = new ArrayList<>();
    for (Level level : Level.values()) {
      int[] pair = pair(communicator, level);
      if (pair.length > 0) {
        for (int bytes : BYTES) {
          int trips = (int) Math.min(MOST_ROUND_TRIPS, Math.max(2, BYTES_PER_REPEAT / bytes));
          Schedule schedule = pingPong(communicator, pair, trips);
          double nanos = time(communicator, schedule, new byte[bytes]) / (2.0 * trips);
          add(samples, communicator, pair, new Sample(Kind.MESSAGE, level, bytes, nanos));
        }
        Schedule stream = stream(communicator, pair);
        double nanos = time(communicator, stream, new byte[STREAM * Double.BYTES]) / STREAM;
        add(samples, communicator, pair, new Sample(Kind.STREAMED, level, Double.BYTES, nanos));
      }
    }
    if (communicator.rank() == 0) {
      samples.add(new Sample(Kind.COMBINING, Level.PROCESS, COMBINED * Double.BYTES, combining()));
    }
    return samples;
  }

  private static void add(
      List<Sample> samples, Communicator communicator, int[] pair, Sample sample) {
    if (communicator.rank() == pair[0]) {
      samples.add(sample);
    }
  }

  /** The first two ranks of a level, or none. */
  private static int[] pair(Communicator communicator, Level level) {
    for (int rank = 0; rank < communicator.size(); rank++) {
      for (int other = rank + 1; other < communicator.size(); other++) {
        if (level(communicator, rank, other) == level) {
          return new int[] {rank, other};
        }
      }
    }
    return new int[0];
  }

  private static Level level(Communicator communicator, int rank, int other) {
    return communicator.topology().isFlat()
        ? Level.NETWORK
        : communicator.topology().level(rank, other);
  }

  private static Schedule pingPong(Communicator communicator, int[] pair, int trips) {
    BlockRange block = BlockRange.of(0);
    int rank = communicator.rank();
    List<Round> rounds = new ArrayList<>();
    for (int i = 0; i < 2 * trips; i++) {
      int from = pair[i % 2];
      int to = pair[1 - i % 2];
      rounds.add(message(rank, from, to, block));
    }
    return schedule(communicator, "ping-pong", 1, rounds);
  }

  private static Schedule stream(Communicator communicator, int[] pair) {
    int rank = communicator.rank();
    List<Round> rounds = new ArrayList<>();
    for (int i = 0; i < STREAM; i++) {
      rounds.add(message(rank, pair[0], pair[1], BlockRange.of(i)));
    }
    rounds.add(message(rank, pair[1], pair[0], BlockRange.of(STREAM - 1)));
    return schedule(communicator, "stream", STREAM, rounds);
  }

  private static Round message(int rank, int from, int to, BlockRange block) {
    Send send = rank == from ? new Send(to, 0, block) : null;
    Receive receive = rank == to ? new Receive(from, 0, block) : null;
    return new Round(send, receive, List.of());
  }

  private static Schedule schedule(
      Communicator communicator, String name, int blocks, List<Round> rounds) {
    Problem problem = new Problem(Collective.BROADCAST, communicator.size(), 0, blocks, false);
    BlockRange all = new BlockRange(0, blocks);
    return new Schedule(problem, name, communicator.rank(), all, rounds);
  }

  private static double time(Communicator communicator, Schedule schedule, byte[] vector) {
    double[] times = new double[REPEATS];
    communicator.run(schedule, vector, null);
    for (int i = 0; i < REPEATS; i++) {
      communicator.barrier();
      long start = System.nanoTime();
      communicator.run(schedule, vector, null);
      times[i] = System.nanoTime() - start;
    }
    return median(times);
  }

  private static double combining() {
    double[] left = new double[COMBINED];
    double[] right = new double[COMBINED];
    double[] times = new double[REPEATS];
    int runs = 2000;
    for (int i = 0; i < REPEATS; i++) {
      long start = System.nanoTime();
      for (int run = 0; run < runs; run++) {
        ReduceOp.SUM.combine(left, 0, right, 0, left, 0, COMBINED);
      }
      times[i] = (double) (System.nanoTime() - start) / runs;
    }
    return median(times);
  }

  private static double median(double[] times) {
    Arrays.sort(times);
    return times[times.length / 2];
  }
}
