package org.sparkcollectives.internal.shape;

/**
 * A tree whose farthest distances have been found once.
 *
 * @param tree the tree
 * @param farthestUp its largest distance upwards
 * @param farthestDown its largest distance downwards
 */
public record MeasuredTree(RankTree tree, int farthestUp, int farthestDown) implements RankTree {

  /**
   * Measures a tree.
   *
   * @param tree the tree
   * @return the same tree
   */
  public static MeasuredTree of(RankTree tree) {
    return new MeasuredTree(tree, tree.farthestUp(), tree.farthestDown());
  }

  @Override
  public TreePlace place(int rank) {
    return tree.place(rank);
  }
}
