package org.sparkcollectives.benchmarks.cluster;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Ticks of all processors since the machine's start.
 *
 * @param busy those in which something ran, interrupts included
 * @param all those of all processors together
 */
record Machine(long busy, long all) {
  private static final Path STATISTICS = Path.of("/proc/stat");

  /** Below so many ticks, of 10 ms each, a share would be too coarse. */
  private static final long LEAST_TICKS = 40;

  private static final int IDLE = 4;
  private static final int WAITING = 5;
  private static final int LAST = 8;

  /** Nothing. */
  static final Machine NONE = new Machine(0, 0);

  /** The ticks of this moment; nothing where they cannot be read. */
  static Machine now() throws IOException {
    if (!Files.isReadable(STATISTICS)) {
      return NONE;
    }
    List<String> lines = Files.readAllLines(STATISTICS);
    String[] words = lines.get(0).trim().split("\\s+", -1);
    long busy = 0;
    long all = 0;
    for (int i = 1; i <= LAST && i < words.length; i++) {
      long ticks = Long.parseLong(words[i]);
      all += ticks;
      busy += i == IDLE || i == WAITING ? 0 : ticks;
    }
    return new Machine(busy, all);
  }

  Machine plus(Machine other) {
    return new Machine(busy + other.busy, all + other.all);
  }

  Machine minus(Machine other) {
    return new Machine(busy - other.busy, all - other.all);
  }

  /** The share that was busy, or null if there are too few ticks to tell. */
  @Nullable Double share() {
    return all < LEAST_TICKS ? null : (double) busy / all;
  }
}
