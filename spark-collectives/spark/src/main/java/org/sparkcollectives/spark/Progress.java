package org.sparkcollectives.spark;

import org.jspecify.annotations.Nullable;
import org.sparkcollectives.spark.internal.rendezvous.RankProgress;

/**
 * How far a {@link CollectiveFunction} is, for who waits at the driver: the running calls of the
 * Collectives tab of Spark's UI show it, and every ten seconds, if there is news, the driver's log
 * has a line.
 *
 * <pre>{@code
 * rows.collectively((communicator, elements) -> {
 *   for (int epoch = 1; epoch <= 50; epoch++) {
 *     double loss = ...;
 *     Progress.tell("epoch " + epoch + " of 50, loss " + loss);
 *   }
 *   ...
 * });
 * }</pre>
 */
public final class Progress {
  private Progress() {}

  /**
   * Tells how far this rank's function is. It may be called often: once a second the latest text
   * goes to the driver, without waiting. All ranks may call it, and only rank 0 is heard, in the
   * thread in which its function was called; anywhere else it has no effect.
   *
   * @param text one line for people, of which the driver shows the first 200 characters; null for
   *     nothing
   */
  public static void tell(@Nullable String text) {
    RankProgress.tell(text);
  }
}
