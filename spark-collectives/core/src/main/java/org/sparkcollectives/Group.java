package org.sparkcollectives;

import static java.util.Objects.requireNonNullElse;
import static java.util.concurrent.TimeUnit.NANOSECONDS;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletionService;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorCompletionService;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;
import org.sparkcollectives.error.AbortedException;
import org.sparkcollectives.error.InvalidInputException;
import org.sparkcollectives.internal.engine.Agreement;
import org.sparkcollectives.internal.group.ProcessGroup;
import org.sparkcollectives.internal.transport.EndpointStatistics;
import org.sparkcollectives.internal.transport.ring.MemoryMesh;
import org.sparkcollectives.internal.vector.VectorErrors;
import org.sparkcollectives.transport.Cancellation;
import org.sparkcollectives.transport.Transport;

/**
 * A group of ranks without Spark: threads of this process, by {@link #threads}, or processes that
 * {@link #open} the same group, each of which is one rank. Thread-safe.
 */
public final class Group implements AutoCloseable {
  private static final System.Logger LOG = System.getLogger(Group.class.getName());

  private final ProcessGroup members;
  private final GroupOptions options;

  private Group(ProcessGroup members, GroupOptions options) {
    this.members = members;
    this.options = options;
  }

  /**
   * What a rank does.
   *
   * @param <R> its result
   */
  @FunctionalInterface
  public interface RankFunction<R> {
    /**
     * Runs in the rank's own thread.
     *
     * @param communicator the rank's communicator, closed afterwards
     * @return the rank's result
     * @throws Exception to let the whole group fail
     */
    R run(Communicator communicator) throws Exception;
  }

  /**
   * How the connections of this process with others of its host carry messages.
   *
   * @param shared how many so far carry their messages through memory shared with the peer
   * @param notShared how many so far were to share memory and could not, and use their sockets
   */
  public record Connections(long shared, long notShared) {}

  /**
   * Runs the same function on a number of ranks, one thread each, that talk through memory. Once a
   * rank fails the others are interrupted; when this method ends, no rank runs any more, unless one
   * ignores its interrupt for as long as the options' timeout.
   *
   * @param size the number of ranks, at least 1
   * @param options how the communicators work
   * @param function what each rank does
   * @param <R> the result of a rank
   * @return the ranks' results, in rank order
   * @throws org.sparkcollectives.error.CollectiveException if a rank fails; the cause is what it
   *     threw first
   */
  public static <R> List<R> threads(
      int size, CommunicatorOptions options, RankFunction<R> function) {
    if (size < 1) {
      throw InvalidInputException.of(
          "a group of " + size + " ranks cannot run",
          "it has at least one rank",
          "give a size of 1 or more");
    }
    requireOptions(options);
    VectorErrors.requireGiven(function, "function", "each rank runs it");
    List<? extends Transport> transports = MemoryMesh.create(size);
    AtomicReference<@Nullable Failure> first = new AtomicReference<>();
    Agreement agreement = new Agreement();
    ExecutorService threads = Executors.newFixedThreadPool(size);
    try {
      CompletionService<R> ranks = new ExecutorCompletionService<>(threads);
      List<Future<R>> futures = new ArrayList<>();
      for (Transport transport : transports) {
        futures.add(ranks.submit(() -> runRank(transport, options, function, first, agreement)));
      }
      for (int ended = 0; ended < size; ended++) {
        ranks.take().get(); // whichever ends next: a failure is known at once
      }
      List<R> results = new ArrayList<>();
      for (Future<R> future : futures) {
        results.add(future.get());
      }
      return results;
    } catch (ExecutionException e) {
      Failure failure = first.get();
      throw failure == null
          ? CommunicatorErrors.rankFailed("a rank", requireNonNullElse(e.getCause(), e))
          : CommunicatorErrors.rankFailed("rank " + failure.rank(), failure.reason());
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw AbortedException.interrupted(e);
    } finally {
      transports.forEach(Transport::close);
      end(threads, options.timeout());
    }
  }

  private static void requireOptions(CommunicatorOptions options) {
    VectorErrors.requireGiven(options, "argument options", "it says how communicators work");
  }

  /** Interrupts the ranks that still run and waits for them, so that nothing runs on unseen. */
  private static void end(ExecutorService threads, Duration patience) {
    threads.shutdownNow();
    boolean interrupted = Thread.interrupted();
    try {
      if (!threads.awaitTermination(NANOSECONDS.convert(patience), NANOSECONDS)) {
        LOG.log(
            System.Logger.Level.WARNING,
            "a rank of a failed group still runs: it ignores its interrupt");
      }
    } catch (InterruptedException e) { // the caller has no time for that
      interrupted = true;
    }
    if (interrupted) {
      Thread.currentThread().interrupt();
    }
  }

  /** What a rank threw. */
  private record Failure(int rank, Throwable reason) {}

  /** Stops a rank once another one has failed, or for the caller's own reason. */
  private record Stop(AtomicReference<@Nullable Failure> first, Cancellation own)
      implements Cancellation {
    @Override
    public @Nullable RuntimeException reason() {
      Failure failure = first.get();
      return failure == null ? own.reason() : AbortedException.afterFailure(failure.reason());
    }

    @Override
    public boolean waitsOn() {
      return own.waitsOn();
    }
  }

