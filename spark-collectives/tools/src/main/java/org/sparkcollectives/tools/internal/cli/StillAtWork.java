package org.sparkcollectives.tools.internal.cli;

import java.io.PrintWriter;
import java.time.Duration;
import java.util.Locale;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;

/** Says again and again that a command is still at work, from the moment when it takes long. */
final class StillAtWork {
  private final ScheduledExecutorService timer =
      Executors.newSingleThreadScheduledExecutor(
          task -> {
            Thread thread = new Thread(task, "still-at-work");
            thread.setDaemon(true);
            return thread;
          });

  /**
   * Begins to count.
   *
   * @param command the command's name
   * @param err takes a line after each period
   * @param period how long to be silent
   */
  StillAtWork(String command, PrintWriter err, Duration period) {
    long start = System.nanoTime();
    var unused =
        timer.scheduleAtFixedRate(
            () -> {
              err.printf(
                  Locale.ROOT,
                  "  … %s: %d s%n",
                  command,
                  (System.nanoTime() - start) / 1_000_000_000L);
              err.flush();
            },
            period.toMillis(),
            period.toMillis(),
            TimeUnit.MILLISECONDS);
  }

  /** Is silent from now on. */
  void end() {
    timer.shutdownNow();
  }
}
