package org.sparkcollectives.benchmarks.report;

/** What is done when this process is told to end, unless this is closed before. */
public final class AtEnd implements AutoCloseable {
  private final Thread hook;

  /**
   * From now on.
   *
   * @param name of the thread that does it
   * @param action what is done, while other threads go on
   */
  public AtEnd(String name, Runnable action) {
    this.hook = new Thread(action, name);
    Runtime.getRuntime().addShutdownHook(hook);
  }

  @Override
  public void close() {
    try {
      Runtime.getRuntime().removeShutdownHook(hook);
    } catch (IllegalStateException e) {
      return; // the process is ending, and it is done
    }
  }
}
