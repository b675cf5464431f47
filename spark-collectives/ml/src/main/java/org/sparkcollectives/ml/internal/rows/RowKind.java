package org.sparkcollectives.ml.internal.rows;

import org.apache.spark.ml.feature.Instance;
import org.apache.spark.ml.linalg.DenseVector;
import org.apache.spark.ml.linalg.SparseVector;
import org.apache.spark.ml.linalg.Vector;
import org.jspecify.annotations.Nullable;

/** What a row's label and weight mean. */
public enum RowKind {
  /** The label is a class, a whole number from 0 on. */
  CLASSES {
    @Override
    boolean isLabel(double label) {
      return label >= 0 && label < Integer.MAX_VALUE && label == (int) label;
    }
  },

  /** The label is a class, 0 or 1. */
  TWO_CLASSES {
    @Override
    boolean isLabel(double label) {
      return label == 0 || label == 1;
    }
  },

  /** The label is any number. */
  NUMBERS,

  /**
   * The label is a time, more than 0. In place of the weight stands 1 where it was seen to end, or
   * 0; all rows weigh 1.
   */
  LIFETIMES {
    @Override
    boolean isLabel(double label) {
      return label > 0 && label < Double.POSITIVE_INFINITY;
    }

    @Override
    boolean isWeight(double weight) {
      return weight == 0 || weight == 1;
    }
  };

  /** Whether the label is a class. */
  boolean hasClasses() {
    return this == CLASSES || this == TWO_CLASSES;
  }

  boolean isLabel(double label) {
    return Double.isFinite(label);
  }

  boolean isWeight(double weight) {
    return weight >= 0 && weight < Double.POSITIVE_INFINITY;
  }

  /** Whether a row can be trained with, as MLlib's checks of columns have it. */
  boolean takes(Instance row) {
    return isLabel(row.label()) && isWeight(row.weight()) && isFinite(row.features());
  }

  private static boolean isFinite(@Nullable Vector features) {
    if (features instanceof DenseVector dense) {
      return isFinite(dense.values());
    }
    return features instanceof SparseVector sparse && isFinite(sparse.values());
  }

  private static boolean isFinite(double[] values) {
    for (double value : values) {
      if (!Double.isFinite(value)) {
        return false;
      }
    }
    return true;
  }
}
