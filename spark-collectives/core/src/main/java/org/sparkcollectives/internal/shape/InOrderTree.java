package org.sparkcollectives.internal.shape;

/**
 * A balanced binary tree whose in-order numbering is 0 to {@code size - 1}, so that every subtree
 * is a run of consecutive nodes. With i = node + 1 the height of i is its number of trailing zero
 * bits: the tree has a complete left subtree of {@code 2^(h-1) - 1} nodes, the root, and the rest
 * arranged in the same way. Mirrored, node v stands where {@code size - 1 - v} stands otherwise,
 * and left and right change places. Source: Sanders, Speck, Träff 2009, Section 3.
 *
 * <pre>
 *   size 6           3                   mirrored      2
 *                  /   \                             /   \
 *                 1     5                           0     4
 *                / \   /                             \   / \
 *               0   2 4                               1 3   5
 * </pre>
 *
 * @param size the number of nodes, at least 1
 * @param mirrored whether left and right are exchanged
 */
public record InOrderTree(int size, boolean mirrored) {

  /** No node. */
  public static final int NONE = -1;

  /**
   * The root.
   *
   * @return a node
   */
  public int root() {
    return node(Integer.highestOneBit(size));
  }

  /**
   * The parent of a node.
   *
   * @param node a node
   * @return its parent, or {@link #NONE} for the root
   */
  public int parent(int node) {
    int i = place(node);
    return i == Integer.highestOneBit(size) ? NONE : node(up(size, i));
  }

  /**
   * The child whose subtree comes before a node.
   *
   * @param node a node
   * @return the left child, or {@link #NONE}
   */
  public int left(int node) {
    int i = place(node);
    return node(mirrored ? rightOf(i) : leftOf(i));
  }

  /**
   * The child whose subtree comes after a node.
   *
   * @param node a node
   * @return the right child, or {@link #NONE}
   */
  public int right(int node) {
    int i = place(node);
    return node(mirrored ? leftOf(i) : rightOf(i));
  }

  /**
   * The first node of a node's subtree.
   *
   * @param node a node
   * @return the lowest node of the subtree
   */
  public int first(int node) {
    int i = place(node);
    return node(mirrored ? lastOf(i) : firstOf(i));
  }

  /**
   * The last node of a node's subtree.
   *
   * @param node a node
   * @return the highest node of the subtree
   */
  public int last(int node) {
    int i = place(node);
    return node(mirrored ? firstOf(i) : lastOf(i));
  }

  /**
   * The number of edges on the longest path from the root down.
   *
   * @return floor(log2 size)
   */
  public int height() {
    return Powers.floorLog2(size);
  }

  /** The parent's place, places counted from 1; the place must not be the root's. */
  static int up(int size, int place) {
    int bit = Integer.lowestOneBit(place);
    boolean rightChild = (place & (bit << 1)) != 0 || place + bit > size;
    return rightChild ? place - bit : place + bit;
  }

  private int firstOf(int place) {
    return place - Integer.lowestOneBit(place) + 1;
  }

  private int lastOf(int place) {
    return Math.min(place + Integer.lowestOneBit(place) - 1, size);
  }

  private int leftOf(int place) {
    int half = Integer.lowestOneBit(place) >> 1;
    return half == 0 ? 0 : place - half;
  }

  private int rightOf(int place) {
    int below = lastOf(place) - place;
    return below == 0 ? 0 : place + Integer.highestOneBit(below);
  }

  private int place(int node) {
    return mirrored ? size - node : node + 1;
  }

  /** The node of a place; place 0 stands for none. */
  private int node(int place) {
    if (place == 0) {
      return NONE;
    }
    return mirrored ? size - place : place - 1;
  }
}
