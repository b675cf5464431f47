package org.sparkcollectives.tools.internal.cli;

import java.util.Arrays;
import java.util.Iterator;
import org.sparkcollectives.internal.algorithm.Algorithm;
import org.sparkcollectives.internal.algorithm.Algorithms;
import org.sparkcollectives.schedule.Collective;

/** What the words of options can be, for the completion of the shell. */
final class Names {
  private Names() {}

  /** The collectives. */
  static final class Collectives implements Iterable<String> {
    @Override
    public Iterator<String> iterator() {
      return Arrays.stream(Collective.values()).map(Collective::slug).iterator();
    }
  }

  /** The algorithms of all collectives. */
  static final class OfAlgorithms implements Iterable<String> {
    @Override
    public Iterator<String> iterator() {
      return Algorithms.all().stream().map(Algorithm::slug).distinct().sorted().iterator();
    }
  }
}
