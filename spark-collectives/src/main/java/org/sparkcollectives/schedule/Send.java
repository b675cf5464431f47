package org.sparkcollectives.schedule;

/**
 * Sends blocks of a slot, as they are when the round begins, to another rank.
 *
 * @param peer the receiver's rank
 * @param slot the slot read, 0 for the user's vector
 * @param blocks the blocks, at least one
 */
public record Send(int peer, int slot, BlockRange blocks) {}
