package org.sparkcollectives.spark;

import org.apache.spark.launcher.JavaModuleOptions;

/** Prints the options that a JVM needs for Spark, on one line, for the script. */
public final class ModuleOptions {
  private ModuleOptions() {}

  /**
   * Prints the options.
   *
   * @param arguments none
   */
  public static void main(String[] arguments) {
    System.out.println(JavaModuleOptions.defaultModuleOptions().trim());
  }
}
