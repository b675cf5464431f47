package org.sparkcollectives.internal.calibrate;

import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.function.Consumer;
import java.util.function.IntToDoubleFunction;
import org.sparkcollectives.Communicator;
import org.sparkcollectives.internal.text.Counted;
import org.sparkcollectives.internal.transport.Roster;
import org.sparkcollectives.schedule.Level;

/**
 * How many connections two ranks should have to each other: twice as many as long as that makes
 * long messages faster by a fifth. Where one connection fills a network card, one; on networks that
 * give each a part of a card's rate, as many as there are parts, or up to twice that.
 */
public final class ConnectionSearch {
  /** By how much long messages have to become faster for twice as many connections. */
  static final double LEAST_GAIN = 1.2;

  /** Long enough for the stripes of many connections, and for α not to count. */
  private static final long BYTES = 4 << 20;

  /** Short enough to be sent often, before the long ones are. */
  private static final long WARM_UP_BYTES = 128 << 10;

  private static final int WARM_UPS = 500;

  private static final Duration BUDGET = Duration.ofMillis(1500);

  private ConnectionSearch() {}

  /**
   * Searches; where ranks do it together, all have to be given the same times.
   *
   * @param nanosPerByte of a number of connections, the time of a byte of a long message; NaN where
   *     no two ranks are on different hosts
   * @param progress is told each number of connections and its time; a line each
   * @return a power of two, at most {@link Roster#MOST_CONNECTIONS}
   */
  public static int search(IntToDoubleFunction nanosPerByte, Consumer<String> progress) {
    double least = nanosPerByte.applyAsDouble(1);
    if (Double.isNaN(least)) {
      return 1;
    }
    progress.accept(text(1, least));
    for (int count = 2; count <= Roster.MOST_CONNECTIONS; count *= 2) {
      double nanos = nanosPerByte.applyAsDouble(count);
      progress.accept(text(count, nanos));
      if (nanos * LEAST_GAIN <= least) { // or the machines were busy before
        least = Math.min(least, nanosPerByte.applyAsDouble(count / 2));
      }
      if (!(nanos * LEAST_GAIN <= least)) {
        return count / 2;
      }
      least = nanos;
    }
    return Roster.MOST_CONNECTIONS;
  }

  private static String text(int connections, double nanos) {
    return String.format(
        Locale.ROOT,
        "%s between two ranks: %.3f ns per byte",
        Counted.of(connections, "connection"),
        nanos);
  }

  /**
   * Measures long messages between hosts; all ranks call it, and all get the same.
   *
   * @param communicator this rank's
   * @return the time of a byte, in nanoseconds, or NaN where all ranks are on one host
   */
  public static double nanosPerByte(Communicator communicator) {
    List<LevelGroups> levels = LevelGroups.of(communicator.topology(), communicator.size());
    return levels.stream()
        .filter(groups -> groups.level() == Level.NETWORK)
        .mapToDouble(
            groups -> {
              Stopwatch stopwatch = new Stopwatch(communicator, WARM_UPS, BUDGET, System::nanoTime);
              stopwatch.warmUp(Trial.pingPong(groups, WARM_UP_BYTES));
              Trial trial = Trial.pingPong(groups, BYTES);
              return LevelFit.median(stopwatch.ofFew(trial)) / 2 / BYTES;
            })
        .findAny()
        .orElse(Double.NaN);
  }
}
