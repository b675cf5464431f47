package org.sparkcollectives.testing;

import java.util.concurrent.Callable;
import java.util.concurrent.FutureTask;

/** Work beside a test's thread. */
public final class Background {
  private Background() {}

  /**
   * Starts work in a thread of its own, which does not keep the JVM.
   *
   * @param <T> the result's type
   * @param work the work
   * @return its future
   */
  public static <T> FutureTask<T> start(Callable<T> work) {
    FutureTask<T> task = new FutureTask<>(work);
    Thread thread = new Thread(task);
    thread.setDaemon(true);
    thread.start();
    return task;
  }
}
