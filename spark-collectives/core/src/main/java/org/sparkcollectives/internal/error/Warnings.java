package org.sparkcollectives.internal.error;

import org.jspecify.annotations.Nullable;

/** Warnings in the log by what has to go on, whatever becomes of them. */
public final class Warnings {
  private Warnings() {}

  /**
   * Logs a warning, unless the logger fails: one that formats the time loads files for that, which
   * a process without descriptors cannot open.
   *
   * @param log the logger
   * @param text what it says
   * @param cause what is behind it, null for nothing
   */
  public static void log(System.Logger log, String text, @Nullable Throwable cause) {
    try {
      log.log(System.Logger.Level.WARNING, text, cause);
    } catch (RuntimeException | LinkageError unsaid) {
      // the caller counts what happens; there is nowhere else to say so
    }
  }
}
