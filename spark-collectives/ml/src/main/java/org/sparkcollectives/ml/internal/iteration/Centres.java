package org.sparkcollectives.ml.internal.iteration;

import java.io.Serial;
import java.util.Arrays;
import java.util.SplittableRandom;

/** Centres of clusters, and how they were found; they do not change. */
public final class Centres extends IterativeProgram.State {
  @Serial private static final long serialVersionUID = 1L;

  private final int clusters;
  private final double[] coordinates;
  private final double[] norms;
  private final double farthest;
  private final double origin;

  /**
   * Centres after iterations.
   *
   * @param clusters how many
   * @param coordinates their coordinates, centre after centre
   * @param norms the length of each
   * @param costs the cost in each iteration
   * @param farthest the distance that one of them has moved farthest in the last; not a number for
   *     a start, which no tolerance reaches
   * @param rows how many rows there are; 0 before the first iteration
   * @param weight the rows' weight; 0 before the first iteration
   * @param resumedAt the iteration from which they went on; 0 for the start
   * @param origin a number that other first centres do not have, in whatever order
   */
  Centres(
      int clusters,
      double[] coordinates,
      double[] norms,
      double[] costs,
      double farthest,
      long rows,
      double weight,
      int resumedAt,
      double origin) {
    super(costs, rows, weight, resumedAt);
    this.origin = origin;
    this.clusters = clusters;
    this.coordinates = coordinates;
    this.norms = norms;
    this.farthest = farthest;
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
    return new Centres(
        coordinates.length, all, norms, new double[0], Double.NaN, 0, 0, 0, origin(coordinates));
  }

  /** A projection of the coordinates, relative to their length. */
  private static double origin(double[][] coordinates) {
    double projected = 0;
    double squares = 0;
    for (double[] centre : coordinates) {
      SplittableRandom direction = new SplittableRandom(centre.length);
      for (double x : centre) {
        projected += x * direction.nextDouble();
        squares += x * x;
      }
    }
    return squares == 0 ? 0 : projected / Math.sqrt(squares) + Math.log(squares);
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
    double[] costs = objective();
    return costs.length == 0 ? 0 : costs[costs.length - 1];
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

  double origin() {
    return origin;
  }

  /** Of all that the next iteration depends on. */
  int hash() {
    return 31 * Arrays.hashCode(coordinates) + Arrays.hashCode(norms);
  }

  double farthest() {
    return farthest;
  }
}
