package org.sparkcollectives.schedule;

/**
 * {@code dst = src}, block by block.
 *
 * @param dst the slot written
 * @param src the slot read
 * @param blocks the blocks, at least one
 */
public record Copy(int dst, int src, BlockRange blocks) implements LocalStep {}
