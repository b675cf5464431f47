package org.sparkcollectives.ml.internal.minimizer;

import java.io.Serial;
import java.io.Serializable;
import java.util.ArrayList;
import java.util.List;
import org.sparkcollectives.ml.internal.objective.Evaluation;

/**
 * A state of an optimiser whose vectors are divided among ranks: what all ranks know, and this
 * rank's parts of the vectors. Its arrays do not change.
 */
public final class DividedState {
  private final Scalars scalars;
  private final double[] x;
  private final double[] gradient;
  private final Curvature curvature;
  private final boolean searchFailed;

  /** What all ranks know of a state, with the same bits. */
  public static final class Scalars implements Serializable {
    @Serial private static final long serialVersionUID = 2L;

    /** How many iterations have led to the state. */
    public final int iteration;

    /** The objective without the penalty on absolute values. */
    public final double value;

    /** The objective with all penalties. */
    public final double adjustedValue;

    /** The objective with all penalties in the first state. */
    final double initialValue;

    /** The length of the gradient without the penalty on absolute values. */
    final double gradientNorm;

    /** The length of the gradient with all penalties. */
    final double adjustedNorm;

    /** What Breeze's checks of convergence remember. */
    final Object convergence;

    /** The curvature's products. */
    final Curvature.Products products;

    Scalars(
        int iteration,
        double value,
        double adjustedValue,
        double initialValue,
        double gradientNorm,
        double adjustedNorm,
        Object convergence,
        Curvature.Products products) {
      this.iteration = iteration;
      this.value = value;
      this.adjustedValue = adjustedValue;
      this.initialValue = initialValue;
      this.gradientNorm = gradientNorm;
      this.adjustedNorm = adjustedNorm;
      this.convergence = convergence;
      this.products = products;
    }

    private Scalars forgetful() {
      return new Scalars(
          iteration,
          value,
          adjustedValue,
          initialValue,
          gradientNorm,
          adjustedNorm,
          convergence,
          Curvature.Products.of(0));
    }
  }

  DividedState(Scalars scalars, double[] x, double[] gradient, Curvature curvature) {
    this(scalars, x, gradient, curvature, false);
  }

  private DividedState(
      Scalars scalars, double[] x, double[] gradient, Curvature curvature, boolean searchFailed) {
    this.scalars = scalars;
    this.x = x;
    this.gradient = gradient;
    this.curvature = curvature;
    this.searchFailed = searchFailed;
  }

  /**
   * What all ranks know.
   *
   * @return the scalars, the same on all ranks
   */
  public Scalars scalars() {
    return scalars;
  }

  /**
   * How many iterations have led to it.
   *
   * @return the iteration; 0 for the start
   */
  public int iteration() {
    return scalars.iteration;
  }

  /**
   * Where it is.
   *
   * @return this rank's coefficients, not to be changed
   */
  public double[] x() {
    return x;
  }

  /** This rank's part of the gradient, without the penalty on absolute values. */
  double[] gradient() {
    return gradient;
  }

  Curvature curvature() {
    return curvature;
  }

  /** Whether no better position was found from here. */
  boolean searchFailed() {
    return searchFailed;
  }

  /** The state with nothing known of the curvature. */
  DividedState forgetful(int memory) {
    return new DividedState(scalars.forgetful(), x, gradient, new Curvature(memory));
  }

  /** The state as the last one. */
  DividedState failed() {
    return new DividedState(scalars, x, gradient, curvature, true);
  }

  /**
   * All vectors: position, gradient, then step and change of each pair, the newest first.
   *
   * @return this rank's part of each, not to be changed
   */
  public List<double[]> vectors() {
    List<double[]> all = new ArrayList<>(List.of(x, gradient));
    for (Curvature.Pair pair : curvature.pairs()) {
      all.add(pair.step());
      all.add(pair.change());
    }
    return all;
  }

  /**
   * The objective there, without the penalty on absolute values.
   *
   * @return what it is, as {@link DividedMinimizer#at} finds it
   */
  public Evaluation evaluation() {
    return new Evaluation(scalars.value, scalars.gradientNorm);
  }

  /**
   * A state of what all ranks know and of vectors.
   *
   * @param scalars what all ranks know
   * @param vectors this rank's part of each vector, in the order of {@link #vectors}
   * @param memory of how many steps at most the curvature is made
   * @return the state, which shares the arrays
   */
  public static DividedState of(Scalars scalars, List<double[]> vectors, int memory) {
    List<Curvature.Pair> pairs = new ArrayList<>();
    for (int i = 2; i < vectors.size(); i += 2) {
      pairs.add(new Curvature.Pair(vectors.get(i), vectors.get(i + 1)));
    }
    Curvature curvature = new Curvature(memory, pairs, scalars.products);
    return new DividedState(scalars, vectors.get(0), vectors.get(1), curvature);
  }
}
