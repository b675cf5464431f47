package org.sparkcollectives.benchmarks.chaos.spark;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Random;
import org.sparkcollectives.benchmarks.chaos.Case;
import org.sparkcollectives.benchmarks.chaos.FaultKind;

/**
 * A fault and the call that it meets; equal for equal seeds.
 *
 * @param number its number in the run, from 0
 * @param kind what happens
 * @param call the call under way
 * @param victim which executor, worker or task it happens to, counted round
 * @param share when it happens, as a share of the time that such a call takes
 * @param work the seed of the call
 */
record ClusterFault(
    int number, ClusterKind kind, ClusterCall call, int victim, double share, long work)
    implements Case {

  /**
   * The faults of a run. Every kind comes once before any comes again.
   *
   * @param count how many
   * @param seed what they are drawn from
   * @param kinds what may happen
   * @param executors the number of executors
   */
  static List<ClusterFault> of(int count, long seed, List<ClusterKind> kinds, int executors) {
    Random random = new Random(seed);
    ClusterCall[] calls = ClusterCall.values();
    List<ClusterFault> faults = new ArrayList<>();
    FaultKind.Deck<ClusterKind> deck = new FaultKind.Deck<>(kinds);
    while (faults.size() < count) {
      faults.add(
          new ClusterFault(
              faults.size(),
              deck.draw(random),
              calls[random.nextInt(calls.length)],
              random.nextInt(executors),
              random.nextDouble(),
              random.nextLong()));
    }
    return faults;
  }

  @Override
  public String text() {
    return kind.text();
  }

  @Override
  public Map<String, String> particulars() {
    Map<String, String> all = new LinkedHashMap<>();
    all.put("fault", Integer.toString(number));
    all.put("kind", kind.slug());
    all.put("call", call.slug());
    all.put("victim", Integer.toString(victim));
    all.put("share", String.format(Locale.ROOT, "%.3f", share));
    return all;
  }

  @Override
  public String toString() {
    return String.format(
        Locale.ROOT,
        "fault %d: %s, victim %d, at %.0f %% of %s",
        number,
        kind.slug(),
        victim,
        100 * share,
        call.slug());
  }
}
