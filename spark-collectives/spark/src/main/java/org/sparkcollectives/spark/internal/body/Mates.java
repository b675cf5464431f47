package org.sparkcollectives.spark.internal.body;

import java.lang.ref.WeakReference;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.stream.Stream;
import org.apache.spark.BarrierTaskContext;
import org.apache.spark.BarrierTaskInfo;
import org.apache.spark.SparkEnv;
import org.apache.spark.TaskContext;
import org.jspecify.annotations.Nullable;
import org.sparkcollectives.spark.internal.conf.Settings;
import org.sparkcollectives.spark.internal.input.Combiner;
import org.sparkcollectives.spark.internal.input.Part;
import org.sparkcollectives.spark.internal.rendezvous.Attempt;
import org.sparkcollectives.spark.internal.rendezvous.RankSession;

/**
 * The ranks of an attempt that live in one executor, and what they give each other through its
 * memory: a value that all of them read, and the sum of what they bring. Thread-safe.
 *
 * <p>Sums are made along a binary tree over the ranks, in rank order. Of two ranks that meet at a
 * node, the one that comes later combines, so nobody waits for a node; and what is combined with
 * what does not depend on time.
 */
final class Mates {
  /** Those of attempts under way: each is held by its ranks alone, and so goes with them. */
  private static final Map<String, WeakReference<Mates>> OPEN = new HashMap<>();

  private static final List<Part> NOTHING = List.of();

  private final int[] ranks;

  /** What waits at the nodes of the tree; a node has as number that of its left end and width. */
  private final Map<Long, List<Part>> waiting = new HashMap<>();

  private final CompletableFuture<Object> value = new CompletableFuture<>();
  private final CompletableFuture<List<Part>> sum = new CompletableFuture<>();

  /** The lowest rank that has brought something. */
  private int first = Integer.MAX_VALUE;

  private Mates(int[] ranks) {
    this.ranks = ranks;
  }

  /**
   * The ranks in the executor of a task.
   *
   * @param session the task's session
   * @return the same for all ranks of an attempt and an executor, as long as one of them holds it
   */
  static Mates of(RankSession session) {
    // Not BarrierTaskContext.get, by which Spark 3.5 starts a thread that keeps a local driver
    // alive.
    BarrierTaskInfo[] all = ((BarrierTaskContext) TaskContext.get()).getTaskInfos();
    String own = all[session.partition()].address();
    int[] ranks = new int[all.length];
    int count = 0;
    for (int rank = 0; rank < all.length; rank++) {
      if (all[rank].address().equals(own)) {
        ranks[count++] = rank;
      }
    }
    if (count == 1) {
      return new Mates(new int[] {session.partition()});
    }
    return of(session.attempt(), own, Arrays.copyOf(ranks, count));
  }

  private static Mates of(Attempt attempt, String own, int[] ranks) {
    String key =
        SparkEnv.get().conf().getAppId() + " " + attempt.job() + "." + attempt.epoch() + " " + own;
    synchronized (OPEN) {
      OPEN.values().removeIf(each -> each.get() == null);
      WeakReference<Mates> known = OPEN.get(key);
      @Nullable Mates mates = known == null ? null : known.get();
      if (mates == null) {
        mates = new Mates(ranks);
        OPEN.put(key, new WeakReference<>(mates));
      }
      return mates;
    }
  }

  /** Whether the executor has one rank only. */
  boolean alone() {
    return ranks.length == 1;
  }

  /** Whether these ranks follow each other in rank order. */
  boolean consecutive() {
    return ranks[ranks.length - 1] - ranks[0] == ranks.length - 1;
  }

  /**
   * Whether ranks are to combine what they bring before executors do.
   *
   * @param session a rank's session
   * @param fold how operands are combined
   * @param consecutive whether the ranks of an executor follow each other in rank order
   * @return true unless order or a setting forbids it
   */
  static boolean combine(RankSession session, Combiner fold, boolean consecutive) {
    return (consecutive || fold.op().commutative())
        && session.attempt().conf().get(Settings.COMBINE_IN_EXECUTORS)
        && !session.attempt().conf().get(Settings.REPRODUCIBLE);
  }

  /** The value that the lowest rank has for all. */
  CompletableFuture<Object> value() {
    return value;
  }

  /**
   * Combines what ranks bring.
   *
   * @param session the rank's session
   * @param brought this rank's operand, or nothing; it may be changed
   * @param fold combines operands; this rank's own
   * @return the sum of all for the lowest rank that has brought something, nothing for others;
   *     several operands where some cannot be combined
   */
  List<Part> sum(RankSession session, List<Part> brought, Combiner fold) {
    int index = Arrays.binarySearch(ranks, session.partition());
    synchronized (this) {
      first = brought.isEmpty() ? first : Math.min(first, index);
    }
    climb(index, brought, fold);
    List<Part> all = session.await(sum);
    synchronized (this) {
      return index == first ? all : NOTHING;
    }
  }

  private void climb(int index, List<Part> brought, Combiner fold) {
    List<Part> own = brought;
    for (int width = 1; width < ranks.length; width *= 2) {
      int start = index / width * width;
      int other = start ^ width;
      if (other < ranks.length) {
        long node = (long) Math.min(start, other) << Integer.SIZE | width;
        List<Part> theirs;
        synchronized (this) {
          theirs = waiting.remove(node);
          if (theirs == null) {
            waiting.put(node, own);
            return;
          }
        }
        own = start < other ? combine(own, theirs, fold) : combine(theirs, own, fold);
      }
    }
    sum.complete(own);
  }

  private static List<Part> combine(List<Part> left, List<Part> right, Combiner fold) {
    if (left.isEmpty() || right.isEmpty()) {
      return left.isEmpty() ? right : left;
    }
    if (left.size() == 1 && right.size() == 1 && fold.alike(left.get(0), right.get(0))) {
      return List.of(fold.combine(left.get(0), right.get(0)));
    }
    return Stream.concat(left.stream(), right.stream()).toList();
  }
}
