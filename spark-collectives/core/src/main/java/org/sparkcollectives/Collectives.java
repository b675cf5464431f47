package org.sparkcollectives;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;
import org.sparkcollectives.error.AbortedException;
import org.sparkcollectives.internal.transport.memory.MemoryMesh;
import org.sparkcollectives.schedule.Collective;
import org.sparkcollectives.schedule.Topology;
import org.sparkcollectives.select.Explanation;
import org.sparkcollectives.select.Policy;
import org.sparkcollectives.select.Request;
import org.sparkcollectives.internal.select.Selector;
import org.sparkcollectives.transport.Transport;

/** Collective operations without Spark: groups of ranks inside this process. */
public final class Collectives {
  private Collectives() {}

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
   * Runs the same function on a number of ranks, one thread each, that talk through memory.
   *
   * @param size the number of ranks, at least 1
   * @param options how the communicators work
   * @param function what each rank does
   * @param <R> the result of a rank
   * @return the ranks' results, in rank order
   * @throws org.sparkcollectives.error.CollectiveException if a rank fails; the cause is what it
   *     threw first
   */
  public static <R> List<R> inProcess(
      int size, CommunicatorOptions options, RankFunction<R> function) {
    List<? extends Transport> transports = MemoryMesh.create(size);
    AtomicReference<@Nullable Failure> first = new AtomicReference<>();
    ExecutorService threads = Executors.newFixedThreadPool(size);
    try {
      List<Future<R>> futures = new ArrayList<>();
      for (Transport transport : transports) {
        futures.add(threads.submit(() -> runRank(transport, options, function, first)));
      }
      List<R> results = new ArrayList<>();
      for (Future<R> future : futures) {
        results.add(future.get());
      }
      return results;
    } catch (ExecutionException e) {
      Failure failure = first.get();
      throw failure == null
          ? CommunicatorErrors.rankFailed(String.valueOf(e.getCause()), e)
          : CommunicatorErrors.rankFailed("rank " + failure.rank() + ": " + failure.reason(), failure.reason());
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw AbortedException.interrupted(e);
    } finally {
      transports.forEach(Transport::close);
      threads.shutdownNow();
    }
  }

  /** What a rank threw. */
  private record Failure(int rank, Throwable reason) {}

  /**
   * Which algorithm the library uses for an operation, and why.
   *
   * @param collective the operation
   * @param size the number of ranks, each on a host of its own
   * @param bytes the vector's size; in an alltoall of what a rank sends to all
   * @param ordered whether the operator is not commutative
   * @return the choice beside all other algorithms
   */
  public static Explanation explain(Collective collective, int size, long bytes, boolean ordered) {
    Request request = Request.of(collective, size, bytes, ordered, Topology.FLAT);
    return explain(request, Policy.DEFAULT);
  }

  /**
   * Which algorithm a policy leads to for an operation, and why.
   *
   * @param request the operation
   * @param policy how algorithms are chosen
   * @return the choice beside all other algorithms
   */
  public static Explanation explain(Request request, Policy policy) {
    return new Selector(policy).explain(request, null);
  }

  private static <R> R runRank(
      Transport transport,
      CommunicatorOptions options,
      RankFunction<R> function,
      AtomicReference<@Nullable Failure> first)
      throws Exception {
    CommunicatorOptions own =
        options
            .withCancellation(
                () -> {
                  Failure failure = first.get();
                  return failure == null
                      ? options.cancellation().reason()
                      : AbortedException.afterFailure(failure.reason());
                })
            .withFailureListener(
                reason -> {
                  first.compareAndSet(null, new Failure(transport.rank(), reason));
                  options.onFailure().accept(reason);
                });
    Communicator communicator = new Communicator(transport, own);
    try {
      R result = function.run(communicator);
      communicator.close();
      return result;
    } catch (Throwable e) {
      first.compareAndSet(null, new Failure(transport.rank(), e));
      communicator.abort(e);
      throw e;
    }
  }
}
