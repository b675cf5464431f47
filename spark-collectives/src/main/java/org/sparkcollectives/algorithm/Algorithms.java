package org.sparkcollectives.algorithm;

import java.util.List;
import org.sparkcollectives.error.Errors;
import org.sparkcollectives.schedule.Collective;

/**
 * The registry of all algorithms, written by hand: what stands here is verified, run and listed.
 */
public final class Algorithms {
  private static final List<Algorithm> ALL = List.of();

  private Algorithms() {}

  /**
   * All algorithms.
   *
   * @return by collective, in the order of their presentation
   */
  public static List<Algorithm> all() {
    return ALL;
  }

  /**
   * The algorithms for a collective.
   *
   * @param collective the collective
   * @return its algorithms, in the order of their presentation
   */
  public static List<Algorithm> of(Collective collective) {
    return ALL.stream().filter(a -> a.collective() == collective).toList();
  }

  /**
   * The algorithm of a name.
   *
   * @param collective the collective
   * @param slug the algorithm's name
   * @return the algorithm
   * @throws org.sparkcollectives.error.InvalidInputException if there is none; the message lists
   *     those that exist
   */
  public static Algorithm find(Collective collective, String slug) {
    for (Algorithm algorithm : of(collective)) {
      if (algorithm.slug().equals(slug)) {
        return algorithm;
      }
    }
    throw Errors.unknownAlgorithm(
        collective.slug(), slug, of(collective).stream().map(Algorithm::slug).toList());
  }
}
