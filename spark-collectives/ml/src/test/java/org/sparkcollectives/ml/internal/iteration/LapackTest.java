package org.sparkcollectives.ml.internal.iteration;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.ludovic.netlib.lapack.LAPACK;
import java.lang.reflect.Method;
import java.net.URL;
import java.net.URLClassLoader;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.netlib.lapack.Dlamch;

/** Ranks of one executor that are the first to ask LAPACK, all at once. */
@Timeout(120)
final class LapackTest {
  private static final int EXECUTORS = 60;
  private static final int RANKS = 4;
  private static final double HALF_ULP_OF_ONE = 0x1p-53;

  @Test
  void allRanksOfAnExecutorComputeWithTheSamePrecision() throws Exception {
    URL[] path = {place(Lapack.class), place(LAPACK.class), place(Dlamch.class)};
    ExecutorService threads = Executors.newFixedThreadPool(RANKS);
    try {
      for (int i = 0; i < EXECUTORS; i++) {
        try (URLClassLoader executor = fresh(path)) {
          CyclicBarrier start = new CyclicBarrier(RANKS);
          List<Future<Double>> found = new ArrayList<>();
          for (int rank = 0; rank < RANKS; rank++) {
            found.add(
                threads.submit(
                    () -> {
                      start.await(60, TimeUnit.SECONDS);
                      return asked(executor);
                    }));
          }
          for (Future<Double> each : found) {
            assertEquals(HALF_ULP_OF_ONE, each.get(60, TimeUnit.SECONDS), "executor " + i);
          }
        }
      }
    } finally {
      threads.shutdownNow();
    }
  }

  /** What LAPACK then says, as MLlib asks it. */
  private static double asked(ClassLoader executor) throws ReflectiveOperationException {
    Method prepared = executor.loadClass(Lapack.class.getName()).getDeclaredMethod("precision");
    prepared.setAccessible(true);
    prepared.invoke(null);
    Class<?> lapack = executor.loadClass(LAPACK.class.getName());
    Object instance = lapack.getMethod("getInstance").invoke(null);
    return (double) lapack.getMethod("dlamch", String.class).invoke(instance, "E");
  }

  /** As a JVM that has loaded none of the classes yet. */
  private static URLClassLoader fresh(URL... path) {
    return new URLClassLoader(path, ClassLoader.getPlatformClassLoader());
  }

  private static URL place(Class<?> type) {
    return type.getProtectionDomain().getCodeSource().getLocation();
  }
}
