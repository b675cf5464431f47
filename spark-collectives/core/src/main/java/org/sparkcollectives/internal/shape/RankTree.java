package org.sparkcollectives.internal.shape;

/** A binary tree over ranks 0 to p - 1 that numbers them in order. */
public interface RankTree {

  /**
   * Where a rank stands.
   *
   * @param rank a rank
   * @return its place
   */
  TreePlace place(int rank);

  /**
   * The largest {@link TreePlace#upDistance} of the nodes that have nodes after their subtrees.
   *
   * @return a number of rounds, 0 if there is no such node
   */
  int farthestUp();

  /**
   * The largest {@link TreePlace#downDistance} of the nodes that have nodes before their subtrees.
   *
   * @return a number of rounds, 0 if there is no such node
   */
  int farthestDown();
}
