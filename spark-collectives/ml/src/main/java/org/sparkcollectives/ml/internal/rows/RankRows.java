package org.sparkcollectives.ml.internal.rows;

import static java.util.Objects.requireNonNull;

import java.util.ArrayList;
import java.util.BitSet;
import java.util.Iterator;
import java.util.List;
import java.util.NoSuchElementException;
import org.apache.spark.ml.feature.Instance;
import org.apache.spark.ml.feature.InstanceBlock;
import org.apache.spark.ml.feature.InstanceBlock$;
import org.apache.spark.ml.linalg.DenseMatrix;
import org.apache.spark.ml.linalg.Matrix;
import org.apache.spark.ml.linalg.SparseMatrix;
import org.jspecify.annotations.Nullable;
import scala.collection.BufferedIterator;
import scala.jdk.javaapi.CollectionConverters;

/** The rows of a rank, in MLlib's blocks, which are read once and then scaled where they lie. */
public final class RankRows {
  /** So many vectors of coefficients a block is as large as, so that they take little beside it. */
  private static final int VECTORS_PER_BLOCK = 4;

  private final List<InstanceBlock> blocks;
  private final RowKind kind;
  private final boolean complete;

  /** A number of a row. */
  interface Cell {
    /**
     * Takes a number.
     *
     * @param column the feature, or the number of features for the label
     * @param value the number
     * @param weight the row's weight, more than 0
     */
    void at(int column, double value, double weight);
  }

  /** A row. */
  interface Row {
    /**
     * Takes a row.
     *
     * @param block the block in which it is
     * @param index which of the block's rows it is
     * @param weight its weight, more than 0
     */
    void at(InstanceBlock block, int index, double weight);
  }

  private RankRows(List<InstanceBlock> blocks, RowKind kind, boolean complete) {
    this.blocks = blocks;
    this.kind = kind;
    this.complete = complete;
  }

  /**
   * Makes blocks of rows, up to the first that cannot be trained with.
   *
   * @param rows the rows
   * @param bytes about how large a block is at least; larger where vectors of coefficients are, as
   *     MLlib's aggregators go through one for each block
   * @param kind what labels and weights mean
   * @return the rows in blocks; none where there are no rows
   */
  public static RankRows of(Iterator<Instance> rows, long bytes, RowKind kind) {
    Allowed allowed = new Allowed(rows, kind);
    BufferedIterator<Instance> all = CollectionConverters.asScala(allowed).buffered();
    long vector = all.hasNext() ? (long) all.head().features().size() * Double.BYTES : 0;
    List<InstanceBlock> blocks = new ArrayList<>();
    CollectionConverters.asJava(
            InstanceBlock$.MODULE$.blokifyWithMaxMemUsage(
                all, Math.max(bytes, VECTORS_PER_BLOCK * vector)))
        .forEachRemaining(blocks::add);
    return new RankRows(blocks, kind, !allowed.ended);
  }

  /**
   * Rows up to the first that cannot be trained with: for itself, or beside those before it, as it
   * has no features or another number.
   */
  private static final class Allowed implements Iterator<Instance> {
    private final Iterator<Instance> rows;
    private final RowKind kind;
    private @Nullable Instance next;

    /** How many features rows have, once there is one. */
    private int features;

    /** Whether there was one that cannot. */
    private boolean ended;

    Allowed(Iterator<Instance> rows, RowKind kind) {
      this.rows = rows;
      this.kind = kind;
    }

    @Override
    public boolean hasNext() {
      if (next == null && !ended && rows.hasNext()) {
        Instance row = rows.next();
        if (kind.takes(row) && isOfOneWidth(row)) {
          next = row;
        } else {
          ended = true;
        }
      }
      return next != null;
    }

    private boolean isOfOneWidth(Instance row) {
      int width = row.features().size();
      features = features == 0 ? width : features;
      return width == features && width > 0;
    }

    @Override
    public Instance next() {
      if (!hasNext()) {
        throw new NoSuchElementException();
      }
      Instance row = requireNonNull(next);
      next = null;
      return row;
    }
  }

  /**
   * The rows, in order.
   *
   * @return the blocks, which {@link #scale} and {@link Summaries} change
   */
  public List<InstanceBlock> blocks() {
    return blocks;
  }

  /** Which features some row has. */
  BitSet present() {
    BitSet present = new BitSet(features());
    blocks.forEach(block -> Support.note(block, present));
    return present;
  }

  /** Leaves out all features but some, which come one after the other. */
  void keep(Support support) {
    blocks.replaceAll(support::of);
  }

  RowKind kind() {
    return kind;
  }

  /** Whether these are all the rows, and none was one that cannot be trained with. */
  boolean complete() {
    return complete;
  }

  /** How many features each row has; 0 when there are no rows. */
  int features() {
    return blocks.isEmpty() ? 0 : blocks.get(0).numFeatures();
  }

  /** Visits the rows that have a weight, in order. */
  void forEach(Row row) {
    for (InstanceBlock block : blocks) {
      double[] weights = kind == RowKind.LIFETIMES ? new double[0] : block.weights();
      for (int i = 0; i < block.size(); i++) {
        double weight = weights.length == 0 ? 1 : weights[i];
        if (weight != 0) {
          row.at(block, i, weight);
        }
      }
    }
  }

  /** Visits the numbers of these rows, in order: features, then the label. */
  void forEachCell(Cell cell) {
    forEach((block, index, weight) -> visit(block, index, weight, cell));
  }

  /** Visits the numbers of one row; features that are not stored are 0. */
  static void visit(InstanceBlock block, int index, double weight, Cell cell) {
    Matrix matrix = block.matrix(); // row after row
    if (matrix instanceof SparseMatrix sparse) {
      int[] starts = sparse.colPtrs();
      int[] columns = sparse.rowIndices();
      double[] values = sparse.values();
      for (int k = starts[index]; k < starts[index + 1]; k++) {
        cell.at(columns[k], values[k], weight);
      }
    } else {
      double[] values = ((DenseMatrix) matrix).values();
      int features = block.numFeatures();
      for (int j = 0; j < features; j++) {
        cell.at(j, values[index * features + j], weight);
      }
    }
    cell.at(block.numFeatures(), block.labels()[index], weight);
  }

  /**
   * Multiplies each feature by its scale, where it lies.
   *
   * @param scales a number for each feature
   */
  public void scale(double[] scales) {
    for (InstanceBlock block : blocks) {
      if (block.matrix() instanceof SparseMatrix sparse) {
        int[] columns = sparse.rowIndices();
        double[] values = sparse.values();
        for (int k = 0; k < values.length; k++) {
          values[k] *= scales[columns[k]];
        }
      } else {
        double[] values = ((DenseMatrix) block.matrix()).values();
        for (int k = 0; k < values.length; k++) {
          values[k] *= scales[k % scales.length];
        }
      }
    }
  }
}
