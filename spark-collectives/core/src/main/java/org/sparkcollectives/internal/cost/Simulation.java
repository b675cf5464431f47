package org.sparkcollectives.internal.cost;

/**
 * What a simulated collective took.
 *
 * @param finishNanos by rank, when it was done
 * @param sentBytes by host, the bytes with headers that its network card sent
 * @param receivedBytes by host, the bytes with headers that its network card received
 */
@SuppressWarnings("ArrayRecordComponent") // results of many ranks, never compared
public record Simulation(double[] finishNanos, double[] sentBytes, double[] receivedBytes) {

  /**
   * When the last rank was done.
   *
   * @return nanoseconds
   */
  public double nanos() {
    double last = 0;
    for (double finish : finishNanos) {
      last = Math.max(last, finish);
    }
    return last;
  }

  /** Hears of messages, so that they can be drawn or counted. */
  @FunctionalInterface
  public interface Listener {
    /**
     * A message has been sent.
     *
     * @param round its round
     * @param from the sender's rank
     * @param to the receiver's rank
     * @param startNanos when it began
     * @param endNanos when it had arrived
     */
    void message(int round, int from, int to, double startNanos, double endNanos);
  }
}
