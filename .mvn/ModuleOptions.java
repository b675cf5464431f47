import org.apache.spark.launcher.JavaModuleOptions;

/** Prints the options that a JVM needs for Spark, on one line; Spark's launcher knows them. */
public final class ModuleOptions {
  private ModuleOptions() {}

  /**
   * Prints the options.
   *
   * @param args none
   */
  public static void main(String[] args) {
    System.out.println(JavaModuleOptions.defaultModuleOptions().trim());
  }
}
