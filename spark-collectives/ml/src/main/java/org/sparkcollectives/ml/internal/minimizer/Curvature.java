package org.sparkcollectives.ml.internal.minimizer;

import breeze.optimize.NaNHistory;
import java.util.ArrayList;
import java.util.List;
import org.sparkcollectives.Communicator;
import org.sparkcollectives.vector.ReduceOp;

/**
 * What L-BFGS knows of an objective's curvature, where each rank has a part of every vector: the
 * newest steps with the changes of the gradient that they made, and all products of these, which
 * all ranks know. The direction is a combination of the vectors whose coefficients follow from the
 * products alone (Chen, Wang and Zhou, Large-scale L-BFGS using MapReduce, 2014), so an iteration
 * needs one allreduce of a few numbers. Its arrays do not change.
 */
final class Curvature {
  /** Elements of each vector that are worked on at once, so that they stay in a cache. */
  private static final int BLOCK = 1024;

  private final int memory;
  private final List<Pair> pairs;

  /** Of how many of the pairs, the oldest ones, the products are known. */
  private int known;

  /** In row i, column j: the product of step i and change j. */
  private final double[][] stepChange;

  /** In row i, column j: the product of changes i and j. */
  private final double[][] changeChange;

  /**
   * A step, and what it changed.
   *
   * @param step the difference of two positions, this rank's part
   * @param change the difference of the gradients there, this rank's part
   */
  @SuppressWarnings("ArrayRecordComponent") // never compared
  record Pair(double[] step, double[] change) {}

  /**
   * Curvature by pairs whose products are not known.
   *
   * @param memory the most pairs
   * @param pairs the pairs, the newest first
   */
  Curvature(int memory, List<Pair> pairs) {
    this.memory = memory;
    this.pairs = List.copyOf(pairs);
    this.stepChange = new double[pairs.size()][pairs.size()];
    this.changeChange = new double[pairs.size()][pairs.size()];
  }

  List<Pair> pairs() {
    return pairs;
  }

  /** This curvature with one pair more, and without the oldest where there are too many. */
  Curvature with(Pair newest) {
    List<Pair> more = new ArrayList<>(List.of(newest));
    more.addAll(pairs.subList(0, Math.min(pairs.size(), memory - 1)));
    Curvature next = new Curvature(memory, more);
    if (known == pairs.size()) {
      next.known = more.size() - 1;
      for (int i = 1; i < more.size(); i++) {
        System.arraycopy(stepChange[i - 1], 0, next.stepChange[i], 1, more.size() - 1);
        System.arraycopy(changeChange[i - 1], 0, next.changeChange[i], 1, more.size() - 1);
      }
    }
    return next;
  }

  /**
   * The direction of a gradient's quasi-Newton step; a collective call.
   *
   * @param gradient this rank's part of the gradient
   * @param communicator the ranks
   * @return this rank's part, a new array
   * @throws NaNHistory on all ranks where the products are no numbers or not those of a minimum
   */
  double[] direction(double[] gradient, Communicator communicator) {
    double[][] products = products(gradient, communicator);
    double[] direction = new double[gradient.length];
    combine(gradient, coefficients(products[0], products[1]), direction);
    return direction;
  }

  /** The products of all steps, and of all changes, with a gradient, over all ranks. */
  private double[][] products(double[] gradient, Communicator communicator) {
    int size = pairs.size();
    int unknown = size - known;
    double[] all = new double[2 * size + 3 * unknown * size];
    for (int from = 0; from < gradient.length; from += BLOCK) {
      int to = Math.min(gradient.length, from + BLOCK);
      for (int j = 0; j < size; j++) {
        Pair pair = pairs.get(j);
        all[2 * j] += dot(pair.step, gradient, from, to);
        all[2 * j + 1] += dot(pair.change, gradient, from, to);
        for (int i = 0; i < unknown; i++) {
          if (i <= j) {
            add(pairs.get(i), pair, from, to, all, 2 * size + 3 * (i * size + j));
          }
        }
      }
    }
    if (size > 0) {
      communicator.allReduce(all, ReduceOp.SUM);
    }
    for (int i = 0; i < unknown; i++) {
      for (int j = i; j < size; j++) {
        int at = 2 * size + 3 * (i * size + j);
        stepChange[i][j] = all[at];
        stepChange[j][i] = all[at + 1];
        changeChange[i][j] = all[at + 2];
        changeChange[j][i] = all[at + 2];
      }
    }
    known = size;
    double[][] products = new double[2][size];
    for (int j = 0; j < size; j++) {
      products[0][j] = all[2 * j];
      products[1][j] = all[2 * j + 1];
    }
    return products;
  }

