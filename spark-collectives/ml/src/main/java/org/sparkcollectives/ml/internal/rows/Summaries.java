package org.sparkcollectives.ml.internal.rows;

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
public final class Summaries {
  /** More classes than a rank is to have numbers for. */
  private static final int MOST_CLASSES = 1 << 20;

  /** Behind the sums of a message: weight, sum of squared weights, count. */
  private static final int EXTRA = 3;

  private final Communicator communicator;
  private final RankRows rows;
  private final int features;
  private final int classes;

  /** Which of all features these are. */
  private final @Nullable Support support;

  /** How much weight of this rank's rows stores a number of a feature; empty once it is known. */
  private double[] stored;

  /** How much weight this rank's rows have. */
  private double here;

  private Summaries(
      Communicator communicator,
      RankRows rows,
      int features,
      int classes,
      @Nullable Support support) {
    this.communicator = communicator;
    this.rows = rows;
    this.features = features;
    this.classes = classes;
    this.support = support;
    this.stored = new double[features];
  }

  /**
   * Sums up; a collective call.
   *
   * @param communicator the ranks
   * @param rows those of this rank
   * @param few whether features that no row has are to be left out where those are few that some
   *     row has: of the summary, and of the rows
   * @return the summary, the same on all ranks; null when no row has a weight, some rank's rows are
   *     not complete, rows have different numbers of features or too many classes, or a feature's
   *     mean or deviation is not finite, as 1e300 among other numbers makes it: no scale is left of
   *     such a feature
   */
  public static @Nullable Summary of(Communicator communicator, RankRows rows, boolean few) {
    First first = new First();
    rows.forEach(first::at);
    int[] mine = {
      rows.features(),
      first.row.length,
      rows.kind().hasClasses() ? first.classes : 0,
      rows.complete() ? 1 : 0
    };
    int[] all = communicator.allGather(mine);
    int holder = -1;
    int features = 0;
    int classes = 0;
    for (int rank = communicator.size() - 1; rank >= 0; rank--) {
      int has = all[rank * mine.length];
      boolean complete = all[rank * mine.length + 3] == 1;
      if (!complete || (has != 0 && features != 0 && has != features)) {
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
    Support support = few ? Support.ofFeatures(communicator, rows::present, features) : null;
    if (support == null) {
      return new Summaries(communicator, rows, features, classes, null).from(row, features);
    }
    rows.keep(support);
    return new Summaries(communicator, rows, support.size(), classes, support).from(row, features);
  }

  /** Sums up, from a row of all features; null where a feature has no scale. */
  private @Nullable Summary from(double[] row, int all) {
    double[] means = new double[features];
    double[] label = new double[1];
    for (int k = 0; k < row.length; k += 2) {
      int column = (int) row[k];
      int place = column == all || support == null ? column : support.place(column);
      if (column == all) {
        label[0] = row[k + 1];
      } else if (place >= 0) {
        means[place] = row[k + 1];
      }
    }
    double[] extra = means(means, label);
    double weight = extra[0];
    double denominator = weight - extra[1] / weight;
    double[] labelSquares = new double[1];
    double[] squares = deviations(means, label[0], denominator, labelSquares);
    boolean constants = false;
    for (int j = 0; j < features; j++) {
      if (!Double.isFinite(means[j]) || !Double.isFinite(squares[j])) {
        return null;
      }
      constants |= squares[j] == 0 && means[j] != 0;
    }
    return new Summary(
        means,
        squares,
        new RowFacts(
            all,
            label[0],
            labelSquares[0],
            weight,
            Math.round(extra[2]),
            Arrays.copyOfRange(extra, EXTRA, EXTRA + classes),
            constants),
        support);
  }

  /**
   * Makes means of shifts.
   *
   * @param shift for each feature the number to which differences are summed, overwritten
   * @param label the same for the label
   * @return weight, sum of squared weights, count, then the weight of each class
   */
  private double[] means(double[] shift, double[] label) {
    double[] sums = new double[features + EXTRA + classes + 1];
    rows.forEachCell(
        (column, value, weight) -> {
          if (column < features) {
            sums[column] += weight * (value - shift[column]);
            stored[column] += weight;
          } else {
            sums[sums.length - 1] += weight * (value - label[0]);
            here += weight;
          }
        });
    for (int j = 0; j < features; j++) {
      sums[j] -= (here - stored[j]) * shift[j];
    }
    sums[features] = here;
    rows.forEach(
        (block, index, weight) -> {
          sums[features + 1] += weight * weight;
          sums[features + 2]++;
          if (classes > 0) {
            sums[features + EXTRA + (int) block.labels()[index]] += weight;
          }
        });
    communicator.allReduce(sums, ReduceOp.SUM);
    double all = sums[features];
    for (int j = 0; j < features; j++) {
      shift[j] += sums[j] / all;
    }
    label[0] += sums[sums.length - 1] / all;
    return Arrays.copyOfRange(sums, features, sums.length);
  }

  /** The square roots of squared differences to the means, over a denominator. */
  private double[] deviations(
      double[] means, double labelMean, double denominator, double[] labelDeviation) {
    double[] squares = new double[features + 1];
    rows.forEachCell(
        (column, value, weight) -> {
          double difference = value - (column < features ? means[column] : labelMean);
          squares[column] += weight * difference * difference;
        });
    for (int j = 0; j < features; j++) {
      squares[j] += (here - stored[j]) * means[j] * means[j];
    }
    stored = new double[0];
    communicator.allReduce(squares, ReduceOp.SUM);
    for (int j = 0; j <= features; j++) {
      squares[j] = denominator > 0 ? Math.sqrt(Math.max(squares[j] / denominator, 0)) : 0;
    }
    labelDeviation[0] = squares[features];
    return Arrays.copyOf(squares, features);
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
