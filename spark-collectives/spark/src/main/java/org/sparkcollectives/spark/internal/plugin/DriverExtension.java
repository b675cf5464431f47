package org.sparkcollectives.spark.internal.plugin;

import java.util.Map;
import java.util.function.LongSupplier;
import org.apache.spark.SparkContext;

/** A part of the library that an application switches on; jars name theirs for ServiceLoader. */
public interface DriverExtension {
  /**
   * Switches it on. Called in the driver, once for each application, before it has executors.
   *
   * @param context the application, which is not wholly made yet
   * @return what it has switched on, for the log, as a phrase such as "X by Y"
   * @throws org.sparkcollectives.error.CollectiveException if it stays off; the application goes on
   *     without it
   */
  String start(SparkContext context);

  /**
   * What it counts, for Spark's metrics of the driver. Called where {@link #start} has returned.
   *
   * @return for each name, such as {@code mllib.trainings}, what gives the number so far
   */
  Map<String, LongSupplier> metrics();

  /**
   * Switches it off, when the application ends. Called where {@link #start} has returned.
   *
   * @return what it has done, for the log, as a phrase; empty for nothing
   */
  String stop();
}
