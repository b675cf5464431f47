package org.sparkcollectives.verify;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.BitSet;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * Symbolic values, interned: equal numbers are equal expressions. A value is a rank's contribution
 * or the combination of two values. What it stands for is kept as the sequence of contributions in
 * operand order, in runs of consecutive ranks.
 */
final class SymbolicValues {
  /** The number that stands for no value. */
  static final int NOTHING = 0;

  private static final int[] TOO_MANY = new int[0];

  /**
   * An odd number, so that products differ as pairs do. A pair of close numbers as it is has a hash
   * that many others have, too.
   */
  private static final long SPREAD = 0x9E3779B97F4A7C15L;

  private final int size;
  private final boolean sets;
  private final List<int[]> runs = new ArrayList<>();
  private final Map<Long, Integer> combinations = new HashMap<>();

  /** The pair combined last, which neighbouring blocks mostly are again, and what it gave. */
  private long last;

  private int lastCombined;

  private final Map<BitSet, Integer> unions = new HashMap<>();

  /**
   * Starts with the contributions of {@code size} ranks.
   *
   * @param sets whether to combine is to unite sets, which may overlap, as tokens of a barrier do
   */
  SymbolicValues(int size, boolean sets) {
    this.size = size;
    this.sets = sets;
    runs.add(TOO_MANY);
    for (int rank = 0; rank < size; rank++) {
      runs.add(new int[] {rank, rank + 1});
      if (sets) {
        unions.put(members(rank + 1), rank + 1);
      }
    }
  }

  /** The contribution of a rank. */
  int of(int rank) {
    return rank + 1;
  }

  /** The combination of two values, of which none is {@link #NOTHING}. */
  int combine(int left, int right) {
    long key = ((long) left << Integer.SIZE | right) * SPREAD;
    if (key != last) {
      Integer known = combinations.get(key);
      if (known == null) {
        known = sets ? unite(left, right) : add(join(runs.get(left), runs.get(right)));
        combinations.put(key, known);
      }
      last = key;
      lastCombined = known;
    }
    return lastCombined;
  }

  /** Whether a value has each of the ranks from 0 up to a bound once, in order if that is asked. */
  boolean isPrefix(int value, int bound, boolean ordered) {
    int[] sequence = runs.get(value);
    if (ordered || sequence.length == 2) {
      return sequence.length == 2 && sequence[0] == 0 && sequence[1] == bound;
    }
    BitSet members = members(value);
    return count(sequence) == bound && members.cardinality() == bound && members.length() == bound;
  }

  /** The value's contributions, for people. */
  String describe(int value) {
    int[] sequence = runs.get(value);
    if (value == NOTHING) {
      return "nothing";
    }
    if (sequence.length == 0) {
      return "more than " + size + " contributions";
    }
    StringBuilder text = new StringBuilder();
    for (int i = 0; i < sequence.length; i += 2) {
      text.append(i == 0 ? "" : " ").append(sequence[i]);
      if (sequence[i + 1] - sequence[i] > 1) {
        text.append("..").append(sequence[i + 1] - 1);
      }
    }
    return text.toString();
  }

  private int add(int[] sequence) {
    runs.add(sequence);
    return runs.size() - 1;
  }

  private int unite(int left, int right) {
    BitSet union = members(left);
    union.or(members(right));
    Integer known = unions.get(union);
    if (known == null) {
      int[] sequence =
          union.stream().flatMap(rank -> Arrays.stream(new int[] {rank, rank + 1})).toArray();
      known = add(join(sequence, new int[0]));
      unions.put(union, known);
    }
    return known;
  }

  private BitSet members(int value) {
    BitSet members = new BitSet(size);
    int[] sequence = runs.get(value);
    for (int i = 0; i < sequence.length; i += 2) {
      members.set(sequence[i], sequence[i + 1]);
    }
    return members;
  }

  /** One sequence after the other; more contributions than ranks are never right and not kept. */
  private int[] join(int[] left, int[] right) {
    if (!sets && (left.length == 0 || right.length == 0 || count(left) + count(right) > size)) {
      return TOO_MANY;
    }
    int[] joined = Arrays.copyOf(left, left.length + right.length);
    System.arraycopy(right, 0, joined, left.length, right.length);
    int end = 0;
    for (int i = 0; i < joined.length; i += 2) {
      if (end > 0 && joined[end - 1] == joined[i]) {
        joined[end - 1] = joined[i + 1];
      } else {
        joined[end] = joined[i];
        joined[end + 1] = joined[i + 1];
        end += 2;
      }
    }
    return Arrays.copyOf(joined, end);
  }

  private static int count(int[] sequence) {
    int count = 0;
    for (int i = 0; i < sequence.length; i += 2) {
      count += sequence[i + 1] - sequence[i];
    }
    return count;
  }
}
