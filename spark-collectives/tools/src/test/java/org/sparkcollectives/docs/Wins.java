package org.sparkcollectives.docs;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.stream.IntStream;
import org.sparkcollectives.cost.CostModel;
import org.sparkcollectives.internal.algorithm.Algorithm;
import org.sparkcollectives.internal.algorithm.Traits;
import org.sparkcollectives.internal.select.Choice;
import org.sparkcollectives.internal.select.Selector;
import org.sparkcollectives.schedule.Collective;
import org.sparkcollectives.schedule.Topology;
import org.sparkcollectives.select.Request;

/** For which numbers of ranks and bytes an algorithm is the cheapest of its collective. */
final class Wins {
  private static final int[] SIZES = {4, 8, 13, 64, 1000};
  private static final int SMALLEST = 3;
  private static final int LARGEST = 30;
  private static final int RANKS_PER_HOST = 4;

  /** Prices that differ by less are equal. */
  private static final double TIE = 1.0005;

  /**
   * A competition of all algorithms of a collective.
   *
   * @param collective the collective
   * @param size p, the number of ranks
   * @param ordered whether operands stay in rank order
   * @param hosts whether {@value #RANKS_PER_HOST} ranks share a host
   * @param fullDuplex whether links carry both directions at once
   * @param uneven whether rank 0 has half of the vector
   */
  private record Setting(
      Collective collective,
      int size,
      boolean ordered,
      boolean hosts,
      boolean fullDuplex,
      boolean uneven) {

    private Request request(int log) {
      Topology topology =
          hosts
              ? Topology.ofHosts(
                  IntStream.range(0, size).map(rank -> rank / RANKS_PER_HOST).boxed().toList())
              : Topology.FLAT;
      Request request = Request.of(collective, size, 1L << log, ordered, topology);
      return uneven ? request.withCounts(halfAtFirst(request.units())) : request;
    }

    private List<Integer> halfAtFirst(int units) {
      List<Integer> counts = new ArrayList<>(List.of(units - units / 2));
      for (int rank = 1; rank < size; rank++) {
        long rest = units / 2;
        counts.add((int) (rest * rank / (size - 1) - rest * (rank - 1) / (size - 1)));
      }
      return counts;
    }

    private Selector selector() {
      return new Selector(CostModel.DEFAULT.withFullDuplex(fullDuplex));
    }

    List<Choice> winners() {
      Selector selector = selector();
      return IntStream.rangeClosed(SMALLEST, LARGEST)
          .mapToObj(log -> selector.priced(request(log), null))
          .toList();
    }

    /** By what factor an algorithm is dearer than the winner, for the size where it is least. */
    Optional<Map.Entry<Double, String>> nearest(Algorithm algorithm, List<Choice> winners) {
      if (algorithm.refusal(winners.get(0).problem()) != null) {
        return Optional.empty();
      }
      Selector selector = selector();
      return IntStream.rangeClosed(SMALLEST, LARGEST)
          .mapToObj(
              log ->
                  Map.entry(
                      selector.priced(request(log), algorithm.slug()).nanos()
                          / winners.get(log - SMALLEST).nanos(),
                      "p = " + size + ", " + bytes(log)))
          .min(Map.Entry.comparingByKey());
    }
  }

  private final Map<Setting, List<Choice>> known = new HashMap<>();

  /** The sizes for which an algorithm is chosen, for people. */
  String of(Algorithm algorithm) {
    boolean hosts = algorithm.traits().has(Traits.Feature.HIERARCHICAL);
    boolean simplex = algorithm.traits().has(Traits.Feature.SIMPLEX);
    boolean uneven = isForUnevenParts(algorithm);
    String where =
        (hosts ? "with " + RANKS_PER_HOST + " ranks on a host, " : "")
            + (simplex ? "on links that carry one direction at a time, " : "")
            + (uneven ? "where one rank has half of the vector, " : "");
    String any = ranges(algorithm, settings(algorithm, false));
    if (!algorithm.collective().reducing() || !algorithm.traits().keepsOrder()) {
      return where + any;
    }
    String ordered = ranges(algorithm, settings(algorithm, true));
    return ordered.equals(any)
        ? where + any
        : where + any + "; where rank order is asked, " + ordered;
  }

  /** Those that know hosts cut equal parts. */
  private static boolean isForUnevenParts(Algorithm algorithm) {
    Traits traits = algorithm.traits();
    return traits.has(Traits.Feature.UNEVEN) && !traits.has(Traits.Feature.HIERARCHICAL);
  }

  private static List<Setting> settings(Algorithm algorithm, boolean ordered) {
    boolean hosts = algorithm.traits().has(Traits.Feature.HIERARCHICAL);
    boolean simplex = algorithm.traits().has(Traits.Feature.SIMPLEX);
    boolean uneven = isForUnevenParts(algorithm);
    return IntStream.of(SIZES)
        .mapToObj(
            size -> new Setting(algorithm.collective(), size, ordered, hosts, !simplex, uneven))
        .toList();
  }

  private String ranges(Algorithm algorithm, List<Setting> settings) {
    List<String> parts = new ArrayList<>();
    for (Setting setting : settings) {
      List<String> winners =
          winners(setting).stream().map(choice -> choice.algorithm().slug()).toList();
      String ranges = ranges(winners, algorithm.slug());
      if (!ranges.isEmpty()) {
        parts.add("p = " + setting.size() + ": " + ranges);
      }
    }
    return parts.isEmpty() ? never(algorithm, settings) : String.join(" · ", parts);
  }

  private List<Choice> winners(Setting setting) {
    return known.computeIfAbsent(setting, Setting::winners);
  }

  private String never(Algorithm algorithm, List<Setting> settings) {
    return settings.stream()
        .flatMap(setting -> setting.nearest(algorithm, winners(setting)).stream())
        .min(Map.Entry.comparingByKey())
        .map(
            nearest ->
                nearest.getKey() < TIE
                    ? "never alone; as cheap as another at " + nearest.getValue()
                    : String.format(
                        Locale.ROOT,
                        "never; nearest at %s, %.1f %% dearer",
                        nearest.getValue(),
                        (nearest.getKey() - 1) * 100))
        .orElse("never");
  }

  private static String ranges(List<String> winners, String slug) {
    List<String> ranges = new ArrayList<>();
    for (int from = 0; from < winners.size(); from++) {
      int to = from;
      while (to < winners.size() && winners.get(to).equals(slug)) {
        to++;
      }
      if (to > from) {
        ranges.add(range(from + SMALLEST, to - 1 + SMALLEST));
        from = to;
      }
    }
    return String.join(" and ", ranges);
  }

  private static String range(int from, int to) {
    if (from == SMALLEST) {
      return to == LARGEST ? "always" : "up to " + bytes(to);
    }
    return to == LARGEST
        ? "from " + bytes(from)
        : from == to ? "at " + bytes(from) : "from " + bytes(from) + " to " + bytes(to);
  }

  private static String bytes(int log) {
    String[] units = {"B", "KiB", "MiB", "GiB"};
    return (1 << log % 10) + " " + units[log / 10];
  }
}
