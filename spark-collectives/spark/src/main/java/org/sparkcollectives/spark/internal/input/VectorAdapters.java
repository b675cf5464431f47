package org.sparkcollectives.spark.internal.input;

import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.ServiceConfigurationError;
import java.util.ServiceLoader;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.sparkcollectives.spark.VectorAdapter;

/**
 * The adapters of this process: that for numbers, and those that {@code META-INF/services} names.
 */
public final class VectorAdapters {
  private static final Logger LOG = LoggerFactory.getLogger(VectorAdapters.class);
  private static final List<VectorAdapter> ALL = load();

  private VectorAdapters() {}

  /**
   * The adapter that knows a value.
   *
   * @param value any object
   * @return the first that knows it, or null
   */
  public static @Nullable VectorAdapter of(Object value) {
    for (VectorAdapter adapter : ALL) {
      if (adapter.adapts(value)) {
        return adapter;
      }
    }
    return null;
  }

  private static List<VectorAdapter> load() {
    List<VectorAdapter> all = new ArrayList<>(List.of(new NumberAdapter()));
    Iterator<VectorAdapter> found =
        ServiceLoader.load(VectorAdapter.class, VectorAdapter.class.getClassLoader()).iterator();
    boolean more = true;
    while (more) {
      try {
        more = found.hasNext();
        if (more) {
          all.add(found.next());
        }
      } catch (ServiceConfigurationError | NoClassDefFoundError e) {
        // An adapter for a library that this class path lacks, such as MLlib.
        LOG.debug("a vector adapter cannot be used here: {}", e.toString());
      }
    }
    return List.copyOf(all);
  }
}
