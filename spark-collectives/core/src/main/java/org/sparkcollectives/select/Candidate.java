package org.sparkcollectives.select;

import org.jspecify.annotations.Nullable;

/**
 * An algorithm that was considered for an operation.
 *
 * @param algorithm its slug
 * @param refusal why it is out of the question, or null if it is not; then the numbers are 0
 * @param rounds the number of rounds
 * @param blocks how many blocks a vector is split into
 * @param bytesSent the most bytes that one rank sends
 * @param card the busiest network card, or null where none is used or there are too many messages
 *     to count
 * @param nanos the time predicted, in nanoseconds
 */
public record Candidate(
    String algorithm,
    @Nullable String refusal,
    int rounds,
    int blocks,
    double bytesSent,
    @Nullable Card card,
    double nanos) {

  /**
   * A network card and what passes it.
   *
   * @param host the host's number, in the sequence of their lowest ranks
   * @param bytes the bytes that it sends, or receives if that is more
   */
  public record Card(int host, double bytes) {}
}
