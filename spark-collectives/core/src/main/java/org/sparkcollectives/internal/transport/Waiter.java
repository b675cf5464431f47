package org.sparkcollectives.internal.transport;

import java.io.IOException;
import java.io.InterruptedIOException;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;
import org.sparkcollectives.internal.transport.LinkProvider.WaitableLink;

/**
 * How one rank's thread waits: it parks, or blocks in a selector where it has channels too. Others
 * end the wait; a thread that does not wait costs them one fence and one load.
 */
final class Waiter {
  private static final int RUNNING = 0;
  private static final int WAITING = 1;

  private static final VarHandle STATE;
  private static final VarHandle WOKEN;

  static {
    try {
      MethodHandles.Lookup lookup = MethodHandles.lookup();
      STATE = lookup.findVarHandle(Waiter.class, "state", int.class);
      WOKEN = lookup.findVarHandle(Waiter.class, "woken", boolean.class);
    } catch (ReflectiveOperationException impossible) {
      throw new ExceptionInInitializerError(impossible);
    }
  }

  private final String rank;

  @SuppressWarnings("UnusedVariable") // through its handle
  private volatile int state = RUNNING;

  @SuppressWarnings("UnusedVariable") // through its handle
  private volatile boolean woken;

  private volatile @Nullable Thread owner;
  private volatile @Nullable Selector selector;

  /**
   * Makes the waiter of a rank.
   *
   * @param rank the rank's name, for messages
   */
  Waiter(String rank) {
    this.rank = rank;
  }

  /**
   * Makes later waits block in a selector instead of parking; for the owning thread.
   *
   * @param replacement the selector, with the keys whose readiness ends a wait
   */
  void attach(Selector replacement) {
    selector = replacement;
  }

  /** Ends the current wait at once, or the next one if there is none. For any thread. */
  void wakeup() {
    woken = true;
    signal();
  }

  /** Ends the current wait if there is one; for a thread that has just changed a link. */
  void signal() {
    VarHandle.fullFence();
    if ((int) STATE.getOpaque(this) == WAITING && STATE.compareAndSet(this, WAITING, RUNNING)) {
      Selector blocking = selector;
      if (blocking != null) {
        blocking.wakeup();
      } else {
        LockSupport.unpark(owner);
      }
    }
  }

  /**
   * Whether there is reason to wait.
   *
   * @param readable the link that is waited on for bytes, or null
   * @param writable the link that is waited on for room, or null
   * @return false if one of them is ready, or {@link #wakeup()} was called
   * @throws InterruptedIOException if the thread is interrupted; its interrupt status stays set
   */
  boolean prepare(@Nullable WaitableLink readable, @Nullable WaitableLink writable)
      throws InterruptedIOException {
    checkInterrupt();
    return !ready(readable, writable);
  }

  /**
   * Waits until a link is ready, a key of the attached selector is, {@link #wakeup()} is called, or
   * time is up; may return early.
   *
   * @param readable the link that is waited on for bytes, or null
   * @param writable the link that is waited on for room, or null
   * @param nanos how long at most; with a selector, rounded up to milliseconds
   * @throws InterruptedIOException if the thread is interrupted; its interrupt status stays set
   * @throws IOException if the selector fails or is closed
   */
  void await(@Nullable WaitableLink readable, @Nullable WaitableLink writable, long nanos)
      throws IOException {
    if (nanos <= 0) {
      poll();
      return;
    }
    final long start = System.nanoTime();
    owner = Thread.currentThread();
    state = WAITING;
    VarHandle.fullFence();
    try {
      if (ready(readable, writable)) {
        return;
      }
      long left = nanos - (System.nanoTime() - start);
      Selector blocking = selector;
      if (left <= 0) {
        poll();
      } else if (blocking == null) {
        LockSupport.parkNanos(this, left);
      } else {
        long millis = TimeUnit.NANOSECONDS.toMillis(left + TimeUnit.MILLISECONDS.toNanos(1) - 1);
        blocking.select(Waiter::noted, millis);
      }
    } finally {
      state = RUNNING;
    }
    WOKEN.getAndSet(this, false);
    checkInterrupt();
  }

  private void checkInterrupt() throws InterruptedIOException {
    if (Thread.currentThread().isInterrupted()) {
      throw LinkErrors.interrupted(rank);
    }
  }

  private void poll() throws IOException {
    Selector polled = selector;
    if (polled != null) {
      polled.selectNow(Waiter::noted);
    }
  }

  private boolean ready(@Nullable WaitableLink readable, @Nullable WaitableLink writable) {
    boolean one = readable == writable;
    return (readable != null && !readable.prepare(true, one))
        || (writable != null && !one && !writable.prepare(false, true))
        || (woken && (boolean) WOKEN.getAndSet(this, false));
  }

  /** What happens to a ready key: its owner tries the channel itself. */
  @SuppressWarnings("UnusedVariable")
  private static void noted(SelectionKey key) {}
}
