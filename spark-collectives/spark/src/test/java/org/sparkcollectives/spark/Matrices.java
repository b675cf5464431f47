package org.sparkcollectives.spark;

import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import org.sparkcollectives.vector.ReduceOp;

/** 2×2 matrices of integers modulo a prime, whose product depends on the order. */
final class Matrices {
  private static final long PRIME = 1_000_003;

  /** The product of matrices laid out one after the other in a {@code double[]}, exact. */
  static final ReduceOp<Object> TUPLES =
      ReduceOp.ofDoubleTuples("matrix product", false, 4, Matrices::multiply);

  /** The product of whole arrays of matrices, with a neutral element. */
  static final ReduceOp<double[]> OBJECTS =
      ReduceOp.ofObjects(
          "matrix product of objects", false, Matrices::times, () -> new double[] {1, 0, 0, 1});

  private Matrices() {}

  private static void multiply(double[] a, int i, double[] b, int j, double[] result) {
    result[0] = mod(a[i] * b[j] + a[i + 1] * b[j + 2]);
    result[1] = mod(a[i] * b[j + 1] + a[i + 1] * b[j + 3]);
    result[2] = mod(a[i + 2] * b[j] + a[i + 3] * b[j + 2]);
    result[3] = mod(a[i + 2] * b[j + 1] + a[i + 3] * b[j + 3]);
  }

  private static double mod(double value) {
    return (long) value % PRIME;
  }

  /** The products of two arrays of matrices, a new array. */
  static double[] times(double[] left, double[] right) {
    double[] result = new double[left.length];
    double[] one = new double[4];
    for (int at = 0; at < left.length; at += 4) {
      multiply(left, at, right, at, one);
      System.arraycopy(one, 0, result, at, 4);
    }
    return result;
  }

  /** Random arrays of matrices. */
  static List<double[]> random(long seed, int count, int matrices) {
    SplittableRandom random = new SplittableRandom(seed);
    List<double[]> all = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      all.add(random.doubles(4L * matrices).map(x -> (long) (x * PRIME)).toArray());
    }
    return all;
  }

  /** All products of prefixes: element i is the product of 0 to i. */
  static List<double[]> prefixes(List<double[]> all) {
    List<double[]> prefixes = new ArrayList<>();
    for (double[] next : all) {
      prefixes.add(
          prefixes.isEmpty() ? next.clone() : times(prefixes.get(prefixes.size() - 1), next));
    }
    return prefixes;
  }
}
