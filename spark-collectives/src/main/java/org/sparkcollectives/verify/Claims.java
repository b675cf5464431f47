package org.sparkcollectives.verify;

/**
 * What an algorithm says of its schedules for a problem.
 *
 * @param rounds the number of rounds of the rank that has most
 * @param blocksSent the number of blocks that the rank sends that sends most
 */
public record Claims(int rounds, long blocksSent) {}
