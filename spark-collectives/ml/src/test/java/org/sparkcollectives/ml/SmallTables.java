package org.sparkcollectives.ml;

import org.apache.spark.SparkConf;

/**
 * Settings of applications whose tables have some hundred rows. To make and compile code for each
 * query, which Spark does otherwise, took an eighth of the processors' time of these tests, which
 * are not about queries.
 */
public final class SmallTables {
  private SmallTables() {}

  /**
   * Adds the settings.
   *
   * @param conf an application's settings
   * @return the same
   */
  public static SparkConf in(SparkConf conf) {
    return conf.set("spark.sql.shuffle.partitions", "2")
        .set("spark.sql.codegen.wholeStage", "false")
        .set("spark.sql.codegen.factoryMode", "NO_CODEGEN");
  }
}
