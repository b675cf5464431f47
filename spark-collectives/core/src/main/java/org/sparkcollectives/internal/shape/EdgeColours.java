package org.sparkcollectives.internal.shape;

/**
 * The colouring of the edges of an {@link InOrderTree} with an even number n of nodes and of its
 * mirror image, such that no node has two parents or two children over edges of one colour. Places
 * are counted from 1. Source: Sanders, Speck, Träff 2009, Section 5.1, Fig. 3.
 *
 * <p>The root of the tree has colour 1, as if an edge came in there. The colours of the mirror
 * image are those of the tree, flipped: the edges into both roots then differ, so that one more
 * node can feed both trees.
 */
final class EdgeColours {
  private EdgeColours() {}

  /**
   * The colour of the edge into a place of the tree; that of the mirror image's edge into the same
   * node is the other one. Takes O(log n).
   */
  static int incoming(int n, int place) {
    // An odd place is a leaf, and an inner node of the mirror image, where its colour is flipped;
    // its two colours differ, so the two flips cancel.
    return inner(n, (place & 1) == 0 ? place : n + 1 - place);
  }

  /**
   * How many rounds after its parent a place receives a block: 1 where the colours differ, or 2.
   */
  static int delay(int n, int place, int parent) {
    if ((place & 1) == 0) {
      return 2 - ((n >> 1 & 1) ^ (parent > place ? 1 : 0));
    }
    return incoming(n, place) == inner(n, parent) ? 2 : 1;
  }

  private static int inner(int n, int place) {
    int root = Integer.highestOneBit(n);
    int colour = 1;
    int i = place;
    while (i != root) {
      int parent = InOrderTree.up(n, i);
      colour ^= (n >> 1 & 1) ^ (parent > i ? 1 : 0);
      i = parent;
    }
    return colour;
  }
}
