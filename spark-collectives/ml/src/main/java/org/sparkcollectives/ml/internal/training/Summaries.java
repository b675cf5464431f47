package org.sparkcollectives.ml.internal.training;

import java.util.Arrays;
import org.apache.spark.ml.feature.InstanceBlock;
import org.jspecify.annotations.Nullable;
import org.sparkcollectives.Communicator;
import org.sparkcollectives.vector.ReduceOp;

/**
 * The summary of all ranks' rows: means by one allreduce, then deviations from these by another.
 * Sums are of differences to one of the rows, so that a feature that never changes has a deviation
 * of exactly 0.
 */
final class Summaries {
  /** More classes than a rank is to have numbers for. */
  private static final int MOST_CLASSES = 1 << 20;

  /** Behind the sums of a message: weight, sum of squared weights, count. */
  private static final int EXTRA = 3;

  private final Communicator communicator;
  private final RankRows rows;
  private final int columns;
  private final int classes;

  /** How much weight of this rank's rows stores a number in a column. */
  private final double[] stored;

  private Summaries(Communicator communicator, RankRows rows, int columns, int classes) {
    this.communicator = communicator;
    this.rows = rows;
    this.columns = columns;
    this.classes = classes;
    this.stored = new double[columns];
  }

  /**
   * Sums up; a collective call.
   *
   * @param communicator the ranks
   * @param rows those of this rank
   * @return the summary, the same on all ranks; null when no row has a weight, or rows have
   *     different numbers of features or too many classes
   */
  static @Nullable Summary of(Communicator communicator, RankRows rows) {
    First first = new First();
    rows.forEach(first::at);
    int[] mine = {
      rows.features(), first.row.length, rows.kind() == RowKind.CLASSES ? first.classes : 0
    };
    int[] all = communicator.allGather(mine);
    int holder = -1;
    int features = 0;
    int classes = 0;
    for (int rank = communicator.size() - 1; rank >= 0; rank--) {
      int has = all[rank * mine.length];
      if (has != 0 && features != 0 && has != features) {
        return null;
      }
      features = Math.max(has, features);
      holder = all[rank * mine.length + 1] > 0 ? rank : holder;
      classes = Math.max(classes, all[rank * mine.length + 2]);
    }
    if (holder < 0 || classes > MOST_CLASSES) {
      return null;
    }
    double[] row =
        communicator.rank() == holder ? first.row : new double[all[holder * mine.length + 1]];
    communicator.broadcast(row, holder);
    return new Summaries(communicator, rows, features + 1, classes).from(row);
  }

  private Summary from(double[] row) {
    double[] shift = new double[columns];
    for (int k = 0; k < row.length; k += 2) {
      shift[(int) row[k]] = row[k + 1];
    }
    double[] sums = new double[columns + EXTRA + classes];
    rows.forEachCell(
        (column, value, weight) -> {
          sums[column] += weight * (value - shift[column]);
          stored[column] += weight;
        });
    double here = stored[columns - 1]; // each row stores its label
    for (int j = 0; j < columns; j++) {
      sums[j] -= (here - stored[j]) * shift[j];
    }
    sums[columns] = here;
    rows.forEach(
        (block, index, weight) -> {
          sums[columns + 1] += weight * weight;
          sums[columns + 2]++;
          if (classes > 0) {
            sums[columns + EXTRA + (int) block.labels()[index]] += weight;
          }
        });
    communicator.allReduce(sums, ReduceOp.SUM);
    double all = sums[columns];
    double[] means = shift;
    for (int j = 0; j < columns; j++) {
      means[j] += sums[j] / all;
    }
    return new Summary(
        means,
        deviations(means, all - sums[columns + 1] / all),
        all,
        Math.round(sums[columns + 2]),
        Arrays.copyOfRange(sums, columns + EXTRA, sums.length));
  }

  /** The square roots of squared differences to the means, over a denominator. */
  private double[] deviations(double[] means, double denominator) {
    double[] squares = new double[columns];
    rows.forEachCell(
        (column, value, weight) -> {
          double difference = value - means[column];
          squares[column] += weight * difference * difference;
        });
    double here = stored[columns - 1];
    for (int j = 0; j < columns; j++) {
      squares[j] += (here - stored[j]) * means[j] * means[j];
    }
    communicator.allReduce(squares, ReduceOp.SUM);
    for (int j = 0; j < columns; j++) {
      squares[j] = denominator > 0 ? Math.sqrt(Math.max(squares[j] / denominator, 0)) : 0;
    }
    return squares;
  }

  /** The first of this rank's rows that has a weight, and how many classes all of them have. */
  private static final class First {
    /** Columns and values in turn. */
    private double[] row = {};

    private int classes;

    void at(InstanceBlock block, int index, double weight) {
      classes = (int) Math.max(classes, Math.min(block.labels()[index] + 1, Integer.MAX_VALUE));
      if (row.length > 0) {
        return;
      }
      int[] filled = {0};
      RankRows.visit(block, index, weight, (column, value, unused) -> filled[0] += 2);
      row = new double[filled[0]];
      filled[0] = 0;
      RankRows.visit(
          block,
          index,
          weight,
          (column, value, unused) -> {
            row[filled[0]++] = column;
            row[filled[0]++] = value;
          });
    }
  }
}
