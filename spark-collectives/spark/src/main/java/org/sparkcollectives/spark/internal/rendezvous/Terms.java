package org.sparkcollectives.spark.internal.rendezvous;

import java.time.Duration;
import org.sparkcollectives.spark.internal.conf.Settings;

/**
 * What an attempt is.
 *
 * @param attempt what its ranks know
 * @param size how many ranks are to arrive
 * @param admission who of them takes part
 */
public record Terms(Attempt attempt, int size, Admission admission) {
  String operation() {
    return attempt.operation();
  }

  /** How long the first rank waits for tasks that have not begun. */
  Duration timeout() {
    return attempt.conf().get(Settings.TIMEOUT);
  }

  /** How long a rank may compute what it brings; 0 is without limit. */
  Duration computeTimeout() {
    return attempt.conf().get(Settings.COMPUTE_TIMEOUT);
  }

  /** The largest vector. */
  long maxBytes() {
    return attempt.conf().get(Settings.MAX_BYTES);
  }

  /** How much of all replies the members may take. */
  long membersBytes() {
    return attempt.conf().get(Settings.MEMBERS_BYTES);
  }
}
