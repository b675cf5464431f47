package org.sparkcollectives.internal.transport;

import org.jspecify.annotations.Nullable;

/**
 * What ranks belong to: a communicator in one of its epochs.
 *
 * @param communicator its number
 * @param epoch which attempt at it this is
 */
public record CommunicatorEpoch(long communicator, int epoch) {

  /** By hand, as {@link #hashCode}: a process's first links are found by it. */
  @Override
  public boolean equals(@Nullable Object other) {
    return other instanceof CommunicatorEpoch that
        && communicator == that.communicator
        && epoch == that.epoch;
  }

  @Override
  public int hashCode() {
    return 31 * Long.hashCode(communicator) + epoch;
  }
}
