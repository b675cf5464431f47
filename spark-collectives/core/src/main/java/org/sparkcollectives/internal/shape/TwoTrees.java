package org.sparkcollectives.internal.shape;

/**
 * Two binary trees over the same nodes 0 to {@code size - 1}, in which every node is a leaf of at
 * least one tree, and the times at which a pipelined broadcast crosses their edges: with one block
 * of tree 0 entering at rounds 0, 2, 4 … and one of tree 1 at rounds 1, 3, 5 …, every node receives
 * at most one block and sends at most one block in every round. Source: Sanders, Speck, Träff 2009,
 * Sections 3 and 5.1.
 *
 * <p>An even number of nodes: tree 0 is an {@link InOrderTree}, tree 1 its mirror image. One node
 * more is added in one of two ways. In order: node {@code size - 1} becomes the root of both trees,
 * above their former roots, so that both still are in-order trees. In any order: it becomes a leaf
 * of both, right child of the last node in tree 0 and left child of the first node in tree 1.
 *
 * <pre>
 *   size 6    tree 0     3           tree 1    2
 *                      /   \                 /   \
 *                     1     5               0     4
 *                    / \   /                 \   / \
 *                   0   2 4                   1 3   5
 * </pre>
 *
 * <p>{@linkplain #withSlack With slack}, a block crosses each edge some rounds later. Where
 * messages take longer to arrive than to send, a node would otherwise wait in the one tree for
 * blocks that are still on their way, and hold up those of the other that are there. An even slack
 * leaves the parities of rounds as they are, and so the one block that a node sends and receives at
 * most.
 *
 * <p>All methods take O(log size) time, those that say nothing else O(1).
 */
public final class TwoTrees {

  /** No node. */
  public static final int NONE = InOrderTree.NONE;

  private final int size;
  private final int slack;
  private final int core;
  private final boolean inOrder;
  private final boolean rootAbove;
  private final boolean leafBelow;

  private TwoTrees(int size, boolean inOrder, int slack) {
    if (size < 1) {
      throw new IllegalArgumentException("two trees have at least 1 node, not " + size);
    }
    this.size = size;
    this.slack = slack;
    this.inOrder = inOrder;
    this.core = size & ~1;
    boolean odd = core < size;
    this.rootAbove = odd && (inOrder || core == 0);
    this.leafBelow = odd && !rootAbove;
  }

  /**
   * Two trees that both number their nodes in order.
   *
   * @param size the number of nodes, at least 1
   * @return the trees
   */
  public static TwoTrees inOrder(int size) {
    return new TwoTrees(size, true, 0);
  }

  /**
   * Two trees of least height, which need not number an odd number of nodes in order.
   *
   * @param size the number of nodes, at least 1
   * @return the trees
   */
  public static TwoTrees anyOrder(int size) {
    return new TwoTrees(size, false, 0);
  }

  /**
   * The same trees, with more time for each block to cross an edge.
   *
   * @param rounds by how many rounds later than without slack a node receives what its parent has
   *     received, an even number
   * @return trees of other arrivals
   */
  public TwoTrees withSlack(int rounds) {
    if (rounds < 0 || rounds % 2 != 0) {
      throw new IllegalArgumentException("a slack of " + rounds + " rounds is not even");
    }
    return rounds == slack ? this : new TwoTrees(size, inOrder, rounds);
  }

  /**
   * The number of nodes.
   *
   * @return 1 or more
   */
  public int size() {
    return size;
  }

  /**
   * The root of a tree.
   *
   * @param tree 0 or 1
   * @return a node
   */
  public int root(int tree) {
    return rootAbove ? size - 1 : tree(tree).root();
  }

  /**
   * The parent of a node.
   *
   * @param tree 0 or 1
   * @param node a node
   * @return its parent in this tree, or {@link #NONE} for the root
   */
  public int parent(int tree, int node) {
    if (node >= core) {
      return rootAbove ? NONE : leafParent(tree);
    }
    int parent = tree(tree).parent(node);
    return parent == NONE && rootAbove ? size - 1 : parent;
  }

  /**
   * The child of a node whose subtree comes before it.
   *
   * @param tree 0 or 1
   * @param node a node
   * @return the left child, or {@link #NONE}
   */
  public int left(int tree, int node) {
    if (node >= core) {
      return rootAbove && core > 0 ? tree(tree).root() : NONE;
    }
    return leafBelow && tree == 1 && node == 0 ? size - 1 : tree(tree).left(node);
  }

  /**
   * The child of a node whose subtree comes after it.
   *
   * @param tree 0 or 1
   * @param node a node
   * @return the right child, or {@link #NONE}
   */
  public int right(int tree, int node) {
    if (node >= core) {
      return NONE;
    }
    return leafBelow && tree == 0 && node == core - 1 ? size - 1 : tree(tree).right(node);
  }

