package org.sparkcollectives.ml.internal.minimizer;

import breeze.optimize.NaNHistory;
import java.io.Serializable;
import java.util.ArrayList;
import java.util.List;

/**
 * What L-BFGS knows of an objective's curvature at a position, where each rank has a part of every
 * vector: the newest steps with the changes of the gradient that they made, and all products of
 * these and with the gradient there, which all ranks know. The direction is a combination of the
 * vectors whose coefficients follow from the products alone (Chen, Wang and Zhou, Large-scale
 * L-BFGS using MapReduce, 2014). Products with a new pair are of vectors that an evaluation has, so
 * its message takes them along, and an iteration needs none for them. Its arrays do not change.
 */
final class Curvature {
  /** Elements of each vector that are worked on at once, so that they stay in a cache. */
  private static final int BLOCK = 1024;

  /** How many products a new pair has with each pair, and each pair with the gradient. */
  private static final int PRODUCTS = 5;

  private final int memory;
  private final List<Pair> pairs;
  private final Products products;

  /**
   * Products that all ranks know.
   *
   * @param stepGradient of each step with the gradient
   * @param changeGradient of each change with the gradient
   * @param stepChange in row i, column j: of step i and change j
   * @param changeChange in row i, column j: of changes i and j
   */
  @SuppressWarnings("ArrayRecordComponent") // never compared
  record Products(
      double[] stepGradient,
      double[] changeGradient,
      double[][] stepChange,
      double[][] changeChange)
      implements Serializable {
    static Products of(int pairs) {
      return new Products(
          new double[pairs], new double[pairs], new double[pairs][pairs], new double[pairs][pairs]);
    }
  }

  /**
   * A step, and what it changed.
   *
   * @param step the difference of two positions, this rank's part
   * @param change the difference of the gradients there, this rank's part
   */
  @SuppressWarnings("ArrayRecordComponent") // never compared
  record Pair(double[] step, double[] change) {}

  /**
   * A position and the gradients there.
   *
   * @param x the position, this rank's part
   * @param gradient the gradient of which changes are taken, this rank's part
   */
  @SuppressWarnings("ArrayRecordComponent") // never compared
  record Place(double[] x, double[] gradient) {}

  /**
   * Where a step goes.
   *
   * @param vector this rank's part, a new array
   * @param slope its product with the gradient, over all ranks
   */
  @SuppressWarnings("ArrayRecordComponent") // never compared
  record Direction(double[] vector, double slope) {}

  /**
   * Curvature of which nothing is known.
   *
   * @param memory the most pairs
   */
  Curvature(int memory) {
    this(memory, List.of(), Products.of(0));
  }

  /**
   * Curvature that was known before.
   *
   * @param memory the most pairs
   * @param pairs the pairs, the newest first
   * @param products theirs
   */
  Curvature(int memory, List<Pair> pairs, Products products) {
    this.memory = memory;
    this.pairs = List.copyOf(pairs);
    this.products = products;
  }

  List<Pair> pairs() {
    return pairs;
  }

  Products products() {
    return products;
  }

  /** How many of the pairs stay when there is one more. */
  private int kept() {
    return Math.min(pairs.size(), memory - 1);
  }

  /** How many numbers {@link #describe} puts into a message. */
  int described() {
    return PRODUCTS * (kept() + 1);
  }

  /**
   * Puts into a message what this rank's parts add to the products that one pair more would have,
   * with the pairs that stay and with the gradient where its step ends.
   *
   * @param from where the step begins
   * @param to where it ends
   * @param adjusted the gradient there that the next direction is of
   * @param message the message
   * @param at where products begin
   */
  void describe(Place from, Place to, double[] adjusted, double[] message, int at) {
    double[] step = new double[Math.min(BLOCK, adjusted.length)];
    double[] change = new double[step.length];
    for (int first = 0; first < adjusted.length; first += BLOCK) {
      int count = Math.min(BLOCK, adjusted.length - first);
      for (int k = 0; k < count; k++) {
        step[k] = to.x[first + k] - from.x[first + k];
        change[k] = to.gradient[first + k] - from.gradient[first + k];
      }
      message[at] += dot(step, 0, adjusted, first, count);
      message[at + 1] += dot(change, 0, adjusted, first, count);
      double stepChange = dot(step, 0, change, 0, count);
      message[at + 2] += stepChange;
      message[at + 3] += stepChange;
      message[at + 4] += dot(change, 0, change, 0, count);
      for (int j = 0; j < kept(); j++) {
        describe(
            pairs.get(j), step, change, adjusted, first, count, message, at + PRODUCTS * (j + 1));
      }
    }
  }

