package org.sparkcollectives.algorithm;

/**
 * What an algorithm can do, as data for the registry's readers.
 *
 * @param keepsOrder whether operands are combined in rank order for every root that it accepts, so
 *     that the operator need not be commutative; true where nothing is combined
 * @param source paper and section
 * @param summary one line for people
 * @param rounds the number of rounds as a formula of p ranks and b blocks, for people
 * @param blocksSent the most blocks that one rank sends, as a formula, for people
 */
public record Traits(
    boolean keepsOrder, String source, String summary, String rounds, String blocksSent) {}
