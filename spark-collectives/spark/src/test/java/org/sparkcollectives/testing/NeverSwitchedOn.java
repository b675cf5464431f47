package org.sparkcollectives.testing;

import java.util.Map;
import java.util.function.LongSupplier;
import org.sparkcollectives.spark.internal.plugin.DriverExtension;

/** An extension whose start fails, after which nobody may ask for anything else. */
public abstract class NeverSwitchedOn implements DriverExtension {
  @Override
  public final Map<String, LongSupplier> metrics() {
    throw new AssertionError("was not started");
  }

  @Override
  public final String stop() {
    throw new AssertionError("was not started");
  }
}
