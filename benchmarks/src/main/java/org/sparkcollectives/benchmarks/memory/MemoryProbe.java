package org.sparkcollectives.benchmarks.memory;

import java.io.Serializable;
import java.lang.management.BufferPoolMXBean;
import java.lang.management.ManagementFactory;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/**
 * Watches the memory of the JVM that it runs in. While it watches, it collects garbage again and
 * again and notes how much is left, so that it sees what is in use and not what is merely not yet
 * collected.
 */
public final class MemoryProbe implements Runnable {
  private static final long SHORTEST_PAUSE_NANOS = 20_000_000;

  /** Collections take a sixth of the time, so that what is watched still gets on. */
  private static final int PAUSE_PER_COLLECTION = 5;

  private static @Nullable MemoryProbe active;

  private final Thread thread = new Thread(this, "memory-probe");
  private volatile boolean ended;
  private final Usage before;
  private volatile Usage peak;

  private MemoryProbe() {
    before = inUse();
    peak = before;
    thread.setDaemon(true);
  }

  /**
   * Memory at some moment, or the difference between two moments.
   *
   * @param heap bytes of live objects
   * @param direct bytes of direct buffers
   */
  public record Usage(long heap, long direct) implements Serializable {

    /**
     * Both together.
     *
     * @return bytes
     */
    public long total() {
      return heap + direct;
    }
  }

  /**
   * What is in use in this JVM now, after a garbage collection.
   *
   * @return the memory in use
   */
  public static Usage inUse() {
    System.gc();
    long direct =
        ManagementFactory.getPlatformMXBeans(BufferPoolMXBean.class).stream()
            .filter(pool -> pool.getName().equals("direct"))
            .mapToLong(BufferPoolMXBean::getMemoryUsed)
            .sum();
    return new Usage(ManagementFactory.getMemoryMXBean().getHeapMemoryUsage().getUsed(), direct);
  }

  /** Begins to watch this JVM, unless it is watched. */
  public static synchronized void start() {
    if (isActive()) {
      return;
    }
    MemoryProbe probe = new MemoryProbe();
    active = probe;
    probe.thread.start();
  }

  /**
   * Whether this JVM is watched.
   *
   * @return whether it is
   */
  public static synchronized boolean isActive() {
    return active != null;
  }

  /**
   * Ends watching.
   *
   * @return by how much the largest use was above that at the start
   * @throws InterruptedException if the thread is interrupted meanwhile
   */
  public static synchronized Usage stop() throws InterruptedException {
    MemoryProbe probe = active;
    if (probe == null) {
      throw new IllegalStateException("the probe was not started in this JVM");
    }
    active = null;
    probe.ended = true;
    LockSupport.unpark(probe.thread);
    probe.thread.join();
    return new Usage(
        probe.peak.heap() - probe.before.heap(), probe.peak.direct() - probe.before.direct());
  }

  @Override
  public void run() {
    while (!ended) {
      long start = System.nanoTime();
      Usage now = inUse();
      if (now.total() > peak.total()) {
        peak = now;
      }
      LockSupport.parkNanos(
          Math.max(SHORTEST_PAUSE_NANOS, PAUSE_PER_COLLECTION * (System.nanoTime() - start)));
    }
  }
}
