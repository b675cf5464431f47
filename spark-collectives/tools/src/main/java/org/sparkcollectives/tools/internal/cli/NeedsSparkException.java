package org.sparkcollectives.tools.internal.cli;

/** Says that a command needs Spark's classes, which this process does not have. */
final class NeedsSparkException extends RuntimeException {
  private static final long serialVersionUID = 1L;
  private static final String PROOF = "org.apache.spark.api.java.JavaSparkContext";

  private NeedsSparkException(String problem) {
    super(problem);
  }

  /**
   * Asks for Spark's classes.
   *
   * @param problem what cannot be done without them
   * @throws NeedsSparkException if they are not on the class path
   */
  static void throwIfMissing(String problem) {
    if (!hasSpark()) {
      throw new NeedsSparkException(problem);
    }
  }

  /** Whether Spark's classes are on the class path. */
  static boolean hasSpark() {
    try {
      Class.forName(PROOF, false, NeedsSparkException.class.getClassLoader());
      return true;
    } catch (ClassNotFoundException e) {
      return false;
    }
  }
}
