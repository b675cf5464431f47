package org.sparkcollectives.internal.shape;

/**
 * Where a node stands in a binary tree whose nodes are numbered in order: first the left subtree,
 * then the node, then the right subtree.
 *
 * @param parent the node above, or {@link InOrderTree#NONE} for the root
 * @param left the child whose subtree comes before the node, or {@link InOrderTree#NONE}
 * @param right the child whose subtree comes after the node, or {@link InOrderTree#NONE}
 * @param lefts how many edges from the root down to the node lead to a left child
 * @param rights how many edges from the root down to the node lead to a right child
 */
public record TreePlace(int parent, int left, int right, int lefts, int rights) {

  /**
   * Whether some node comes after the node's subtree.
   *
   * @return false on the path from the root to the last node
   */
  public boolean isOffRightSpine() {
    return lefts > 0;
  }

  /**
   * Whether some node comes before the node's subtree.
   *
   * @return false on the path from the root to the first node
   */
  public boolean isOffLeftSpine() {
    return rights > 0;
  }

  /**
   * How many rounds before the root a node sends up, if every node hears from its left child, then
   * from its right child, and sends up right after that.
   *
   * @return a number of rounds
   */
  public int upDistance() {
    return 2 * lefts + rights;
  }

  /**
   * How many rounds after the root a node hears from above, if every node passes on to its left
   * child, then to its right child, as soon as it has heard.
   *
   * @return a number of rounds
   */
  public int downDistance() {
    return lefts + 2 * rights;
  }
}