  /** The five products of a pair in one loop, whose sums do not wait for each other. */
  private static void describe(
      Pair pair,
      double[] step,
      double[] change,
      double[] adjusted,
      int first,
      int count,
      double[] message,
      int at) {
    double stepGradient = 0;
    double changeGradient = 0;
    double newStepChange = 0;
    double stepNewChange = 0;
    double changeNewChange = 0;
    for (int k = 0; k < count; k++) {
      double gradient = adjusted[first + k];
      double pairStep = pair.step[first + k];
      double pairChange = pair.change[first + k];
      stepGradient += pairStep * gradient;
      changeGradient += pairChange * gradient;
      newStepChange += step[k] * pairChange;
      stepNewChange += pairStep * change[k];
      changeNewChange += pairChange * change[k];
    }
    message[at] += stepGradient;
    message[at + 1] += changeGradient;
    message[at + 2] += newStepChange;
    message[at + 3] += stepNewChange;
    message[at + 4] += changeNewChange;
  }

  /**
   * This curvature with one pair more, and without the oldest where there are too many.
   *
   * @param newest the pair
   * @param message the sums over all ranks of what they have described
   * @param at where products begin
   * @return the curvature where the pair's step ends
   */
  Curvature with(Pair newest, double[] message, int at) {
    int size = kept() + 1;
    List<Pair> more = new ArrayList<>(List.of(newest));
    more.addAll(pairs.subList(0, size - 1));
    Products next = Products.of(size);
    for (int j = 0; j < size; j++) {
      int place = at + PRODUCTS * j;
      next.stepGradient[j] = message[place];
      next.changeGradient[j] = message[place + 1];
      next.stepChange[0][j] = message[place + 2];
      next.stepChange[j][0] = message[place + 3];
      next.changeChange[0][j] = message[place + 4];
      next.changeChange[j][0] = message[place + 4];
    }
    for (int i = 1; i < size; i++) {
      System.arraycopy(products.stepChange[i - 1], 0, next.stepChange[i], 1, size - 1);
      System.arraycopy(products.changeChange[i - 1], 0, next.changeChange[i], 1, size - 1);
    }
    return new Curvature(memory, more, next);
  }

  /**
   * The direction of a quasi-Newton step.
   *
   * @param gradient this rank's part of the gradient
   * @param squares the sum of the whole gradient's squares
   * @return the direction
   * @throws NaNHistory on all ranks where the products are no numbers or not those of a minimum
   */
  Direction direction(double[] gradient, double squares) {
    double[] coefficients = coefficients();
    double[] direction = new double[gradient.length];
    combine(gradient, coefficients, direction);
    double slope = coefficients[0] * squares;
    for (int j = 0; j < pairs.size(); j++) {
      slope += coefficients[1 + 2 * j] * products.stepGradient[j];
      slope += coefficients[2 + 2 * j] * products.changeGradient[j];
    }
    return new Direction(direction, slope);
  }

  /**
   * The two loops of L-BFGS, on products.
   *
   * @return the coefficient of the gradient, then for each pair those of its step and its change
   */
  private double[] coefficients() {
    int size = pairs.size();
    double[][] stepChange = products.stepChange;
    double[][] changeChange = products.changeChange;
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
      double product = products.stepGradient[i];
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
      double product = products.changeGradient[i];
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
    for (int first = 0; first < a.length; first += BLOCK) {
      sum += dot(a, first, b, first, Math.min(BLOCK, a.length - first));
    }
    return sum;
  }

  /**
   * The product of some elements, from one index on in the one array and from another in the other.
   */
  private static double dot(double[] a, int fromA, double[] b, int fromB, int count) {
    double even = 0;
    double odd = 0;
    int k = 0;
    for (; k + 1 < count; k += 2) {
      even += a[fromA + k] * b[fromB + k];
      odd += a[fromA + k + 1] * b[fromB + k + 1];
    }
    return even + odd + (k < count ? a[fromA + k] * b[fromB + k] : 0);
  }
}
