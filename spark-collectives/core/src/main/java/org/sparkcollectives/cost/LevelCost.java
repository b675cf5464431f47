package org.sparkcollectives.cost;

/**
 * What messages cost between ranks of one {@link org.sparkcollectives.schedule.Level}: a message of
 * m bytes arrives α + βm after it was sent. In a stream of messages the processor's work for one,
 * g, and the network's for others, βm, go on at the same time, though not perfectly: the next one
 * may follow after √(g² + (βm)²). With g = α nothing overlaps and the next one follows after α +
 * βm: the linear model of the papers.
 *
 * @param alphaNanos α, the start-up time of a message in nanoseconds: the time of an empty one
 * @param betaNanosPerByte β, the time per byte in nanoseconds
 * @param gapNanos g, the part of α that keeps a processor busy, in nanoseconds, at most α
 */
public record LevelCost(double alphaNanos, double betaNanosPerByte, double gapNanos) {

  /**
   * Checks that all are usable.
   *
   * @param alphaNanos α, the start-up time of a message in nanoseconds: the time of an empty one
   * @param betaNanosPerByte β, the time per byte in nanoseconds
   * @param gapNanos g, the part of α that keeps a processor busy, in nanoseconds, at most α
   * @throws IllegalArgumentException if one of them is not positive and finite, or g is above α
   */
  public LevelCost {
    if (!(usable(alphaNanos) && usable(betaNanosPerByte) && usable(gapNanos))) {
      throw new IllegalArgumentException(
          "α, β and the gap must be positive, not %s, %s and %s"
              .formatted(alphaNanos, betaNanosPerByte, gapNanos));
    }
    if (gapNanos > alphaNanos) {
      throw new IllegalArgumentException(
          "the gap " + gapNanos + " is a part of α and must not be above it, " + alphaNanos);
    }
  }

  /**
   * The linear model of the papers, in which a message starts after the one before has arrived.
   *
   * @param alphaNanos α, the start-up time of a message in nanoseconds
   * @param betaNanosPerByte β, the time per byte in nanoseconds
   */
  public LevelCost(double alphaNanos, double betaNanosPerByte) {
    this(alphaNanos, betaNanosPerByte, alphaNanos);
  }

  private static boolean usable(double value) {
    return value > 0 && value < Double.POSITIVE_INFINITY;
  }

  /**
   * How long a message occupies the connection.
   *
   * @param bytes its payload
   * @param sharing how many times longer its bytes take than alone
   * @return √(g² + (sharing · β · (bytes + header))²) or, if g = α, their sum; in nanoseconds
   */
  public double occupiedNanos(double bytes, double sharing) {
    double transfer = transferNanos(bytes, sharing);
    return gapNanos < alphaNanos ? StrictMath.hypot(gapNanos, transfer) : alphaNanos + transfer;
  }

  /**
   * How much later than the next one may follow a message arrives.
   *
   * @param bytes its payload
   * @param sharing how many times longer its bytes take than alone
   * @return α + sharing · β · (bytes + header) less the time that it occupies, in nanoseconds
   */
  public double latencyNanos(double bytes, double sharing) {
    return alphaNanos + transferNanos(bytes, sharing) - occupiedNanos(bytes, sharing);
  }

  private double transferNanos(double bytes, double sharing) {
    return sharing * betaNanosPerByte * (bytes + CostModel.HEADER_BYTES);
  }
}
