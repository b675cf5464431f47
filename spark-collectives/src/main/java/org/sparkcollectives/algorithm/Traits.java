package org.sparkcollectives.algorithm;

/**
 * What an algorithm can do, as data for the registry's readers.
 *
 * @param keepsOrder whether operands are combined in rank order for every root that it accepts, so
 *     that the operator need not be commutative
 * @param source paper and section
 * @param summary one line for people
 */
public record Traits(boolean keepsOrder, String source, String summary) {}
