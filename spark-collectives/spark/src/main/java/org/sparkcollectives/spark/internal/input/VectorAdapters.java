package org.sparkcollectives.spark.internal.input;

import static java.util.Objects.requireNonNull;

import java.lang.ref.Reference;
import java.lang.ref.SoftReference;
import java.lang.ref.WeakReference;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.ServiceConfigurationError;
import java.util.ServiceLoader;
import java.util.Set;
import java.util.WeakHashMap;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.sparkcollectives.internal.error.ErrorText;
import org.sparkcollectives.spark.VectorAdapter;

/**
 * The adapters of this process: that for numbers, and those that {@code META-INF/services} names,
 * where the library is and where the thread's application is, which may be another class loader.
 */
public final class VectorAdapters {
  private static final Logger LOG = LoggerFactory.getLogger(VectorAdapters.class);
  private static final ClassLoader LIBRARY = VectorAdapter.class.getClassLoader();

  /** How the names of the library's own adapters for MLlib begin, which not every Spark has. */
  private static final String OWN = "org.sparkcollectives.spark.internal.";

  /** What has been found, softly: adapters hold the class loader that they are from. */
  private static final Map<ClassLoader, Found> BY_LOADER = new WeakHashMap<>();

  private static final Set<String> SAID = ConcurrentHashMap.newKeySet();

  /** What was found last, which is asked for every element. */
  private static volatile @Nullable Found latest;

  private VectorAdapters() {}

  /** The adapters that a class loader finds. */
  private record Found(Reference<ClassLoader> loader, Reference<List<VectorAdapter>> adapters) {}

  /**
   * The adapter that knows a value.
   *
   * @param value any object
   * @return the first that knows it, or null
   */
  public static @Nullable VectorAdapter of(Object value) {
    for (VectorAdapter adapter : all()) {
      if (adapter.adapts(value)) {
        return adapter;
      }
    }
    return null;
  }

  /**
   * A value that stands for an array.
   *
   * @param array the array, which the value may keep
   * @param like a value of the class that it is to have, which an adapter knows; null for the array
   *     itself
   * @return the value
   */
  public static Object fromArray(Object array, @Nullable Object like) {
    return like == null ? array : requireNonNull(of(like)).fromArray(array, like);
  }

  /**
   * Checks, before anything is computed, that results can have the elements' class.
   *
   * @param elements this class, as far as the caller knows it
   * @throws org.sparkcollectives.error.InvalidInputException if some results are of another one
   */
  public static void requireResults(Class<?> elements) {
    for (VectorAdapter adapter : all()) {
      if (adapter instanceof SparseAdapter sparse && sparse.sparseOnly(elements)) {
        throw InputErrors.denseResults(elements.getTypeName());
      }
    }
  }

  private static List<VectorAdapter> all() {
    @Nullable ClassLoader application = Thread.currentThread().getContextClassLoader();
    ClassLoader loader = application == null ? LIBRARY : application;
    Found last = latest;
    List<VectorAdapter> known =
        last != null && last.loader().refersTo(loader) ? last.adapters().get() : null;
    return known == null ? lookUp(loader) : known;
  }

  private static List<VectorAdapter> lookUp(ClassLoader loader) {
    synchronized (BY_LOADER) {
      Found found = BY_LOADER.get(loader);
      List<VectorAdapter> known = found == null ? null : found.adapters().get();
      if (known == null) {
        known = load(loader);
        found = new Found(new WeakReference<>(loader), new SoftReference<>(known));
        BY_LOADER.put(loader, found);
      }
      latest = found;
      return known;
    }
  }

  private static List<VectorAdapter> load(ClassLoader loader) {
    List<VectorAdapter> all = new ArrayList<>(List.of(new NumberAdapter()));
    add(all, LIBRARY);
    if (loader != LIBRARY) {
      add(all, loader);
    }
    return List.copyOf(all);
  }

  /** Adds those that are of no class that is there already. */
  private static void add(List<VectorAdapter> all, ClassLoader loader) {
    Iterator<VectorAdapter> found = ServiceLoader.load(VectorAdapter.class, loader).iterator();
    boolean more = true;
    while (more) {
      try {
        more = found.hasNext();
        if (more) {
          VectorAdapter next = found.next();
          if (all.stream().noneMatch(each -> each.getClass() == next.getClass())) {
            all.add(next);
          }
        }
      } catch (ServiceConfigurationError | LinkageError e) {
        leaveOut(e);
      }
    }
  }

  /** Says once that an adapter is left out, unless it is one of the library's for MLlib. */
  private static void leaveOut(Error reason) {
    String text = String.valueOf(reason.getMessage());
    if (text.contains(OWN)) {
      LOG.debug("a vector adapter cannot be used here: {}", reason.toString());
    } else if (SAID.add(text)) {
      LOG.warn(
          ErrorText.of(
              "a vector adapter is left out",
              ErrorText.reason(reason),
              "give its class a public constructor without arguments, and name all jars that it"
                  + " needs in --jars"),
          reason);
    }
  }
}
