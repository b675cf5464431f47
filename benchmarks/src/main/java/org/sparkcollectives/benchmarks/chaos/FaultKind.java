package org.sparkcollectives.benchmarks.chaos;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Locale;
import java.util.Random;

/** A kind of fault: a constant of an enum. */
public interface FaultKind {
  /**
   * What happens.
   *
   * @return a text for tables, not that of another kind
   */
  String text();

  /**
   * The constant's name.
   *
   * @return as enums tell it
   */
  String name();

  /**
   * Its name in tables and on command lines.
   *
   * @return the constant's name in small letters with hyphens
   */
  default String slug() {
    return name().toLowerCase(Locale.ROOT).replace('_', '-');
  }

  /**
   * The kinds of a run's faults. Every kind comes once before any comes again.
   *
   * @param <K> the kinds' class
   */
  final class Deck<K> {
    private final List<K> kinds;
    private final List<K> due = new ArrayList<>();

    /**
     * A deck from which nothing is drawn yet.
     *
     * @param kinds what may happen
     */
    public Deck(List<K> kinds) {
      this.kinds = List.copyOf(kinds);
    }

    /**
     * The next kind.
     *
     * @param random asked once for all kinds, when each has come equally often
     * @return one of the kinds
     */
    public K draw(Random random) {
      if (due.isEmpty()) {
        due.addAll(kinds);
        Collections.shuffle(due, random);
      }
      return due.remove(due.size() - 1);
    }
  }
}
