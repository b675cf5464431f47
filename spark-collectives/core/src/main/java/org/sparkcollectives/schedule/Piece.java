package org.sparkcollectives.schedule;

/**
 * Consecutive blocks of one slot, the whole of a message or a part of it.
 *
 * @param slot the slot read or written, 0 for the user's vector
 * @param blocks the blocks, none in a signal
 */
public record Piece(int slot, BlockRange blocks) {}
