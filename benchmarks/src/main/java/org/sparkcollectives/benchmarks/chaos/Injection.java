package org.sparkcollectives.benchmarks.chaos;

import java.io.IOException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.sparkcollectives.internal.transport.Peer;

/** Makes one fault happen while collectives run, and ends it. */
abstract class Injection implements AutoCloseable {
  static final long END_SECONDS = 60;

  /** What happens, to whom and for how long. */
  final Fault fault;

  /** Whose collectives run. */
  final ChaosRanks ranks;

  private final long deadlineMillis;
  private final ExecutorService later = Executors.newCachedThreadPool(Injection::thread);
  private final List<Future<?>> due = Collections.synchronizedList(new ArrayList<>());
  private final List<Integer> hit = Collections.synchronizedList(new ArrayList<>());
  private volatile long hitNanos;
  private volatile long stoppedMillis;

  Injection(Fault fault, ChaosRanks ranks, long deadlineMillis) {
    this.fault = fault;
    this.ranks = ranks;
    this.deadlineMillis = deadlineMillis;
  }

  private static Thread thread(Runnable body) {
    Thread thread = new Thread(body, "fault");
    thread.setDaemon(true);
    return thread;
  }

  /** Prepares what happens while collectives run. */
  abstract void beforeJoin(List<Peer> all) throws IOException;

  /** Says that the collectives run now. */
  abstract void running();

  /** Prepares what happens when the communicator ends. */
  void beforeLeave() {}

  /**
   * Ends the fault, and waits until it has.
   *
   * @return whether it has happened
   */
  abstract boolean end() throws IOException;

  /** What should not have been possible. */
  List<String> complaints() {
    return List.of();
  }

  final void isHit(List<Integer> who) {
    hit.addAll(who);
    hitNanos = System.nanoTime();
  }

  /** How many milliseconds it lasts. */
  final long lasting() {
    return (long) (fault.share() * deadlineMillis);
  }

  /** Does something beside the collectives; {@link #awaitDue} waits for its end. */
  final void beside(Callable<?> body) {
    due.add(later.submit(body));
  }

  /** Stops the victim's process for as long as the fault lasts. */
  final void stop() throws IOException {
    long start = System.nanoTime();
    ranks.process(fault.victim()).signal("STOP");
    beside(
        () -> {
          TimeUnit.MILLISECONDS.sleep(lasting());
          ranks.process(fault.victim()).signal("CONT");
          stoppedMillis = TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - start);
          return true;
        });
  }

  /** Waits until all that is done beside the collectives has ended. */
  final void awaitDue() throws IOException {
    try {
      for (int next = 0; next < due.size(); next++) { // what ends may have begun more
        due.get(next).get(END_SECONDS, TimeUnit.SECONDS);
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IOException("interrupted while a fault was ended", e);
    } catch (ExecutionException | TimeoutException e) {
      throw new IOException(fault + " does not end", e);
    }
  }

  /** The ranks that it has happened to. */
  final List<Integer> hit() {
    return List.copyOf(hit);
  }

  /** When it happened, 0 before. */
  final long hitNanos() {
    return hitNanos;
  }

  /** How long the victim was stopped. */
  final long stoppedMillis() {
    return stoppedMillis;
  }

  @Override
  public void close() {
    later.shutdownNow();
  }
}