  /** Adds, of some elements, the products of two pairs' vectors. */
  private static void add(Pair a, Pair b, int from, int to, double[] sums, int at) {
    double ab = 0;
    double ba = 0;
    double changes = 0;
    for (int k = from; k < to; k++) {
      ab += a.step[k] * b.change[k];
      ba += b.step[k] * a.change[k];
      changes += a.change[k] * b.change[k];
    }
    sums[at] += ab;
    sums[at + 1] += ba;
    sums[at + 2] += changes;
  }

  /**
   * The two loops of L-BFGS, on products.
   *
   * @param steps the product of each step with the gradient
   * @param changes the product of each change with the gradient
   * @return the coefficient of the gradient, then for each pair those of its step and its change
   */
  private double[] coefficients(double[] steps, double[] changes) {
    int size = pairs.size();
    double scale = 1;
    if (size > 0) {
      double curved = stepChange[0][0];
      if (curved < 0 || Double.isNaN(curved)) {
        throw new NaNHistory();
      }
      scale = curved / changeChange[0][0];
    }
    double[] down = new double[size];
    for (int i = 0; i < size; i++) {
      double product = steps[i];
      for (int j = 0; j < i; j++) {
        product -= down[j] * stepChange[i][j];
      }
      down[i] = product / stepChange[i][i];
      if (Double.isNaN(down[i])) {
        throw new NaNHistory();
      }
    }
    double[] of = new double[1 + 2 * size];
    of[0] = -scale;
    for (int i = size - 1; i >= 0; i--) {
      double product = changes[i];
      for (int j = 0; j < size; j++) {
        product -= down[j] * changeChange[i][j];
      }
      product *= scale;
      for (int j = i + 1; j < size; j++) {
        product -= of[1 + 2 * j] * stepChange[j][i];
      }
      of[1 + 2 * i] = product / stepChange[i][i] - down[i];
      of[2 + 2 * i] = scale * down[i];
    }
    return of;
  }

  /** Adds up the gradient and all pairs' vectors, each times its coefficient. */
  private void combine(double[] gradient, double[] coefficients, double[] sum) {
    for (int from = 0; from < sum.length; from += BLOCK) {
      int to = Math.min(sum.length, from + BLOCK);
      for (int k = from; k < to; k++) {
        sum[k] = coefficients[0] * gradient[k];
      }
      for (int j = 0; j < pairs.size(); j++) {
        double[] step = pairs.get(j).step;
        double[] change = pairs.get(j).change;
        double ofStep = coefficients[1 + 2 * j];
        double ofChange = coefficients[2 + 2 * j];
        for (int k = from; k < to; k++) {
          sum[k] += ofStep * step[k] + ofChange * change[k];
        }
      }
    }
  }

  /** The product of two vectors, as far as this rank has them. */
  static double dot(double[] a, double[] b) {
    double sum = 0;
    for (int from = 0; from < a.length; from += BLOCK) {
      sum += dot(a, b, from, Math.min(a.length, from + BLOCK));
    }
    return sum;
  }

  private static double dot(double[] a, double[] b, int from, int to) {
    double even = 0;
    double odd = 0;
    int k = from;
    for (; k + 1 < to; k += 2) {
      even += a[k] * b[k];
      odd += a[k + 1] * b[k + 1];
    }
    return even + odd + (k < to ? a[k] * b[k] : 0);
  }
}
