package org.sparkcollectives.spark.internal.rendezvous;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.IntPredicate;
import org.apache.spark.rpc.RpcCallContext;

/**
 * The ranks that listen to an attempt's fate, and how they are asked what they do: when one has
 * waited until its deadline, all are, and as long as one is alive and in no operation, who is late
 * waits on. For whoever holds the attempt's lock.
 */
final class RollCall {
  private final Map<Integer, RpcCallContext> watchers = new LinkedHashMap<>();
  private final List<RpcCallContext> late = new ArrayList<>();
  private final Set<Integer> asked = new HashSet<>();

  /** How many roll calls there have been, which is the number of the last one. */
  private int last;

  /**
   * A rank listens from now on.
   *
   * @param watch what it says
   * @param context where it is answered
   * @return whether it says so because it was asked, and it is in no operation
   */
  boolean watch(Wire.Watch watch, RpcCallContext context) {
    watchers.put(watch.rank(), context);
    if (!asked.remove(watch.rank()) || late.isEmpty()) {
      return false;
    }
    if (watch.computingNanos() >= 0) {
      answer(new Wire.Wait());
      return true;
    }
    if (asked.isEmpty()) {
      answer(new Wire.Over());
    }
    return false;
  }

  /**
   * A rank is late.
   *
   * @param context where it is answered once the others have said what they do
   * @param returned tells the ranks that have returned, which need not be asked
   * @return the number of the roll call, from 1 on, if the others are asked now: who does so ends
   *     it in time; else 0
   */
  int late(RpcCallContext context, IntPredicate returned) {
    late.add(context);
    if (late.size() > 1) {
      return 0;
    }
    last++;
    asked.removeIf(returned::test); // others still owe an answer to an earlier roll call
    byte[] report = Wire.encode(new Wire.Report());
    watchers.forEach(
        (rank, watcher) -> {
          if (!returned.test(rank)) {
            asked.add(rank);
            watcher.reply(report);
          }
        });
    watchers.keySet().removeAll(asked);
    if (asked.isEmpty()) {
      answer(new Wire.Over());
    }
    return late.isEmpty() ? 0 : last;
  }

  /**
   * Time is up: nobody who computes has answered. Without effect on a later roll call.
   *
   * @param number what {@link #late} has returned
   */
  void end(int number) {
    if (number == last) {
      answer(new Wire.Over());
    }
  }

  /** Tells all who listen. */
  void tell(byte[] reply) {
    watchers.values().forEach(watcher -> watcher.reply(reply));
    watchers.clear();
    answer(new Wire.Over());
  }

  private void answer(Wire.Reply reply) {
    byte[] encoded = Wire.encode(reply);
    late.forEach(rank -> rank.reply(encoded));
    late.clear();
  }
}
