package org.sparkcollectives.benchmarks.cluster;

import java.io.Serializable;
import org.jspecify.annotations.Nullable;
import org.sparkcollectives.schedule.Collective;

/**
 * What the controlling process asks of host processes, as a line of JSON.
 *
 * @param kind what to do
 * @param collective the collective of a {@link Kind#RUN}
 * @param algorithm the slug of its algorithm, or null for the selector's choice
 * @param bytes the vector's size
 * @param operations how many operations; all but those of a {@link Kind#PING} each after a barrier
 * @param model what communication costs, in a {@link Kind#JOIN}
 */
record Order(
    Kind kind,
    @Nullable Collective collective,
    @Nullable String algorithm,
    long bytes,
    int operations,
    Parameters model)
    implements Serializable {

  /** What can be asked. */
  enum Kind {
    /** Become one communicator with this cost model. */
    JOIN,
    /** Exchange messages with the neighbour: there and back is one operation. */
    PING,
    /** The same by all pairs at once. */
    ALL_PING,
    /** Do a collective. */
    RUN
  }

  static Order join(Parameters model) {
    return new Order(Kind.JOIN, null, null, 0, 0, model);
  }

  static Order ping(long bytes, int operations) {
    return new Order(Kind.PING, null, null, bytes, operations, Parameters.UNKNOWN);
  }

  static Order allPing(long bytes, int operations) {
    return new Order(Kind.ALL_PING, null, null, bytes, operations, Parameters.UNKNOWN);
  }

  static Order run(Collective collective, @Nullable String algorithm, long bytes, int operations) {
    return new Order(Kind.RUN, collective, algorithm, bytes, operations, Parameters.UNKNOWN);
  }
}
