package org.sparkcollectives.spark.internal.input;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.sparkcollectives.spark.VectorAdapter;
import org.sparkcollectives.testing.LogLines;

/** Adapters of an application whose class loader is not the library's. */
class VectorAdaptersTest {
  private static final ClassLoader BEFORE = Thread.currentThread().getContextClassLoader();

  /** What an application has. */
  record Point(double x, double y) {}

  /** Its adapter. */
  public static final class PointAdapter implements VectorAdapter {
    @Override
    public boolean adapts(Object value) {
      return value instanceof Point;
    }

    @Override
    public Object toArray(Object value) {
      Point point = (Point) value;
      return new double[] {point.x(), point.y()};
    }

    @Override
    public Object fromArray(Object array, @Nullable Object like) {
      double[] both = (double[]) array;
      return new Point(both[0], both[1]);
    }
  }

  @TempDir private Path jar;

  /** A class loader, as spark-submit has one for the application's jar. */
  private URLClassLoader application(String... adapters) throws IOException {
    Path services = Files.createDirectories(jar.resolve("META-INF").resolve("services"));
    Files.write(services.resolve(VectorAdapter.class.getName()), List.of(adapters));
    return new URLClassLoader(new URL[] {jar.toUri().toURL()}, BEFORE);
  }

  @Test
  void theContextClassLoaderIsAskedAndTheLibrarysOwnWhereThereIsNone() throws IOException {
    try (URLClassLoader loader = application(PointAdapter.class.getName())) {
      Thread.currentThread().setContextClassLoader(loader);
      assertInstanceOf(PointAdapter.class, VectorAdapters.of(new Point(1, 2)));
      assertInstanceOf(NumberAdapter.class, VectorAdapters.of(1.5));
      for (ClassLoader other : new ClassLoader[] {null, BEFORE}) {
        Thread.currentThread().setContextClassLoader(other);
        assertNull(VectorAdapters.of(new Point(1, 2)));
        assertInstanceOf(NumberAdapter.class, VectorAdapters.of(1.5));
      }
      Thread.currentThread().setContextClassLoader(loader);
      assertInstanceOf(PointAdapter.class, VectorAdapters.of(new Point(1, 2)));
    }
  }

  @Test
  void anAdapterThatCannotBeMadeIsNamedOnce() throws IOException {
    try (LogLines log = new LogLines(VectorAdapters.class.getName())) {
      for (int i = 0; i < 2; i++) {
        try (URLClassLoader loader =
            application("application.Missing", PointAdapter.class.getName())) {
          Thread.currentThread().setContextClassLoader(loader);
          assertInstanceOf(PointAdapter.class, VectorAdapters.of(new Point(1, 2)));
        }
      }
      assertEquals(1, log.lines().size(), log.lines()::toString);
      assertTrue(
          log.lines().get(0).startsWith("WARN a vector adapter is left out"),
          log.lines()::toString);
      assertTrue(log.lines().get(0).contains("application.Missing"), log.lines()::toString);
    }
  }
}
