package org.sparkcollectives.spark.internal.body;

import java.util.List;
import org.sparkcollectives.internal.vector.FixedVector;
import org.sparkcollectives.internal.vector.Vector;
import org.sparkcollectives.spark.internal.conf.Settings;
import org.sparkcollectives.spark.internal.input.LocalFold;
import org.sparkcollectives.spark.internal.rendezvous.Attempt;
import org.sparkcollectives.spark.internal.result.BlockStore;

/**
 * How vectors are cut into parts of nearly equal length, one for each partition of the result, and
 * which ranks make these: consecutive ones, as evenly as possible.
 *
 * @param parts the number of parts
 * @param width array elements that stay together
 * @param ranks the number of ranks
 */
record PartPlan(int parts, int width, int ranks) {

  /** The first part that a rank makes; one after the last for {@code rank == ranks}. */
  int first(int rank) {
    return (int) ((long) rank * parts / ranks);
  }

  /** The first element of a part of a vector; the length for {@code part == parts}. */
  int start(int length, int part) {
    return (int) ((long) (length / width) * part / parts) * width;
  }

  /** The elements of a vector that each rank gets. */
  int[] counts(int length) {
    int[] counts = new int[ranks];
    for (int rank = 0; rank < ranks; rank++) {
      counts[rank] = start(length, first(rank + 1)) - start(length, first(rank));
    }
    return counts;
  }

  /**
   * Cuts what a rank has got of one vector, and stores the parts.
   *
   * @param got the rank's elements of the vector
   * @param length the length of the whole vector
   * @param rank the rank
   * @param attempt has the number under which parts are stored
   * @param fold makes what the user is given
   */
  void store(Object got, int length, int rank, Attempt attempt, LocalFold fold) {
    FixedVector all = Vector.of(got);
    int from = start(length, first(rank));
    for (int part = first(rank); part < first(rank + 1); part++) {
      int count = start(length, part + 1) - start(length, part);
      FixedVector own = (FixedVector) all.allocate(count);
      own.copy(all, start(length, part) - from, 0, count);
      store(attempt, part, fold.restore(own.array()));
    }
  }

  /** Stores a part, on as many executors as the settings say. */
  static void store(Attempt attempt, int part, Object value) {
    int replicas = attempt.conf().get(Settings.REPLICAS);
    BlockStore.putPart(attempt.results(), part, new Object[] {value}, replicas);
  }

  /** The lengths of vectors. */
  static int[] lengths(List<FixedVector> vectors) {
    return vectors.stream().mapToInt(Vector::length).toArray();
  }
}
