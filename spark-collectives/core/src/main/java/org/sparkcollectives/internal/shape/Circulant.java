package org.sparkcollectives.internal.shape;

/**
 * The circulant graph with halving skips, and who sends which block along it in a broadcast from
 * node 0. The skips are s(q) = p, s(k) = ceil(s(k+1) / 2) down to s(0) = 1, with q = ceil(log2 p).
 * In round k of every q rounds, node r sends to node r + s(k) and receives from node r - s(k),
 * modulo p. Source: Träff 2024 (arXiv:2407.18004, doi:10.1145/3735139).
 *
 * <p><b>Baseblocks.</b> A node r &gt; 0 is a sum of different skips, found by always taking the
 * largest that fits; the index of the smallest of them is its baseblock b. A new block leaves the
 * root in each round, so block b is the first that r gets, in the round of its largest skip.
 *
 * <p><b>Schedule.</b> In round k node r receives from one of the last nodes that got new blocks,
 * those from r - s(k+1) to r - s(k): it takes the greatest baseblock in that range that it has not
 * taken before. Blocks are counted anew every q rounds, so a block that began its way in the q
 * rounds before has a number from -q to -1. It holds, and is tested, that
 *
 * <ol>
 *   <li>what r sends in round k is what r + s(k) receives in it;
 *   <li>within q rounds r receives q different blocks: b and all of -q to -1 but b - q;
 *   <li>r sends b - q, or what it has received in an earlier one of the q rounds.
 * </ol>
 *
 * <p>For p = 17: skips 1, 2, 3, 5, 9, 17. Node 11 = 9 + 2 has baseblock 1, receives blocks -5, -3,
 * -4, -2, 1 in rounds 0 to 4 from nodes 10, 9, 8, 6, 2.
 */
public final class Circulant {
  private final int[] skips;

  /**
   * The graph of some nodes.
   *
   * @param size p, the number of nodes, at least 1
   */
  public Circulant(int size) {
    skips = new int[Powers.ceilLog2(size) + 1];
    int skip = size;
    for (int k = skips.length - 1; k >= 0; k--) {
      skips[k] = skip;
      skip -= skip / 2;
    }
  }

  /**
   * The number of rounds after which the skips repeat.
   *
   * @return q = ceil(log2 p)
   */
  public int period() {
    return skips.length - 1;
  }

  /**
   * The distance between sender and receiver in a round.
   *
   * @param k a round of the period, or q for p
   * @return s(k)
   */
  public int skip(int k) {
    return skips[k];
  }

  /**
   * How many messages bring the first block that leaves the root to the node that is the farthest
   * from it: the most different skips that a node is the sum of. Nodes below a limit are those
   * below the largest skip that is less, and that skip and nodes below the rest of the limit.
   *
   * @return 0 for one node, q for p = 2^q, less for others
   */
  public int depth() {
    int[] below = new int[skips.length]; // of the nodes below each skip
    for (int k = 1; k < skips.length; k++) {
      int limit = skips[k];
      int taken = 0;
      for (int index = k - 1; index >= 0; index--) {
        if (skips[index] < limit) {
          below[k] = Math.max(below[k], taken + below[index]);
          limit -= skips[index];
          taken++;
        }
      }
      below[k] = Math.max(below[k], taken);
    }
    return below[period()];
  }

  /**
   * The first block that a node gets.
   *
   * @param node a node
   * @return a number from 0 to q - 1, or q for the root
   */
  public int baseBlock(int node) {
    int rest = node;
    for (int k = period() - 1; k >= 0 && rest > 0; k--) {
      if (rest >= skips[k]) {
        rest -= skips[k];
        if (rest == 0) {
          return k;
        }
      }
    }
    return period();
  }

  /**
   * The blocks that a node receives in a period, found in O(log p) steps.
   *
   * @param node a node; what the rounds assign to the root, nobody sends
   * @return for each round the block's number: from 0 on for a block that leaves the root in this
   *     period, from -q on for one of the period before
   */
  public int[] receives(int node) {
    Search search = new Search(node);
    search.from(0, period() + 1);
    return search.found;
  }

  /**
   * The blocks that a node sends in a period, found in O(log² p) steps.
   *
   * @param node a node
   * @return for each round the block's number, as in {@link #receives}
   */
  public int[] sends(int node) {
    int[] blocks = new int[period()];
    for (int k = 0; k < blocks.length; k++) {
      blocks[k] = receives((int) (((long) node + skips[k]) % skips[period()]))[k];
    }
    return blocks;
  }

  /**
   * Finds a node's blocks round by round. Going backwards from the node, the ranges of the rounds
   * follow each other; the search goes through sums of falling skips, largest skips first, which
   * begin with p so that the node itself stands at {@code p + node} and no range is below 0.
   */
  private final class Search {
    private final int[] found = new int[period()];
    private final long place;
    private final int baseBlock;
    private int round;

    /** Indices of skips that no round has taken yet, as bits. */
    private long free;

    /** The place that was taken last; the next one lies before. */
    private long taken = Long.MAX_VALUE;

    Search(int node) {
      place = (long) skips[period()] + node;
      baseBlock = baseBlock(node);
      free = (1L << (period() + 1)) - 1 - (1L << baseBlock);
    }

    /** Takes what can be reached from a place with skips of indices below a bound. */
    void from(long at, int below) {
      for (int index = next(below); index >= 0 && !isDone(); index = next(index)) {
        long to = at + skips[index];
        if (isInReach(to)) {
          if (to <= first()) {
            from(to, index);
          }
          if (isDone() || at > first()) {
            return;
          }
          if (isInReach(to)) {
            take(index, to);
          }
        }
      }
    }

    private void take(int index, long to) {
      found[round] = index == period() ? baseBlock : index - period();
      round++;
      free &= ~(1L << index);
      taken = to;
    }

    private int next(int below) {
      return Long.SIZE - 1 - Long.numberOfLeadingZeros(free & ((1L << below) - 1));
    }

    private boolean isDone() {
      return round == found.length;
    }

    private boolean isInReach(long to) {
      return to <= place - skips[round] && to < taken;
    }

    private long first() {
      return place - skips[round + 1];
    }
  }
}
