package org.sparkcollectives.ml.internal.rows;

import java.util.Arrays;
import java.util.Iterator;
import java.util.NoSuchElementException;
import org.apache.spark.mllib.linalg.DenseVector;
import org.apache.spark.mllib.linalg.SparseVector;
import org.apache.spark.mllib.linalg.Vector;
import org.apache.spark.rdd.RDD;
import org.jspecify.annotations.Nullable;
import scala.Tuple2;

/**
 * Rows that can be held, from a source that may write each into the array of the one before: MLlib
 * is through with a row before it reads the next. Such rows are handed out as copies, others as
 * they came.
 */
public final class LastingRows implements Iterator<Tuple2<Object, Vector>> {
  private final Iterator<Tuple2<Object, Vector>> source;

  /** The row that was read last, and is the next to be handed out; null at the end. */
  private @Nullable Tuple2<Object, Vector> read;

  /** Its features as they were when it was read, with room for those of longer rows. */
  private double[] values = {};

  private int[] indices = {};

  /** Whether a row had the array of the one before. */
  private boolean reuses;

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
    Tuple2<Object, Vector> after = source.hasNext() ? source.next() : null;
    reuses = reuses || (after != null && values(after._2()) == values(row._2()));
    Tuple2<Object, Vector> lasting = reuses ? new Tuple2<>(row._1(), copy(row._2())) : row;
    take(after);
    return lasting;
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
