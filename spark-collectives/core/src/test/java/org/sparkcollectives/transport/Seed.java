package org.sparkcollectives.transport;

import java.util.SplittableRandom;

/** The seed of a test's random choices: fresh for each run, or given by {@code -Dseed=…}. */
public final class Seed {
  private Seed() {}

  /** A test that draws its choices from a seed. */
  @FunctionalInterface
  public interface Body {
    /**
     * Runs the test.
     *
     * @param seed the seed
     * @throws Exception if it fails
     */
    void run(long seed) throws Exception;
  }

  /**
   * Runs a test, and says on failure how to run it again with the same choices.
   *
   * @param test the test's class
   * @param body the test
   */
  public static void run(Class<?> test, Body body) {
    long seed = Long.getLong("seed", new SplittableRandom().nextLong());
    try {
      body.run(seed);
    } catch (Exception | AssertionError failure) {
      throw new AssertionError(
          "seed "
              + seed
              + "; again with: mvn -pl spark-collectives -am test -Dtest="
              + test.getSimpleName()
              + " -Dseed="
              + seed,
          failure);
    }
  }
}