  /**
   * Whether nothing comes before a node's subtree: the node lies on the path from the root to the
   * leftmost node. Only for trees in order.
   *
   * @param tree 0 or 1
   * @param node a node
   * @return true when the subtree holds node 0
   */
  public boolean onLeftSpine(int tree, int node) {
    requireInOrder();
    return node >= core || tree(tree).first(node) == 0;
  }

  /**
   * Whether nothing comes after a node's subtree: the node lies on the path from the root to the
   * rightmost node. Only for trees in order.
   *
   * @param tree 0 or 1
   * @param node a node
   * @return true when the subtree holds node {@code size - 1}
   */
  public boolean onRightSpine(int tree, int node) {
    requireInOrder();
    return node >= core || (!rootAbove && tree(tree).last(node) == size - 1);
  }

  /**
   * The most nodes on a way from a root down to a leaf, the same in both trees.
   *
   * @return a number of nodes, 1 or more
   */
  public int levels() {
    return core == 0 ? 1 : Powers.floorLog2(core) + (rootAbove ? 2 : 1);
  }

  /**
   * The round in which a broadcast's first block of a tree reaches a node, when the roots receive
   * theirs in round 0 (tree 0) and round 1 (tree 1). Block number i comes 2i rounds later. Takes
   * O(log size).
   *
   * @param tree 0 or 1
   * @param node a node
   * @return a round, 0 or more
   */
  public int arrival(int tree, int node) {
    if (rootAbove && node >= core) {
      return tree;
    }
    if (leafBelow && node >= core) {
      return arrival(tree, leafParent(tree)) + leafDelay();
    }
    int top = Integer.highestOneBit(core);
    int place = tree == 0 ? node + 1 : core - node;
    int round = tree + entry();
    while (place != top) {
      int parent = InOrderTree.up(core, place);
      round += delay(place, parent);
      place = parent;
    }
    return round;
  }

  /**
   * The latest of all nodes' arrivals in tree 0; tree 1's is one round later. Takes O(log² size).
   *
   * @return a round, 0 or more
   */
  public int latestArrival() {
    if (core == 0) {
      return 0;
    }
    int latest = entry() + deepest(Integer.highestOneBit(core));
    return leafBelow ? Math.max(latest, arrival(0, size - 1)) : latest;
  }

  /**
   * The latest arrival of tree 0 at the former tree's nodes off one of its spines; by symmetry the
   * latest of tree 1 off its other spine is one round later. Only for trees in order. Takes O(log²
   * size).
   *
   * @param left true for the nodes off the path to the leftmost node, false for those off the path
   *     to the rightmost one of the nodes that are no added root
   * @return a round, or {@link #NONE} where all nodes are on that path
   */
  public int latestArrivalOffSpine(boolean left) {
    requireInOrder();
    int latest = NONE;
    if (core == 0) {
      return latest;
    }
    InOrderTree tree = tree(0);
    int round = entry();
    int node = tree.root();
    while (node != NONE) {
      int off = left ? tree.right(node) : tree.left(node);
      if (off != NONE) {
        int delay = delay(off + 1, node + 1);
        latest = Math.max(latest, round + delay + deepest(off + 1));
      }
      int next = left ? tree.left(node) : tree.right(node);
      if (next != NONE) {
        round += delay(next + 1, node + 1);
      }
      node = next;
    }
    return latest;
  }

  /** The longest sum of delays from a place of the core's tree down. */
  private int deepest(int place) {
    int longest = 0;
    int sum = 0;
    int i = place;
    InOrderTree tree = tree(0);
    // Down the right edge: each left subtree is complete, and in a complete tree some path has
    // delay 2 on every edge, because the two children of a node differ in delay.
    while (true) {
      int half = Integer.lowestOneBit(i) >> 1;
      if (half == 0) {
        return Math.max(longest, sum);
      }
      int left = i - half;
      int delay = delay(left, i);
      longest = Math.max(longest, sum + delay + (2 + slack) * Integer.numberOfTrailingZeros(left));
      int right = tree.right(i - 1);
      if (right == NONE) {
        return longest;
      }
      sum += delay(right + 1, i);
      i = right + 1;
    }
  }

  private int leafParent(int tree) {
    return tree == 0 ? core - 1 : 0;
  }

  /** When the first block of tree 0 comes to the core's root. */
  private int entry() {
    return rootAbove ? 1 + slack : 0;
  }

  /** How many rounds after its parent a place of the core's tree receives a block. */
  private int delay(int place, int parent) {
    return slack + EdgeColours.delay(core, place, parent);
  }

  /** The added leaf gets its blocks in the rounds that its only sibling leaves free. */
  private int leafDelay() {
    int sibling = tree(0).left(core - 1);
    return 3 + 2 * slack - delay(sibling + 1, core);
  }

  private InOrderTree tree(int tree) {
    return new InOrderTree(core, tree == 1);
  }

  private void requireInOrder() {
    if (!inOrder) {
      throw new IllegalStateException("spines are those of trees in order");
    }
  }
}
