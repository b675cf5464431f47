package org.sparkcollectives.internal.cost;

import java.util.List;

/**
 * The line α + βx that fits measured times best: the squares of relative errors are least, so that
 * short messages count as much as long ones.
 *
 * @param alpha the time at x = 0
 * @param beta the slope
 */
public record LineFit(double alpha, double beta) {

  /**
   * A measured time.
   *
   * @param x how much was done
   * @param nanos how long it took, positive
   */
  public record Point(double x, double nanos) {}

  /**
   * Fits a line.
   *
   * @param points at least two, with different x
   * @return the line; either part may come out negative
   * @throws IllegalArgumentException if the points do not determine a line
   */
  public static LineFit of(List<Point> points) {
    double w = 0;
    double wx = 0;
    double wxx = 0;
    double wy = 0;
    double wxy = 0;
    for (Point point : points) {
      double weight = 1 / (point.nanos() * point.nanos());
      w += weight;
      wx += weight * point.x();
      wxx += weight * point.x() * point.x();
      wy += weight * point.nanos();
      wxy += weight * point.x() * point.nanos();
    }
    double determinant = w * wxx - wx * wx;
    if (!(determinant > 0)) {
      throw new IllegalArgumentException(points.size() + " points do not determine a line");
    }
    return new LineFit((wy * wxx - wx * wxy) / determinant, (w * wxy - wx * wy) / determinant);
  }
}
