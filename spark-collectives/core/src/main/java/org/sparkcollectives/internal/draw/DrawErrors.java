package org.sparkcollectives.internal.draw;

import org.sparkcollectives.error.InvalidInputException;

/** Messages about pictures that cannot be drawn. */
final class DrawErrors {
  private DrawErrors() {}

  /**
   * Trees of an algorithm that has none.
   *
   * @param what the collective and the algorithm
   * @return the exception
   */
  static InvalidInputException noTrees(String what) {
    return InvalidInputException.of(
        what + " has no trees to draw",
        "its blocks do not travel along trees over all ranks",
        "draw its rounds over time");
  }

  /**
   * Trees that would not be readable.
   *
   * @param what the collective and the algorithm
   * @param size the number of ranks
   * @param trees the number of trees
   * @param mostRanks how many ranks are drawn
   * @param mostTrees how many trees are drawn
   * @return the exception
   */
  static InvalidInputException treesTooLarge(
      String what, int size, int trees, int mostRanks, int mostTrees) {
    return InvalidInputException.of(
        "the trees of " + what + " are too large to draw",
        "they are "
            + trees
            + " of "
            + size
            + " ranks; at most "
            + mostTrees
            + " of "
            + mostRanks
            + " ranks are drawn",
        "draw fewer ranks or fewer blocks");
  }

  /**
   * Trees of too many ranks.
   *
   * @param size the number of ranks
   * @param most how many are drawn
   * @return the exception
   */
  static InvalidInputException tooManyRanks(int size, int most) {
    return InvalidInputException.of(
        "trees of " + size + " ranks are too large to draw",
        "at most " + most + " ranks are drawn in trees",
        "draw fewer ranks, or rounds over time");
  }

  /**
   * More blocks than can be followed.
   *
   * @param blocks the number of blocks of a vector
   * @param size the number of ranks
   * @param most how many all ranks may send
   * @return the exception
   */
  static InvalidInputException tooManyBlocks(int blocks, int size, long most) {
    return InvalidInputException.of(
        blocks + " blocks of " + size + " ranks are too many to draw",
        "each is followed on its way, and all ranks together may send " + most + " at most",
        "draw fewer blocks or fewer ranks");
  }

  /**
   * A diagram of rounds that would not be readable.
   *
   * @param size the number of ranks
   * @param rounds the number of rounds
   * @param most how many rounds of a rank are drawn
   * @return the exception
   */
  static InvalidInputException timeTooLarge(int size, int rounds, int most) {
    return InvalidInputException.of(
        size + " ranks over " + rounds + " rounds are too large to draw",
        "ranks times rounds may be " + most + " at most",
        "draw fewer ranks or fewer blocks");
  }
}
