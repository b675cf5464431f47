package org.sparkcollectives.internal.algorithm.reducescatter;

import java.util.List;
import org.sparkcollectives.internal.algorithm.pattern.EvenParts;
import org.sparkcollectives.internal.shape.BinaryBlocks;
import org.sparkcollectives.schedule.BlockRange;
import org.sparkcollectives.schedule.Problem;

/**
 * What the ranks of one run hold while {@link BinaryBlocksReduceScatter} halves a vector. The
 * longest run has P ranks; place q of P is the parts of ranks q and P + q.
 *
 * @param problem what is to be solved
 * @param runs all runs
 * @param index this run's index, 0 for the longest
 */
record PlacesOfRun(Problem problem, BinaryBlocks runs, int index) {
  int exponent() {
    return runs.exponent(index);
  }

  int rank(int member) {
    return runs.first(index) + member;
  }

  /** The share of a member, by number; it is its own inverse. */
  int share(int member) {
    return problem.ordered() && exponent() > 0
        ? Integer.reverse(member) >>> (Integer.SIZE - exponent())
        : member;
  }

  /** The member that the halving of some level is done with. */
  int other(int member, int level) {
    return share(share(member) ^ (1 << (exponent() - 1 - level)));
  }

  /** The parts in what a member holds after some halvings. */
  List<BlockRange> held(int member, int level) {
    int length = 1 << (runs.exponent(0) - level);
    int first = (share(member) >> (exponent() - level)) * length;
    int size = problem.size();
    int longest = 1 << runs.exponent(0);
    int above = Math.min(longest + first, size);
    return List.of(
        EvenParts.of(problem.blocks(), size, first, first + length),
        EvenParts.of(problem.blocks(), size, above, Math.min(above + length, size)));
  }

  /** Whether shares end at members of another number: four members and more in order. */
  boolean permutes() {
    return problem.ordered() && exponent() > 1;
  }

  /** A bound for the {@code 2^level}-th part of all places. */
  int largest(int level) {
    int size = problem.size();
    int places = 1 << (exponent() - level);
    int above = Math.min(places, size - (1 << exponent()));
    int blocks = problem.blocks();
    return Math.min(
        blocks, EvenParts.largest(blocks, size, places) + EvenParts.largest(blocks, size, above));
  }

  /** Whether a place with blocks ends at a rank of another number. */
  boolean moves() {
    int blocks = problem.blocks();
    int size = problem.size();
    for (int block = 0; block < Math.min(blocks, size); block++) {
      int owner = blocks < size ? EvenParts.indexOf(blocks, size, block) : block;
      if (share(owner) != owner) {
        return true;
      }
    }
    return false;
  }
}
