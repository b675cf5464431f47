package org.sparkcollectives.spark.internal.events;

import java.util.Map;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executor;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.sparkcollectives.internal.cache.BoundedMap;
import org.sparkcollectives.internal.select.Selector;
import org.sparkcollectives.select.Explanation;
import org.sparkcollectives.select.Policy;
import org.sparkcollectives.select.Request;

/**
 * What the choice of an algorithm rests on. To price all algorithms takes milliseconds, and much
 * longer for many ranks, so a thread does it beside the caller's, once for all calls that are
 * alike. Thread-safe.
 */
final class Explainer {
  private static final int KEPT = 128;

  /** Calls that wait to be priced; those beyond are not. */
  private static final int QUEUED = 64;

  private static final long IDLE_SECONDS = 10;

  /** Why another algorithm ran than the one for parts of equal lengths, where none was named. */
  private static final String LENGTHS =
      "it is the cheapest for the lengths of parts or tuples that its ranks have";

  private static final String PROGRAM = "the program asks for it, or " + LENGTHS;

  private final Executor thread =
      new ThreadPoolExecutor(
          0,
          1,
          IDLE_SECONDS,
          TimeUnit.SECONDS,
          new ArrayBlockingQueue<>(QUEUED),
          task -> {
            Thread made = new Thread(task, "spark-collectives-prices");
            made.setDaemon(true);
            return made;
          },
          new ThreadPoolExecutor.DiscardPolicy());

  private @Nullable Policy policy;
  private final Map<Key, Explanation> kept = BoundedMap.ofLastUsed(KEPT);

  private record Key(Request request, String ran, Naming naming) {}

  /**
   * Explains why an algorithm has run: as the one chosen, or else as one that was named, or that
   * ranks chose by more than the request says. Of the latter it tells the reason alone, beside the
   * choice that is the request's.
   *
   * @param by how algorithms are chosen
   * @param request what was asked for
   * @param ran the algorithm's slug
   * @param naming who named it
   * @param patienceNanos how long to wait for the explanation
   * @param then gets the explanation, before this returns or later in another thread; never if
   *     there is none, or there are too many to make
   */
  void explain(
      Policy by,
      Request request,
      String ran,
      Naming naming,
      long patienceNanos,
      Consumer<Explanation> then) {
    Key key = new Key(request, ran, naming);
    Explanation known = known(by, key);
    if (known != null) {
      then.accept(known);
      return;
    }
    try {
      CompletableFuture.runAsync(() -> then.accept(price(by, key)), thread)
          .get(patienceNanos, TimeUnit.NANOSECONDS);
    } catch (TimeoutException e) {
      return; // it comes later
    } catch (ExecutionException e) {
      CallRecord.LOG.debug("{} by {} has no explanation", request, ran, e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  private Explanation price(Policy by, Key key) {
    Explanation known = known(by, key);
    if (known != null) {
      return known;
    }
    Selector selector = new Selector(by);
    Explanation chosen = selector.explain(key.request(), null);
    Explanation made = chosen;
    if (!chosen.choice().algorithm().equals(key.ran())) {
      made =
          switch (key.naming()) {
            case CALL -> selector.explain(key.request(), key.ran());
            case PROGRAM -> because(PROGRAM, selector.explain(key.request(), key.ran()));
            case NOBODY -> because(LENGTHS, chosen);
          };
    }
    keep(by, key, made);
    return made;
  }

  private static Explanation because(String reason, Explanation of) {
    return new Explanation(of.request(), of.choice(), reason, of.candidates(), of.boundNanos());
  }

  private synchronized @Nullable Explanation known(Policy by, Key key) {
    return by.equals(policy) ? kept.get(key) : null;
  }

  private synchronized void keep(Policy by, Key key, Explanation made) {
    if (!by.equals(policy)) {
      kept.clear();
      policy = by;
    }
    kept.put(key, made);
  }
}
