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
 * @param nanos the time predicted, in nanoseconds
 */
public record Candidate(
    String algorithm,
    @Nullable String refusal,
    int rounds,
    int blocks,
    double bytesSent,
    double nanos) {}
