package org.sparkcollectives.ml.internal.minimizer;

import java.io.Serial;
import java.io.Serializable;
import java.util.ArrayList;
import java.util.List;

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
    @Serial private static final long serialVersionUID = 1L;

    public final int iteration;

    /** The objective without the penalty on absolute values, and with it. */
    public final double value;

    public final double adjustedValue;
    final double initialValue;

    /** The length of the gradient, and with that of the penalty on absolute values. */
    final double gradientNorm;

    final double adjustedNorm;

    /** What Breeze's checks of convergence remember. */
    final Object convergence;

    Scalars(
        int iteration,
        double value,
        double adjustedValue,
        double initialValue,
        double gradientNorm,
        double adjustedNorm,
        Object convergence) {
      this.iteration = iteration;
      this.value = value;
      this.adjustedValue = adjustedValue;
      this.initialValue = initialValue;
      this.gradientNorm = gradientNorm;
      this.adjustedNorm = adjustedNorm;
      this.convergence = convergence;
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

  public Scalars scalars() {
    return scalars;
  }

  public int iteration() {
    return scalars.iteration;
  }

  /** This rank's coefficients. */
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
    return new DividedState(scalars, x, gradient, new Curvature(memory, List.of()));
  }

  /** The state as the last one. */
  DividedState failed() {
    return new DividedState(scalars, x, gradient, curvature, true);
  }

  /** All vectors: position, gradient, then step and change of each pair, the newest first. */
  public List<double[]> vectors() {
    List<double[]> all = new ArrayList<>(List.of(x, gradient));
    for (Curvature.Pair pair : curvature.pairs()) {
      all.add(pair.step());
      all.add(pair.change());
    }
    return all;
  }

  /** A state of such vectors. */
  public static DividedState of(Scalars scalars, List<double[]> vectors, int memory) {
    List<Curvature.Pair> pairs = new ArrayList<>();
    for (int i = 2; i < vectors.size(); i += 2) {
      pairs.add(new Curvature.Pair(vectors.get(i), vectors.get(i + 1)));
    }
    return new DividedState(scalars, vectors.get(0), vectors.get(1), new Curvature(memory, pairs));
  }
}
