package org.sparkcollectives.internal.text;

/** Numbers of things in sentences: 1 rank, 2 ranks. */
public final class Counted {
  private Counted() {}

  /**
   * A number with its noun.
   *
   * @param number how many
   * @param noun the noun of one, whose plural ends in s
   * @return such as "1 rank" or "2 ranks"
   */
  public static String of(long number, String noun) {
    return number + " " + noun + (number == 1 ? "" : "s");
  }
}
