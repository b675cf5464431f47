package org.sparkcollectives.spark.internal.job;

/**
 * A program of the library's own. Errors, logs and the UI call it by what its user has asked for,
 * and not by the call that runs programs.
 */
public interface NamedProgram {
  /**
   * What was asked for.
   *
   * @return a noun, such as "training"
   */
  String operation();
}