  private static <R> R runRank(
      Transport transport,
      CommunicatorOptions options,
      RankFunction<R> function,
      AtomicReference<@Nullable Failure> first,
      Agreement agreement)
      throws Exception {
    CommunicatorOptions own =
        options
            .withCancellation(new Stop(first, options.cancellation()))
            .withFailureListener(
                reason -> {
                  first.compareAndSet(null, new Failure(transport.rank(), reason));
                  options.onFailure().accept(reason);
                })
            .withWaitListener(
                calls -> {
                  InvalidInputException differs = difference(calls, agreement);
                  if (differs != null) {
                    first.compareAndSet(null, new Failure(transport.rank(), differs));
                  }
                  options.onWait().accept(calls);
                });
    @Nullable Communicator communicator = null;
    try {
      communicator = over(transport, own);
      R result = function.run(communicator);
      InvalidInputException differs = difference(communicator.calls(), agreement);
      if (differs == null && first.get() == null) {
        String rank = transport.describe(transport.rank());
        differs = agreement.end(Agreement.OF_ALL, communicator.operationsCalled(), rank);
      }
      if (differs != null) {
        throw differs;
      }
      communicator.close();
      return result;
    } catch (Throwable e) {
      first.compareAndSet(null, new Failure(transport.rank(), e));
      if (communicator != null) {
        communicator.abort(e);
      }
      throw e;
    }
  }

  /** A communicator over links, which are closed if it cannot be made. */
  private static Communicator over(Transport transport, CommunicatorOptions options) {
    try {
      return new Communicator(transport, options);
    } catch (Throwable e) {
      transport.close();
      throw e;
    }
  }

  /** Notes a rank's calls; returns how one differs from that of another rank, or null. */
  private static @Nullable InvalidInputException difference(
      List<CommunicatorOptions.Call> calls, Agreement agreement) {
    InvalidInputException differs = null;
    for (CommunicatorOptions.Call call : calls) {
      InvalidInputException next =
          agreement.add(
              call.communicator(), call.number(), call.fingerprint(), call.rank(), call.what());
      differs = differs == null ? next : differs;
    }
    return differs;
  }

  /**
   * Makes this process one rank of a group, and waits until all its ranks have come.
   *
   * @param options the group and this process's place in it
   * @return the group, to be closed by the caller
   * @throws org.sparkcollectives.error.DeadlineException if rank 0 is not reached or a rank is
   *     missing at the deadline
   * @throws org.sparkcollectives.error.InvalidInputException if the ranks' options do not fit
   *     together
   * @throws org.sparkcollectives.error.CollectiveException if the group does not come about for
   *     another reason: an address in use, another secret, a failure of rank 0
   */
  public static Group open(GroupOptions options) {
    VectorErrors.requireGiven(options, "argument options", "it says which group to open");
    return new Group(ProcessGroup.open(options.plan()), options);
  }

  /**
   * This process's rank.
   *
   * @return 0 to {@code size() - 1}
   */
  public int rank() {
    return members.rank();
  }

  /**
   * The number of ranks.
   *
   * @return 1 or more
   */
  public int size() {
    return members.size();
  }

  /**
   * A communicator of all ranks, which works as the group's options say. All ranks make their
   * communicators in the same order: the n-th of one rank talks to the n-th of the others.
   *
   * @return the communicator, for one thread and to be closed by the caller
   * @throws org.sparkcollectives.error.CollectiveException if the group is closed
   */
  public Communicator communicator() {
    return communicator(options.communicator());
  }

  /**
   * As {@link #communicator()}, one that works in another way.
   *
   * @param how its options, equal on all ranks
   * @return the communicator, for one thread and to be closed by the caller
   * @throws org.sparkcollectives.error.CollectiveException if the group is closed
   */
  public Communicator communicator(CommunicatorOptions how) {
    return communicator(how, options.connectionsPerPeer());
  }

  /**
   * As {@link #communicator(CommunicatorOptions)}, with another number of connections between two
   * ranks than the group's options say.
   *
   * @param how its options, equal on all ranks
   * @param connectionsPerPeer how many, 1 to 64; of two ranks, the lower one's number counts
   * @return the communicator, for one thread and to be closed by the caller
   * @throws org.sparkcollectives.error.InvalidInputException if there cannot be as many
   * @throws org.sparkcollectives.error.CollectiveException if the group is closed
   */
  public Communicator communicator(CommunicatorOptions how, int connectionsPerPeer) {
    requireOptions(how); // else it would count in the order of communicators
    return over(members.join(connectionsPerPeer), how);
  }

  /**
   * The links of what would be the next communicator, for programs that talk over them without one
   * or wrap them. It counts as a communicator in the order of {@link #communicator()}.
   *
   * @return this rank's links, for one thread and to be released or closed by the caller
   * @throws org.sparkcollectives.error.CollectiveException if the group is closed
   */
  public Transport transport() {
    return members.join(options.connectionsPerPeer());
  }

  /**
   * What this process's connections are and have done.
   *
   * @return the numbers of this moment
   */
  public Connections connections() {
    EndpointStatistics now = members.statistics();
    return new Connections(now.shared(), now.notShared());
  }

  /**
   * Closes all connections. Communicators that still work fail, here and on their peers. What this
   * process has sent and a peer reads only minutes later may be lost: where ranks may be so far
   * apart, the last operation is a barrier.
   */
  @Override
  public void close() {
    members.close();
  }
}
