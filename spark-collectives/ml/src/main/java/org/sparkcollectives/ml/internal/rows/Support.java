package org.sparkcollectives.ml.internal.rows;

import java.util.Arrays;
import java.util.BitSet;
import java.util.List;
import java.util.function.Supplier;
import java.util.stream.IntStream;
import org.apache.spark.ml.feature.InstanceBlock;
import org.apache.spark.ml.linalg.SparseMatrix;
import org.apache.spark.ml.linalg.Vector;
import org.apache.spark.ml.linalg.Vectors;
import org.jspecify.annotations.Nullable;
import org.sparkcollectives.Communicator;
import org.sparkcollectives.vector.ReduceOp;

/**
 * Features that some row has, where they are few of many, as hashed ones are, and the coefficients
 * that rows can move: those of such features, and of none. The gradient of every other one is
 * always exactly 0, and so is the coefficient where it starts at 0, so that neither has to be sent,
 * kept or computed with.
 */
public final class Support {
  /** Shorter vectors gain less than it costs to ask. */
  static final int LEAST = 10_000;

  /** One of how many may be there: then half of the bytes are not sent. */
  private static final int FEW = 2;

  /** What belongs to no feature is at most so much, where a feature has one coefficient. */
  private static final int MOST_OTHERS = 2;

  private static final ReduceOp<Object> OR = ReduceOp.ofLong("or", true, (a, b) -> a | b);

  private final int length;
  private final int[] indices;

  private Support(int length, int[] indices) {
    this.length = length;
    this.indices = indices;
  }

  /**
   * The coefficients that rows can move; a collective call.
   *
   * @param communicator the ranks
   * @param rows those of this rank
   * @param initial the coefficients where they start, laid out feature by feature, as many for
   *     each, with those of no feature behind them
   * @return the support, the same on all ranks; null where it is none or more than half of the
   *     coefficients or not known, as rows are no blocks of MLlib's, or coefficients laid out
   *     otherwise
   */
  public static @Nullable Support find(Communicator communicator, List<?> rows, Vector initial) {
    int length = initial.size();
    if (length < LEAST) {
      return null;
    }
    int[] told = {0, 0};
    for (Object row : rows) {
      if (row instanceof InstanceBlock block) {
        told[0] = block.numFeatures();
      } else {
        told[1] = 1;
      }
    }
    communicator.allReduce(told, ReduceOp.MAX);
    int features = told[0];
    if (told[1] == 1 || !isLaidOut(length, features)) {
      return null;
    }
    BitSet own = new BitSet(features);
    rows.forEach(row -> note((InstanceBlock) row, own));
    BitSet present = ofAll(communicator, own, features);
    double[] start = initial.toArray();
    int sets = length / features;
    return few(
        length,
        IntStream.range(0, length)
            .filter(i -> start[i] != 0 || i / sets >= features || present.get(i / sets)));
  }

  /** Whether coefficients can be as many for each feature, and a few behind them. */
  private static boolean isLaidOut(int length, int features) {
    if (features == 0 || length < features || length / features >= features) {
      return false;
    }
    int sets = length / features;
    int others = length % features;
    return sets == 1 ? others <= MOST_OTHERS : others == 0 || others == sets;
  }

  /**
   * The features that some rank has; a collective call.
   *
   * @param communicator the ranks
   * @param own tells those that this rank has, where that is asked
   * @param features how many features there are
   * @return the same on all ranks; null where they are none or more than half, or there are not
   *     many at all
   */
  public static @Nullable Support ofFeatures(
      Communicator communicator, Supplier<BitSet> own, int features) {
    return features < LEAST
        ? null
        : few(features, ofAll(communicator, own.get(), features).stream());
  }

  private static @Nullable Support few(int length, IntStream chosen) {
    int[] indices = chosen.toArray();
    boolean few = indices.length > 0 && indices.length <= length / FEW;
    return few ? new Support(length, indices) : null;
  }

  /** Of each feature whether some rank has it. */
  private static BitSet ofAll(Communicator communicator, BitSet own, int features) {
    long[] words = Arrays.copyOf(own.toLongArray(), (features - 1) / Long.SIZE + 1);
    communicator.allReduce(words, OR);
    return BitSet.valueOf(words);
  }

