package org.sparkcollectives.internal.select;

import org.jspecify.annotations.Nullable;
import org.sparkcollectives.schedule.Collective;
import org.sparkcollectives.select.Request;

/**
 * The algorithms of the reproducible mode. Each combines every block by the same expression, so the
 * expression of an element does not depend on where in a vector it stands, nor on how long the
 * vector is. They are fixed here, not by cost: a measured profile must not change bits.
 */
final class Reproducible {
  /** The length of a block where an algorithm pipelines. */
  static final int BLOCK_BYTES = 1 << 15;

  private Reproducible() {}

  /** The algorithm of a collective, or null if it combines nothing and any will do. */
  static @Nullable String slug(Collective collective) {
    if (!collective.reducing()) {
      return null;
    }
    return switch (collective) {
      case REDUCE_SCATTER -> "recursive-doubling";
      case SCAN, EXSCAN -> "doubly-pipelined-binary-tree";
      default -> "pipelined-binary-tree";
    };
  }

  /** The number of blocks of a pipelined algorithm. */
  static int blocks(Request request) {
    long blocks = (request.bytes() - 1) / BLOCK_BYTES + 1; // no overflow, whatever the length
    return (int) Math.max(1, Math.min(Math.min(blocks, BlockSearch.MOST_BLOCKS), request.units()));
  }
}
