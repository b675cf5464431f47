package org.sparkcollectives.internal.observe;

import org.sparkcollectives.schedule.Collective;

/**
 * What operations of one collective by one algorithm have come to on a rank.
 *
 * @param collective the collective
 * @param algorithm the algorithm's slug
 * @param count how many operations have ended well
 * @param bytes the bytes of their vectors
 * @param nanos the time in them
 * @param largestNanos the time of the one on the largest vector, the longest of several such
 * @param largestBytes the bytes of the largest vector
 * @param blocks into how many blocks the largest vector was split
 * @param ordered whether its operands were kept in rank order
 */
public record OperationSum(
    Collective collective,
    String algorithm,
    long count,
    long bytes,
    long nanos,
    long largestNanos,
    long largestBytes,
    int blocks,
    boolean ordered) {}
