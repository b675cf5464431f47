package org.sparkcollectives.ml.internal.iteration;

import java.util.Arrays;
import java.util.List;
import org.apache.spark.TaskContext;
import org.jspecify.annotations.Nullable;

/**
 * Which centre is nearest to each of a rank's rows, from iteration to iteration. Of each row it
 * keeps how far away all other centres are at least: while the nearest one of before is nearer than
 * that, less what others have moved, it is the nearest still, and the others are not looked at (G.
 * Hamerly, Making k-means even faster, SDM 2010). Otherwise squared distances come from scalar
 * products, and where two of them are the same within rounding, from differences. Results do not
 * depend on what is kept, to the last bit.
 *
 * @param <T> the class of rows
 */
final class NearestCentres<T> {
  /** So many rows are looked at before they are added, while they are in the processor's cache. */
  private static final int CHUNK = 256;

  /** So many rows go through a strip of all centres together. */
  private static final int GROUP = 16;

  /** Covers roundings in distances and their differences. */
  private static final double CAREFUL = 1 + 1e-9;

  private final Assignment<T> assignment;
  private final List<T> elements;
  private final int clusters;
  private final int features;
  private final CentreTable table;

  /** The nearest centre of each row, -1 where none is known. */
  private final int[] nearest;

  /** How far from each row all other centres were at least when this was last computed. */
  private final double[] others;

  private final Point[] chunk = points(CHUNK);
  private final double[] squares = new double[CHUNK];
  private final int[] open = new int[GROUP];
  private final Point[] opened = new Point[GROUP];
  private final double[][] products;
  private double[] moved = {};
  private int farthest;
  private double secondMove;

  NearestCentres(Assignment<T> assignment, List<T> elements, Centres centres) {
    this.assignment = assignment;
    this.elements = elements;
    this.clusters = centres.clusters();
    this.features = centres.features();
    this.table = new CentreTable(clusters, features, assignment.cosine());
    this.nearest = new int[elements.stream().mapToInt(assignment::count).sum()];
    this.others = new double[nearest.length];
    this.products = new double[GROUP][clusters];
    Arrays.fill(nearest, -1);
  }

  private static Point[] points(int count) {
    Point[] points = new Point[count];
    Arrays.setAll(points, unused -> new Point());
    return points;
  }

  /** How many rows there are. */
  int rows() {
    return nearest.length;
  }

  /**
   * Assigns all rows to the nearest centres.
   *
   * @param centres the centres, as many as ever
   * @param message gets, from its beginning on, the sum of rows of each centre, then the weight of
   *     each
   * @return the rows' weighted distances
   */
  double assign(Centres centres, double[] message) {
    moved = table.take(centres);
    rankMoves();
    TaskContext task = TaskContext.get();
    double cost = 0;
    int first = 0;
    int filled = 0;
    for (T element : elements) {
      int count = assignment.count(element);
      for (int i = 0; i < count; i++) {
        assignment.read(element, i, chunk[filled++]);
        if (filled == CHUNK) {
          if (task != null) {
            task.killTaskIfInterrupted();
          }
          cost += assigned(first, filled, message);
          first += filled;
          filled = 0;
        }
      }
    }
    return cost + assigned(first, filled, message);
  }

  private void rankMoves() {
    farthest = 0;
    secondMove = 0;
    for (int i = 1; i < clusters; i++) {
      if (moved[i] > moved[farthest]) {
        secondMove = moved[farthest];
        farthest = i;
      } else {
        secondMove = Math.max(secondMove, moved[i]);
      }
    }
  }

  /** Assigns the rows of the chunk; the sums are in order, whichever were looked at again. */
  private double assigned(int first, int count, double[] message) {
    int waiting = 0;
    for (int c = 0; c < count; c++) {
      if (chunk[c].features() != features) {
        throw new IllegalArgumentException(
            "a row cannot be assigned to a centre: it has "
                + chunk[c].features()
                + " features, the centres have "
                + features
                + ". Give all rows as many.");
      }
      if (chunk[c].weight() > 0 && !stays(first + c, c)) {
        open[waiting++] = c;
        if (waiting == GROUP) {
          search(first, waiting);
          waiting = 0;
        }
      }
    }
    search(first, waiting);
    double cost = 0;
    for (int c = 0; c < count; c++) {
      if (chunk[c].weight() > 0) {
        cost += chunk[c].weight() * squares[c] * (assignment.cosine() ? 0.5 : 1);
        add(chunk[c], nearest[first + c], message);
      }
    }
    return cost;
  }

  /** Whether the nearest centre of before is the nearest for sure; sets its squared distance. */
  private boolean stays(int row, int c) {
    int before = nearest[row];
    if (before < 0) {
      return false;
    }
    others[row] -= (before == farthest ? secondMove : moved[farthest]) * CAREFUL;
    squares[c] = table.squaredDistance(chunk[c], before);
    return Math.sqrt(squares[c] + table.error(chunk[c])) * CAREFUL < others[row];
  }

  private void search(int first, int count) {
    int dense = 0;
    for (int w = 0; w < count; w++) {
      Point point = chunk[open[w]];
      int @Nullable [] indices = point.indices();
      if (indices == null) {
        open[dense] = open[w];
        opened[dense++] = point;
      } else {
        table.productsOfSparse(point, indices, products[GROUP - 1]);
        choose(first, open[w], products[GROUP - 1]);
      }
    }
    table.productsOfDense(opened, dense, products);
    for (int w = 0; w < dense; w++) {
      choose(first, open[w], products[w]);
    }
  }

  /** Chooses the nearest centre of a row; the first of several. */
  private void choose(int first, int c, double[] product) {
    Point point = chunk[c];
    double factor = -2 * point.scale();
    int best = 0;
    double least = Double.POSITIVE_INFINITY;
    double second = Double.POSITIVE_INFINITY;
    for (int i = 0; i < product.length; i++) {
      double square = table.squaredNorm(i) + factor * product[i];
      product[i] = square;
      if (square < least) {
        second = least;
        least = square;
        best = i;
      } else if (square < second) {
        second = square;
      }
    }
    double error = table.error(point);
    if (second - least <= 2 * error) {
      best = byDifferences(point, product, least + 2 * error);
      second = Double.NEGATIVE_INFINITY;
    }
    nearest[first + c] = best;
    others[first + c] = Math.sqrt(Math.max(0, second + point.squaredNorm() - error)) / CAREFUL;
    squares[c] = table.squaredDistance(point, best);
  }

  /** The nearest of those that may be. */
  private int byDifferences(Point point, double[] square, double limit) {
    int best = -1;
    double least = Double.POSITIVE_INFINITY;
    for (int i = 0; i < square.length; i++) {
      if (square[i] <= limit) {
        double exact = table.squaredDistance(point, i);
        if (best < 0 || exact < least) {
          best = i;
          least = exact;
        }
      }
    }
    return Math.max(best, 0);
  }

  private void add(Point point, int centre, double[] message) {
    double[] values = point.values();
    int from = point.from();
    int at = centre * features;
    double factor = point.weight() * point.scale();
    int @Nullable [] indices = point.indices();
    if (indices == null) {
      for (int j = 0; j < features; j++) {
        message[at + j] += values[from + j] * factor;
      }
    } else {
      for (int k = from; k < point.to(); k++) {
        message[at + indices[k]] += values[k] * factor;
      }
    }
    message[clusters * features + centre] += point.weight();
  }
}
