package org.sparkcollectives.schedule;

/**
 * Receives blocks from another rank into a slot. The blocks are those that the peer's send of the
 * same round names.
 *
 * @param peer the sender's rank
 * @param slot the slot written, 0 for the user's vector
 * @param blocks the blocks, at least one
 */
public record Receive(int peer, int slot, BlockRange blocks) {}
