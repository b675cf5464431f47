package org.sparkcollectives.spark;

import org.apache.spark.api.plugin.DriverPlugin;
import org.apache.spark.api.plugin.ExecutorPlugin;
import org.apache.spark.api.plugin.SparkPlugin;
import org.jspecify.annotations.Nullable;
import org.sparkcollectives.spark.internal.plugin.DriverExtensions;

/**
 * The switch for what the library does to applications that do not call it, such as training
 * MLlib's models faster: {@code spark.plugins=org.sparkcollectives.spark.CollectivesPlugin}. It
 * works in the driver alone. The log says what it has switched on. The library's tab in Spark's UI
 * is there from the start with it, and else from the first call on.
 */
public final class CollectivesPlugin implements SparkPlugin {
  /** Makes the plugin; Spark does. */
  public CollectivesPlugin() {}

  @Override
  public DriverPlugin driverPlugin() {
    return new DriverExtensions();
  }

  /**
   * The plugin of executors.
   *
   * @return null, which for Spark means that there is none
   */
  @Override
  public @Nullable ExecutorPlugin executorPlugin() {
    return null;
  }
}
