package org.sparkcollectives;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.sparkcollectives.internal.engine.Operation;
import org.sparkcollectives.transport.Cancellation;
import org.sparkcollectives.transport.Transport;

/**
 * What a rank has called last in one communicator. Once an operation takes a second, or breaks off
 * because a peer has left, it is told to the options' listener, who may find that another rank
 * called something else and cancels.
 */
final class Trail implements Cancellation {
  private static final int KEPT = 8;
  private static final long SOON_NANOS = TimeUnit.SECONDS.toNanos(1);
  private static final long ANSWER_NANOS = TimeUnit.MILLISECONDS.toNanos(2500);
  private static final long POLL_NANOS = TimeUnit.MILLISECONDS.toNanos(20);

  private final CommunicatorOptions options;
  private final Transport transport;
  private static final System.Logger LOG = System.getLogger(Trail.class.getName());

  private final long communicator;
  private final Operation.@Nullable Called[] last = new Operation.@Nullable Called[KEPT];
  private long operations;
  private long startNanos;
  private boolean told;

  /**
   * An empty trail.
   *
   * @param communicator the communicator's identity, the same on all its ranks
   */
  Trail(CommunicatorOptions options, Transport transport, long communicator) {
    this.options = options;
    this.transport = transport;
    this.communicator = communicator;
  }

  /** The communicator's identity, the same on all its ranks. */
  long communicator() {
    return communicator;
  }

  /** How many operations have begun. */
  long operations() {
    return operations;
  }

  /** Notes an operation that begins. */
  void begin(Operation operation) {
    last[(int) (operations++ % KEPT)] = operation.called();
    startNanos = operation.deadline().madeNanos();
    told = !options.heard();
  }

  @Override
  public @Nullable RuntimeException reason() {
    if (!told && System.nanoTime() - startNanos > SOON_NANOS) {
      tell();
    }
    return options.cancellation().reason();
  }

  @Override
  public boolean waitsOn() {
    return options.cancellation().waitsOn();
  }

  /**
   * Tells what was called and waits until the listener has heard enough of the others to cancel.
   *
   * @return the cancellation's reason, null if there is none within seconds
   */
  @Nullable RuntimeException awaitReason() {
    if (!options.heard()) {
      return null;
    }
    tell();
    long start = System.nanoTime();
    RuntimeException reason = options.cancellation().reason();
    try {
      while (reason == null && System.nanoTime() - start < ANSWER_NANOS) {
        transport.await(null, null, POLL_NANOS);
        reason = options.cancellation().reason();
      }
    } catch (IOException closed) {
      return reason;
    }
    return reason;
  }

  /** Tells what was called, unless that was told before; a listener's failure is its own. */
  void tell() {
    if (!told) {
      told = true;
      try {
        options.onWait().accept(calls());
      } catch (Throwable e) { // it may be neither RuntimeException nor Error
        if (e instanceof InterruptedException) { // which the operation is to end by
          Thread.currentThread().interrupt();
        }
        LOG.log(System.Logger.Level.WARNING, "the listener to what ranks called has failed", e);
      }
    }
  }

  /** What was called last, the latest at the end. */
  List<CommunicatorOptions.Call> calls() {
    String rank = transport.describe(transport.rank());
    List<CommunicatorOptions.Call> calls = new ArrayList<>();
    for (long n = Math.max(0, operations - KEPT); n < operations; n++) {
      Operation.Called called = last[(int) (n % KEPT)];
      if (called != null) {
        calls.add(
            new CommunicatorOptions.Call(
                communicator, n + 1, called.fingerprint(), rank, called.describe()));
      }
    }
    return calls;
  }
}
