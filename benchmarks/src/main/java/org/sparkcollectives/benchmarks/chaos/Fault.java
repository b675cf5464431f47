package org.sparkcollectives.benchmarks.chaos;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;

/**
 * A fault and the collectives that it meets; equal for equal seeds.
 *
 * @param number its number in the run, from 0
 * @param kind what happens
 * @param layout which ranks share memory
 * @param victim the rank that it happens to
 * @param offset the byte to or from the victim, counted from 1, at which it happens; between hosts
 *     the millisecond
 * @param share how long it lasts, as a share of the deadline
 * @param work the seed of the collectives
 */
record Fault(int number, Kind kind, Layout layout, int victim, int offset, double share, long work)
    implements Case {
  private static final int MOST_BYTES = 256 << 10;
  private static final int HANDSHAKE_BYTES = 250;
  private static final int RETURN_BYTES = 24;
  private static final int MOST_MILLIS = 300;

  /** Which ranks share memory. */
  enum Layout {
    /** None, and each has a host of its own. */
    CARDS,
    /** None. */
    SOCKETS,
    /** Those of two hosts. */
    HOSTS,
    /** All. */
    MEMORY;

    /** The name of a rank's machine. */
    String node(int rank) {
      return switch (this) {
        case CARDS, SOCKETS -> "node" + rank;
        case HOSTS -> "node" + rank % 2;
        case MEMORY -> "node";
      };
    }

    /** Those of ranks on one host, or on a host each. */
    static List<Layout> of(boolean hosts) {
      return hosts ? List.of(CARDS) : List.of(SOCKETS, HOSTS, MEMORY);
    }
  }

  /**
   * The faults of a run between processes of one host. Every kind comes once before any comes
   * again.
   *
   * @param count how many
   * @param seed what they are drawn from
   * @param kinds what may happen
   * @param ranks the number of ranks
   */
  static List<Fault> of(int count, long seed, List<Kind> kinds, int ranks) {
    return of(count, seed, kinds, ranks, false);
  }

  /**
   * The faults of a run. Every kind comes once before any comes again.
   *
   * @param count how many
   * @param seed what they are drawn from
   * @param kinds what may happen
   * @param ranks the number of ranks
   * @param hosts whether each rank has a host of its own
   */
  static List<Fault> of(int count, long seed, List<Kind> kinds, int ranks, boolean hosts) {
    Random random = new Random(seed);
    List<Fault> faults = new ArrayList<>();
    FaultKind.Deck<Kind> deck = new FaultKind.Deck<>(kinds);
    while (faults.size() < count) {
      faults.add(draw(faults.size(), deck.draw(random), ranks, hosts, random));
    }
    return faults;
  }

  private static Fault draw(int number, Kind kind, int ranks, boolean hosts, Random random) {
    List<Layout> layouts = Layout.of(hosts);
    Layout drawn = layouts.get(random.nextInt(layouts.size()));
    Layout layout = kind == Kind.MEMORY_FULL ? Layout.MEMORY : drawn;
    int most =
        switch (kind) {
          case RETURN -> RETURN_BYTES;
          case HANDSHAKE -> HANDSHAKE_BYTES;
          default -> layout == Layout.SOCKETS ? MOST_BYTES : HANDSHAKE_BYTES;
        };
    int offset =
        hosts
            ? 1 + random.nextInt(MOST_MILLIS)
            : (int) Math.exp(random.nextDouble() * Math.log(most));
    double share =
        switch (kind) {
          case STOP_LONG, STALL_LONG, CABLE_LONG -> 1.5 + random.nextDouble();
          default -> 0.05 + 0.35 * random.nextDouble();
        };
    return new Fault(number, kind, layout, random.nextInt(ranks), offset, share, random.nextLong());
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
    all.put("layout", layout.toString());
    all.put("rank", Integer.toString(victim));
    all.put(at(), Integer.toString(offset));
    return all;
  }

  private String at() {
    return layout == Layout.CARDS ? "millisecond" : "byte";
  }

  @Override
  public String toString() {
    return "fault %d: %s, rank %d, %s %d, %s"
        .formatted(number, kind.slug(), victim, at(), offset, layout);
  }
}
