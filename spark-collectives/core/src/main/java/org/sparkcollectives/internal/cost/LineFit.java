package org.sparkcollectives.internal.cost;

import java.util.List;

/**
 * The line α + βx that fits measured times best: the sum of squared errors is least, so that the
 * slope is that of the largest x, where what disturbs a time is little beside it.
 *
 * @param alpha the time at x = 0
 * @param beta the slope
 */
public record LineFit(double alpha, double beta) {

  /**
   * A measured time.
   *
   * @param x how much was done
   * @param nanos how long it took
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
    int n = points.size();
    double x = points.stream().mapToDouble(Point::x).sum() / n;
    double nanos = points.stream().mapToDouble(Point::nanos).sum() / n;
    double covariance = 0;
    double variance = 0;
    for (Point point : points) {
      covariance += (point.x() - x) * (point.nanos() - nanos);
      variance += (point.x() - x) * (point.x() - x);
    }
    if (!(variance > 0)) {
      throw new IllegalArgumentException(n + " points do not determine a line");
    }
    double beta = covariance / variance;
    return new LineFit(nanos - beta * x, beta);
  }

  /**
   * How far the slope may be off.
   *
   * @param points those that the line was fitted to
   * @return its standard error, 0 for two points
   */
  public double betaError(List<Point> points) {
    double x = points.stream().mapToDouble(Point::x).sum() / points.size();
    double variance = 0;
    double errors = 0;
    for (Point point : points) {
      double error = point.nanos() - alpha - beta * point.x();
      variance += (point.x() - x) * (point.x() - x);
      errors += error * error;
    }
    return points.size() == 2 ? 0 : Math.sqrt(errors / (points.size() - 2) / variance);
  }
}
