package org.sparkcollectives.benchmarks.spark;

import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;
import org.sparkcollectives.benchmarks.cluster.Traffic;
import org.sparkcollectives.benchmarks.report.Measurement;

/** A way to give every executor the sum of all vectors. */
interface Contender {

  /** Its name in tables and files. */
  String name();

  /** The quantity that it is compared by. */
  default String quantity() {
    return Measurement.END_TO_END;
  }

  /** Whether it can work on vectors on so many executors. */
  boolean takes(Vectors vectors, int executors);

  /**
   * Runs once.
   *
   * @param vectors what is to be summed
   * @return what was observed
   */
  Run run(Vectors vectors);

  /**
   * One run.
   *
   * @param nanos the times by quantity, the one that is compared first
   * @param fingerprints of the results that executors or ranks hold; those of equal bits are one
   * @param sum an element of the result, the last
   * @param driver what the driver's network card carried per operation
   */
  record Run(Map<String, Long> nanos, Set<String> fingerprints, double sum, Traffic driver) {

    /** Copies the map in its order, and the set. */
    public Run {
      nanos = new LinkedHashMap<>(nanos);
      fingerprints = Set.copyOf(fingerprints);
    }
  }
}
