package org.sparkcollectives.spark.internal.input;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.sparkcollectives.vector.ReduceOp;

/**
 * A sum of sparse vectors of doubles, for which only the elements are kept that some vector has. It
 * is a list of runs, each with ascending indices; a run is merged with the one before it when it is
 * half as long, so that adding n vectors takes O(log n) times what they hold. For one thread.
 */
public final class SparseSum {
  /** What an element takes: its index and itself. */
  private static final long ENTRY_BYTES = Integer.BYTES + Double.BYTES;

  /** The sum of {@link #packed} operands, as an operator on objects. */
  public static final ReduceOp<Object> OF_PACKED =
      ReduceOp.<Object>ofObjects(
          "sum", true, (left, right) -> packed(plus(unpacked(left), unpacked(right))));

  private final int length;
  private final List<int[]> indices = new ArrayList<>();
  private final List<double[]> values = new ArrayList<>();

  /**
   * A sum of nothing.
   *
   * @param length the vectors' length
   */
  public SparseSum(int length) {
    this.length = length;
  }

  /**
   * The vectors' length.
   *
   * @return how many elements there are, kept or not
   */
  public int length() {
    return length;
  }

  /**
   * The indices of the elements that are kept.
   *
   * @return them, ascending; not to be changed
   */
  public int[] indices() {
    compact();
    return indices.isEmpty() ? new int[0] : indices.get(0);
  }

  /**
   * The elements that are kept.
   *
   * @return them, in the order of {@link #indices}; not to be changed
   */
  public double[] values() {
    compact();
    return values.isEmpty() ? new double[0] : values.get(0);
  }

  /**
   * An operand as other ranks get it: a sum as bytes, since serializers may refuse whatever class
   * an application has not named, but no primitive array.
   *
   * @param operand a sum, or any other operand, which remains as it is
   * @return what {@link #unpacked} takes
   */
  public static Object packed(Object operand) {
    if (!(operand instanceof SparseSum sum)) {
      return operand;
    }
    int[] at = sum.indices();
    byte[] array = new byte[Math.toIntExact(Integer.BYTES + ENTRY_BYTES * at.length)];
    ByteBuffer bytes = little(array);
    bytes.putInt(sum.length);
    bytes.asIntBuffer().put(at);
    bytes.position(Integer.BYTES * (1 + at.length)).asDoubleBuffer().put(sum.values());
    return array;
  }

  /**
   * An operand of what it was packed into.
   *
   * @param packed what {@link #packed} has made
   * @return the operand
   */
  public static Object unpacked(Object packed) {
    if (!(packed instanceof byte[] array)) {
      return packed;
    }
    ByteBuffer bytes = little(array);
    SparseSum sum = new SparseSum(bytes.getInt());
    int[] at = new int[(int) (bytes.remaining() / ENTRY_BYTES)];
    double[] elements = new double[at.length];
    bytes.asIntBuffer().get(at);
    bytes.position(Integer.BYTES * (1 + at.length)).asDoubleBuffer().get(elements);
    sum.add(at, elements);
    return sum;
  }

  private static ByteBuffer little(byte[] bytes) {
    return ByteBuffer.wrap(bytes).order(ByteOrder.LITTLE_ENDIAN);
  }

  /** What it takes. */
  long bytes() {
    return ENTRY_BYTES * indices().length;
  }

  /**
   * Adds a vector.
   *
   * @param at the indices of its elements, ascending; kept
   * @param elements its elements; kept
   */
  public void add(int[] at, double[] elements) {
    indices.add(at);
    values.add(elements);
    while (indices.size() > 1 && size(indices.size() - 2) <= 2 * size(indices.size() - 1)) {
      mergeLast();
    }
  }

  private long size(int run) {
    return indices.get(run).length;
  }

  /** Merges all runs into one. */
  private void compact() {
    while (indices.size() > 1) {
      mergeLast();
    }
  }

  private void mergeLast() {
    int[] rightAt = indices.remove(indices.size() - 1);
    int[] leftAt = indices.remove(indices.size() - 1);
    double[] right = values.remove(values.size() - 1);
    double[] left = values.remove(values.size() - 1);
    int most = (int) Math.min((long) leftAt.length + rightAt.length, length);
    int[] at = new int[most];
    double[] sum = new double[most];
    int size = 0;
    int l = 0;
    int r = 0;
    while (l < leftAt.length || r < rightAt.length) {
      boolean hasLeft = l < leftAt.length && (r == rightAt.length || leftAt[l] <= rightAt[r]);
      boolean hasRight = r < rightAt.length && (l == leftAt.length || rightAt[r] <= leftAt[l]);
      at[size] = hasLeft ? leftAt[l] : rightAt[r];
      sum[size++] = (hasLeft ? left[l] : 0) + (hasRight ? right[r] : 0);
      l += hasLeft ? 1 : 0;
      r += hasRight ? 1 : 0;
    }
    indices.add(size == most ? at : Arrays.copyOf(at, size));
    values.add(size == most ? sum : Arrays.copyOf(sum, size));
  }

  /** All elements. */
  double[] dense() {
    double[] all = new double[length];
    addTo(all);
    return all;
  }

  private void addTo(double[] all) {
    for (int run = 0; run < indices.size(); run++) {
      int[] at = indices.get(run);
      double[] elements = values.get(run);
      for (int i = 0; i < at.length; i++) {
        all[at[i]] += elements[i];
      }
    }
  }

  /** This, or all elements where that takes less. */
  Object smaller() {
    long most = (long) Double.BYTES * length;
    long held = indices.stream().mapToLong(run -> run.length).sum();
    return ENTRY_BYTES * held > most && bytes() > most ? dense() : this;
  }

  /** The length of an operand, a sum or a {@code double[]}; -1 for any other. */
  static int length(Object operand) {
    if (operand instanceof SparseSum sum) {
      return sum.length;
    }
    return operand instanceof double[] all ? all.length : -1;
  }

  /**
   * Adds two operands, each a sum or a {@code double[]}, of one length.
   *
   * @param left the left one, which may be changed
   * @param right the right one, which is not kept
   * @return what takes less of both forms; not the right one
   */
  static Object plus(Object left, Object right) {
    if (left instanceof SparseSum sum) {
      if (right instanceof SparseSum other) {
        for (int run = 0; run < other.indices.size(); run++) {
          sum.add(other.indices.get(run), other.values.get(run)); // runs are never changed
        }
        return sum.smaller();
      }
      double[] all = ((double[]) right).clone();
      sum.addTo(all);
      return all;
    }
    double[] all = (double[]) left;
    if (right instanceof SparseSum other) {
      other.addTo(all);
    } else {
      double[] other = (double[]) right;
      for (int i = 0; i < all.length; i++) {
        all[i] += other[i];
      }
    }
    return all;
  }
}
