package org.sparkcollectives.schedule;

/**
 * {@code dst = left ⊕ right}, block by block. The operands' order is the schedule's promise: the
 * left operand stands for lower ranks.
 *
 * @param dst the slot written; it may be {@code left} or {@code right}
 * @param left the slot of the left operand
 * @param right the slot of the right operand
 * @param blocks the blocks, at least one
 */
public record Combine(int dst, int left, int right, BlockRange blocks) implements LocalStep {}
