package org.sparkcollectives.internal.algorithm.alltoall;

import org.sparkcollectives.schedule.BlockRange;

/**
 * The blocks of an all-to-all: one for each pair of ranks, sorted by source, then by destination.
 *
 * @param size p, the number of ranks
 */
record PairBlocks(int size) {

  /** What one rank has for another one. */
  BlockRange of(int source, int destination) {
    return BlockRange.of(source * size + destination);
  }

  /** What one rank has for neighbouring ranks, of which {@code to} is none any more. */
  BlockRange of(int source, int from, int to) {
    return new BlockRange(source * size + from, source * size + to);
  }
}
