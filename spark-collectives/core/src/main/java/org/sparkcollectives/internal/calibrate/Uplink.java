package org.sparkcollectives.internal.calibrate;

import java.util.Arrays;
import java.util.Locale;
import java.util.function.Consumer;
import org.sparkcollectives.schedule.Topology;

/**
 * What the uplink of a rack carries, by long messages from hosts of one rack to as many of another
 * one at the same time, beside one such message alone. Of uplinks that carry more than the hosts of
 * the smaller of both racks can send nothing can be known.
 */
final class Uplink {
  /** Long enough for α not to count. */
  private static final long BYTES = 4 << 20;

  /** By how much longer messages of several hosts take than one alone where they are limited. */
  private static final double LEAST_LOSS = 1.2;

  private Uplink() {}

  /**
   * Measures.
   *
   * @param topology which hosts share a rack; of several racks
   * @param size p, the number of ranks
   * @param timing tells how long trials take
   * @param progress is told the result, a line
   * @return β of the uplink in nanoseconds per byte, or 0 where several hosts at once are hardly
   *     slower than one, or no two racks have several
   */
  static double nanosPerByte(
      Topology topology, int size, Timing timing, Consumer<String> progress) {
    LevelGroups all = LevelGroups.acrossRacks(topology, size);
    if (all.count() < 2) {
      progress.accept("uplinks: not measured, no two racks have two hosts");
      return 0;
    }
    Trial several = Trial.oneWay(all, BYTES);
    timing.warmUp(several);
    double one = slowest(timing.ofFew(Trial.oneWay(all.only(1), BYTES)));
    double together = slowest(timing.ofFew(several));
    boolean narrow = together > LEAST_LOSS * one;
    double uplink = narrow ? together / BYTES / all.count() : 0;
    progress.accept(
        narrow
            ? String.format(
                Locale.ROOT,
                "uplinks: β = %.3f ns per byte, %.1f hosts at full speed",
                uplink,
                one / together * all.count())
            : "uplinks: " + all.count() + " hosts of a rack at once are as fast as one");
    return uplink;
  }

  private static double slowest(double[] nanos) {
    return Arrays.stream(nanos).max().orElseThrow();
  }
}