  /**
   * Notes which features some row of a block has: those that it stores. Dense blocks store all;
   * MLlib makes them where most numbers are not 0.
   *
   * @param block the block
   * @param present has a bit for each feature
   */
  static void note(InstanceBlock block, BitSet present) {
    if (block.matrix() instanceof SparseMatrix sparse) { // row after row
      for (int column : sparse.rowIndices()) {
        present.set(column);
      }
    } else {
      present.set(0, block.numFeatures());
    }
  }

  /**
   * The coefficients of these features.
   *
   * @param sets how many each feature has, one after the other
   * @param others how many belong to no feature, behind them
   * @return the support that holds of each of these features all, and the others
   * @throws ArithmeticException if all features have more than 2<sup>31</sup> - 1 in all
   */
  public Support ofCoefficients(int sets, int others) {
    int all = Math.addExact(Math.multiplyExact(length, sets), others);
    int[] coefficients = new int[indices.length * sets + others];
    for (int i = 0; i < coefficients.length; i++) {
      int feature = i / sets;
      coefficients[i] =
          feature < indices.length
              ? indices[feature] * sets + i % sets
              : (length - indices.length) * sets + i;
    }
    return new Support(all, coefficients);
  }

  /**
   * A block of these features alone.
   *
   * @param block a block that stores no others, whose arrays it shares and changes
   * @return the block, in which the features have the places that they have among these
   */
  InstanceBlock of(InstanceBlock block) {
    SparseMatrix all = (SparseMatrix) block.matrix();
    int[] columns = all.rowIndices();
    for (int k = 0; k < columns.length; k++) {
      columns[k] = place(columns[k]);
    }
    SparseMatrix these =
        new SparseMatrix(all.numRows(), size(), all.colPtrs(), columns, all.values(), true);
    return new InstanceBlock(block.labels(), block.weights(), these);
  }

  /** Where one of all is among these; negative if it is none of them. */
  int place(int index) {
    return Arrays.binarySearch(indices, index);
  }

  /**
   * How many these are.
   *
   * @return the number
   */
  public int size() {
    return indices.length;
  }

  /**
   * How many there are in all.
   *
   * @return the number
   */
  public int length() {
    return length;
  }

  /**
   * Which one of all one of these is.
   *
   * @param i which of these, from 0 on
   * @return its index among all
   */
  public int index(int i) {
    return indices[i];
  }

  /**
   * Takes these out of all.
   *
   * @param all a number for each of all
   * @return a new array of one for each of these
   */
  public double[] of(double[] all) {
    double[] these = new double[indices.length];
    for (int i = 0; i < these.length; i++) {
      these[i] = all[indices[i]];
    }
    return these;
  }

  /**
   * The same for a vector.
   *
   * @param all a number for each of all
   * @return a number for each of these
   */
  public Vector of(Vector all) {
    return Vectors.dense(of(all.toArray())).compressed();
  }

  /**
   * Puts these where they stand among all.
   *
   * @param these a number for each of these
   * @param all an array for all, of which no others are changed
   */
  public void put(double[] these, double[] all) {
    for (int i = 0; i < these.length; i++) {
      all[indices[i]] = these[i];
    }
  }

  /**
   * A part of all.
   *
   * @param these a number for each of these
   * @param first the index of the first that is wanted, among all
   * @param count how many are
   * @return a new array, of 0 for all but these
   */
  public double[] part(double[] these, int first, int count) {
    double[] part = new double[count];
    int from = place(first);
    for (int i = from < 0 ? -1 - from : from; i < indices.length; i++) {
      if (indices[i] - first >= count) {
        break;
      }
      part[indices[i] - first] = these[i];
    }
    return part;
  }

  /**
   * Which these are.
   *
   * @return the index of each, in ascending order; not to be changed
   */
  public int[] indices() {
    return indices;
  }

  /**
   * How many these are, and which.
   *
   * @return words that are most likely others where these are others
   */
  @Override
  public String toString() {
    int hash = Arrays.hashCode(indices);
    return indices.length + " of " + length + " coefficients (" + Integer.toHexString(hash) + ")";
  }
}
