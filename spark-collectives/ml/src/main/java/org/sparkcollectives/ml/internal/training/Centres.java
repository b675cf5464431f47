package org.sparkcollectives.ml.internal.training;

import java.io.Serial;
import java.util.Arrays;

/** Centres of clusters, and how they were found; they do not change. */
public final class Centres implements IterativeProgram.State {
  @Serial private static final long serialVersionUID = 1L;

  private final int clusters;
  private final double[] coordinates;
  private final double[] norms;
  private final double[] costs;
  private final boolean converged;
  private final long rows;
  private final double weight;
  private final int resumedAt;

  /**
   * Centres after iterations.
   *
   * @param clusters how many
   * @param coordinates their coordinates, centre after centre
   * @param norms the length of each
   * @param costs the cost in each iteration
   * @param converged whether none has moved far in the last
   * @param rows how many rows there are; 0 before the first iteration
   * @param weight the rows' weight; 0 before the first iteration
   * @param resumedAt the iteration from which they went on; 0 for the start
   */
  Centres(
      int clusters,
      double[] coordinates,
      double[] norms,
      double[] costs,
      boolean converged,
      long rows,
      double weight,
      int resumedAt) {
    this.clusters = clusters;
    this.coordinates = coordinates;
    this.norms = norms;
    this.costs = costs;
    this.converged = converged;
    this.rows = rows;
    this.weight = weight;
    this.resumedAt = resumedAt;
  }

  /**
   * Centres from which iterations start.
   *
   * @param coordinates the coordinates of each
   * @return the centres
   */
  public static Centres of(double[][] coordinates) {
    double[] all = Arrays.stream(coordinates).flatMapToDouble(Arrays::stream).toArray();
    double[] norms =
        Arrays.stream(coordinates)
            .mapToDouble(each -> Math.sqrt(Arrays.stream(each).map(x -> x * x).sum()))
            .toArray();
    return new Centres(coordinates.length, all, norms, new double[0], false, 0, 0, 0);
  }

  /**
   * A centre.
   *
   * @param centre which
   * @return its coordinates, an array of its own
   */
  public double[] centre(int centre) {
    int features = features();
    return Arrays.copyOfRange(coordinates, centre * features, (centre + 1) * features);
  }

  /**
   * The rows' distances.
   *
   * @return the weighted sum, of those to the last centres but one
   */
  public double cost() {
    return costs.length == 0 ? 0 : costs[costs.length - 1];
  }

  /**
   * The iterations.
   *
   * @return how many there were
   */
  @Override
  public int iteration() {
    return costs.length;
  }

  /**
   * The rows.
   *
   * @return how many there are; 0 before the first iteration
   */
  public long rows() {
    return rows;
  }

  /**
   * The rows' weight.
   *
   * @return the sum; 0 before the first iteration
   */
  public double weight() {
    return weight;
  }

  @Override
  public int resumedAt() {
    return resumedAt;
  }

  int clusters() {
    return clusters;
  }

  int features() {
    return coordinates.length / clusters;
  }

  double[] coordinates() {
    return coordinates;
  }

  double[] norms() {
    return norms;
  }

  @Override
  public double[] objective() {
    return costs;
  }

  boolean converged() {
    return converged;
  }
}
