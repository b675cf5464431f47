package org.sparkcollectives;

import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;
import org.sparkcollectives.cost.LevelCost;
import org.sparkcollectives.error.CollectiveException;
import org.sparkcollectives.internal.engine.Engine;
import org.sparkcollectives.internal.engine.Operation;
import org.sparkcollectives.internal.error.CauseChain;
import org.sparkcollectives.internal.observe.FlightRecording;
import org.sparkcollectives.internal.observe.OperationEvent;
import org.sparkcollectives.internal.observe.OperationTotals;
import org.sparkcollectives.internal.observe.RankOperations;
import org.sparkcollectives.internal.select.Selector;
import org.sparkcollectives.internal.transport.BufferPool;
import org.sparkcollectives.internal.transport.RankTransport;
import org.sparkcollectives.schedule.Problem;
import org.sparkcollectives.transport.Transport;
import org.sparkcollectives.vector.ObjectCodec;

/**
 * What a communicator shares with those that are split off it: one rank's links, the engine that
 * works on them, and whether they are still in use. A failure of one breaks all, for it leaves
 * messages half-way on the links.
 */
final class SharedLinks {
  private final Transport transport;
  private final CommunicatorOptions options;
  private final Selector selector;
  private final BufferPool buffers;
  private final Engine engine;
  private final ObjectCodec codec;
  private final RankOperations operations;

  /** The thread that has the links, for an operation or to end them, or null. */
  private final AtomicReference<@Nullable Thread> owner = new AtomicReference<>();

  /** What the owner works for, or null. */
  private final AtomicReference<@Nullable Runner> running = new AtomicReference<>();

  /** Any thread may break a communicator off. */
  private final AtomicReference<@Nullable Throwable> broken = new AtomicReference<>();

  private volatile boolean ended;
  private long numbered;

  SharedLinks(Transport transport, CommunicatorOptions options) {
    this.transport = transport;
    this.options = options;
    this.selector = new Selector(options.policy());
    LevelCost network = options.policy().model().network();
    this.buffers = transport instanceof RankTransport own ? own.buffers() : new BufferPool();
    this.engine =
        new Engine(
            Engine.eagerBytes(network.alphaNanos(), network.betaNanosPerByte()), buffers::take);
    this.codec = options.codec().get();
    this.operations =
        transport instanceof RankTransport own
            ? own.operations()
            : new RankOperations(new OperationTotals());
  }

  CommunicatorOptions options() {
    return options;
  }

  Selector selector() {
    return selector;
  }

  ObjectCodec codec() {
    return codec;
  }

  /** The lowest number that is above those of all communicators of this rank. */
  long nextNumber() {
    return numbered + 1;
  }

  /** Notes the number of a new communicator. */
  void numbered(long count) {
    numbered = count;
  }

  /**
   * Takes the links for the calling thread, until {@link #unclaim}, if the communicator is open.
   * Who ends it looks for an owner after that, and this for the end after taking them: one of the
   * two sees the other.
   *
   * @param runner the communicator's
   * @param collective what is called
   */
  void claim(Runner runner, String collective) {
    Thread other = owner.compareAndExchange(null, Thread.currentThread());
    if (other != null) {
      throw refusal(collective, other);
    }
    running.set(runner);
    if (ended || runner.isClosed()) {
      Throwable reason = broken.get();
      unclaim();
      throw CommunicatorErrors.communicatorEnded(collective, reason);
    }
  }

  /** Gives the links back to whichever thread calls next. */
  void unclaim() {
    running.setRelease(null);
    owner.setRelease(null);
  }

  private CollectiveException refusal(String collective, Thread other) {
    Thread caller = Thread.currentThread();
    if (other.equals(caller)) {
      return CommunicatorErrors.operationInOperation(collective);
    }
    return ended
        ? CommunicatorErrors.communicatorEnded(collective, broken.get())
        : CommunicatorErrors.inTwoThreads(
            collective, transport.describe(transport.rank()), caller.getName(), other.getName());
  }

  /** Runs an operation of one of the communicators to its end, by the thread that claimed. */
  void run(Operation operation, Trail trail) {
    try {
      @Nullable RuntimeException stop = options.cancellation().reason();
      if (stop != null) {
        throw stop; // operations that never wait would not ask
      }
      measured(operation);
    } catch (Throwable e) { // an operator's may be neither RuntimeException nor Error
      Throwable reason = broken.get();
      if (reason != null) { // the listener knows it; closed links only came of it
        throw CommunicatorErrors.brokenOff(operation.program().problem().collective(), reason, e);
      }
      RuntimeException named = named(e, trail);
      if (named != null) {
        CauseChain.suppress(named, e);
        fail(named);
        throw named;
      }
      fail(e);
      throw e;
    }
  }

  /**
   * Tells what was called, if others may have called something else: a peer's messages are of
   * another operation, or it has left.
   *
   * @return what the listener makes of it, null if that is not known within seconds
   */
  private static @Nullable RuntimeException named(Throwable failure, Trail trail) {
    try {
      if (Engine.peerUnnamed(failure)) {
        return trail.awaitReason();
      }
      if (Engine.linkBroke(failure)) {
        trail.tell();
      }
    } catch (Throwable e) { // of the cancellation, which is asked meanwhile
      CauseChain.suppress(failure, e);
    }
    return null;
  }

  /** Runs an operation, and counts and records it. */
  private void measured(Operation operation) {
    Problem problem = operation.program().problem();
    String algorithm = operation.program().algorithm();
    OperationEvent event = FlightRecording.begin();
    boolean well = false;
    operations.enter();
    try {
      engine.run(operation);
      well = true;
    } finally {
      long end = System.nanoTime();
      operations.leave(end);
      operations.traffic(engine.sentBytes(), engine.receivedBytes(), engine.waitedNanos());
      if (well) {
        long nanos = end - operation.deadline().madeNanos();
        operations.add(problem, algorithm, operation.bytes(), nanos);
      } else {
        operations.fail(problem, algorithm);
      }
      if (event != null) {
        int rank = operation.transport().rank();
        event.done(problem, algorithm, rank, operation.bytes(), engine.sentBytes(), well);
      }
    }
  }

  /**
   * Breaks the links, unless they are broken: tells the listener, which may take its time, and only
   * then lets the other ranks notice.
   */
  void fail(Throwable reason) {
    if (!broken.compareAndSet(null, reason)) {
      return; // who came first tells of it, and closes the links after that
    }
    ended = true;
    try {
      options.onFailure().accept(reason);
    } catch (Throwable e) { // the reason is what the caller gets, whatever its listener does
      CauseChain.suppress(reason, e);
    } finally {
      transport.close();
    }
  }

  /** Breaks the links off, unless they have ended. */
  void abort(Throwable reason) {
    if (!ended) {
      fail(reason);
    }
  }

  /** Gives the links back in good order, unless a thread is at work on them: that breaks them. */
  void end() {
    if (ended) {
      return;
    }
    ended = true;
    if (!owner.compareAndSet(null, Thread.currentThread())) {
      transport.close();
      return;
    }
    try {
      if (broken.get() == null) {
        transport.release();
        engine.giveBack(buffers::put);
      }
    } finally {
      unclaim();
    }
  }

  /** Ends one of the communicators; in the middle of a call on it that breaks all. */
  void leave(Runner runner) {
    if (running.get() == runner) {
      transport.close();
    }
  }
}
