package org.sparkcollectives.ml.internal.rows;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Iterator;
import java.util.List;
import java.util.NoSuchElementException;
import org.apache.spark.mllib.linalg.DenseVector;
import org.apache.spark.mllib.linalg.SparseVector;
import org.apache.spark.mllib.linalg.Vector;
import org.apache.spark.rdd.RDD;
import org.jspecify.annotations.Nullable;
import scala.Tuple2;

/**
 * Rows that can be held, from a source that may write several into one array: MLlib is through with
 * a row before it reads the next. Copied are the first rows of a partition, those that have an
 * array of one of these, and those that share an array with a neighbour; others are handed out as
 * they came.
 */
public final class LastingRows implements Iterator<Tuple2<Object, Vector>> {
  /** Who writes several rows into an array has done so once among so many. */
  static final int FIRST = 16;

  private final Iterator<Tuple2<Object, Vector>> source;

  /** The arrays of the first rows. */
  private final List<double[]> known = new ArrayList<>(FIRST);

  /** The row that was read last, and is the next to be handed out; null at the end. */
  private @Nullable Tuple2<Object, Vector> read;

  /** The array of the row before it; null at the start. */
  private double @Nullable [] before;

  /** The features of {@link #read} as they were then, with room for those of longer rows. */
  private double[] values = {};

  private int[] indices = {};

  LastingRows(Iterator<Tuple2<Object, Vector>> source) {
    this.source = source;
    take(source.hasNext() ? source.next() : null);
  }

  /**
   * Rows of which a task may hold all.
   *
   * @param rows a label and features each
   * @return the same rows in the same partitions
   */
  public static RDD<Tuple2<Object, Vector>> of(RDD<Tuple2<Object, Vector>> rows) {
    return rows.toJavaRDD().mapPartitions(LastingRows::new, true).rdd();
  }

  @Override
  public boolean hasNext() {
    return read != null;
  }

  @Override
  public Tuple2<Object, Vector> next() {
    Tuple2<Object, Vector> row = read;
    if (row == null) {
      throw new NoSuchElementException("a partition has no more rows");
    }
    double[] array = values(row._2());
    Tuple2<Object, Vector> after = source.hasNext() ? source.next() : null;
    boolean shared =
        array == before || (after != null && array == values(after._2())) || isKnown(array);
    Tuple2<Object, Vector> lasting = shared ? new Tuple2<>(row._1(), copy(row._2())) : row;
    before = array;
    take(after);
    return lasting;
  }

  private boolean isKnown(double[] array) {
    for (double[] each : known) {
      if (each == array) {
        return true;
      }
    }
    return false;
  }

  private static double[] values(Vector features) {
    return features instanceof DenseVector dense
        ? dense.values()
        : ((SparseVector) features).values();
  }

  private void take(@Nullable Tuple2<Object, Vector> row) {
    read = row;
    if (row == null) {
      return;
    }
    double[] from = values(row._2());
    if (known.size() < FIRST) {
      known.add(from);
    }
    values = values.length < from.length ? new double[from.length] : values;
    System.arraycopy(from, 0, values, 0, from.length);
    if (row._2() instanceof SparseVector sparse) {
      int[] which = sparse.indices();
      indices = indices.length < which.length ? new int[which.length] : indices;
      System.arraycopy(which, 0, indices, 0, which.length);
    }
  }

  private Vector copy(Vector features) {
    int count = values(features).length;
    double[] copied = Arrays.copyOf(values, count);
    return features instanceof SparseVector
        ? new SparseVector(features.size(), Arrays.copyOf(indices, count), copied)
        : new DenseVector(copied);
  }
}
