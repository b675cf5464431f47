package org.sparkcollectives.benchmarks.cluster;

import java.io.Serializable;
import org.sparkcollectives.cost.CostModel;
import org.sparkcollectives.cost.LevelCost;

/**
 * The parameters of the cost model that are measured.
 *
 * @param alphaNanos α, the time of a message without its bytes
 * @param betaNanosPerByte β, the time per byte
 * @param gapNanos the part of α that keeps the sender busy: messages follow one another at this
 *     distance
 */
record Parameters(double alphaNanos, double betaNanosPerByte, double gapNanos)
    implements Serializable {

  /** Before anything has been measured. */
  static final Parameters UNKNOWN = new Parameters(30_000, 1, 5_000);

  /** The time of one message. */
  double nanos(double bytes) {
    return alphaNanos + betaNanosPerByte * bytes;
  }

  /** The cost model with these for messages between processes, and the library's γ. */
  CostModel model() {
    LevelCost measured = new LevelCost(alphaNanos, betaNanosPerByte, gapNanos);
    return CostModel.DEFAULT.withHost(measured).withNetwork(measured);
  }
}
