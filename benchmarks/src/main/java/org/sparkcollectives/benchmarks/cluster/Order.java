package org.sparkcollectives.benchmarks.cluster;

import java.io.Serializable;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.sparkcollectives.cost.CostModel;
import org.sparkcollectives.schedule.Collective;
import org.sparkcollectives.spark.internal.conf.CostProfile;

/**
 * What the controlling process asks of host processes, as a line of JSON.
 *
 * @param kind what to do
 * @param collective the collective of a {@link Kind#RUN}
 * @param algorithm the slug of its algorithm, or null for the selector's choice
 * @param bytes the vector's size
 * @param operations how many operations, each after a barrier
 * @param counts of a {@link Kind#RUN} the relative lengths of the ranks' parts, or empty for equal
 *     ones
 * @param text of a {@link Kind#JOIN} the cost profile, of a {@link Kind#CALIBRATE} the command line
 */
record Order(
    Kind kind,
    @Nullable Collective collective,
    @Nullable String algorithm,
    long bytes,
    int operations,
    List<Integer> counts,
    String text)
    implements Serializable {

  Order {
    counts = new ArrayList<>(counts); // of a class that Kryo knows, too
  }

  /** What can be asked. */
  enum Kind {
    /** Become one communicator with this cost model. */
    JOIN,
    /** Measure what communication costs. */
    CALIBRATE,
    /** Do a collective. */
    RUN
  }

  static Order join(CostModel model) {
    return new Order(Kind.JOIN, null, null, 0, 0, List.of(), CostProfile.write(model));
  }

  static Order calibrate(String command) {
    return new Order(Kind.CALIBRATE, null, null, 0, 0, List.of(), command);
  }

  static Order run(Collective collective, @Nullable String algorithm, long bytes, int operations) {
    return new Order(Kind.RUN, collective, algorithm, bytes, operations, List.of(), "");
  }

  Order withCounts(List<Integer> value) {
    return new Order(kind, collective, algorithm, bytes, operations, value, text);
  }
}
