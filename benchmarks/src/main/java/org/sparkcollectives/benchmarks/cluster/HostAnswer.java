package org.sparkcollectives.benchmarks.cluster;

import java.io.Serializable;
import java.util.List;

/**
 * What a rank answers to an {@link Order}, as a line of JSON or as the result of a task.
 *
 * @param starts when each operation began, in nanoseconds of the machine's monotonic clock, which
 *     all processes of a machine share
 * @param ends when each operation ended
 * @param cpuNanos processor time of the rank's thread, which does all its work, during the
 *     operations
 * @param sent bytes that the network card of the rank's host sent, whichever of its ranks they are
 *     of, with those of the barriers; on loopback those of the machine
 * @param received bytes that this card received
 * @param digest a hash of the last result
 */
record HostAnswer(
    List<Long> starts, List<Long> ends, long cpuNanos, long sent, long received, int digest)
    implements Serializable {

  /** Nothing was timed. */
  static final HostAnswer DONE = new HostAnswer(List.of(), List.of(), 0, 0, 0, 0);

  HostAnswer {
    starts = List.copyOf(starts);
    ends = List.copyOf(ends);
  }
}
