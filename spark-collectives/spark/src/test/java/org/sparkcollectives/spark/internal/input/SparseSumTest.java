package org.sparkcollectives.spark.internal.input;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Sums of sparse vectors against sums of dense ones. */
class SparseSumTest {
  private static final int LENGTH = 200;

  private static SparseSum vector(SplittableRandom random, double density) {
    int[] at = random.ints((int) (LENGTH * density), 0, LENGTH).sorted().distinct().toArray();
    double[] values = random.ints(at.length, -9, 9).asDoubleStream().toArray();
    SparseSum sum = new SparseSum(LENGTH);
    sum.add(at, values);
    return sum;
  }

  @Test
  void operandsTravelAsPlainArrays() {
    SparseSum sum = new SparseSum(1 << 30);
    assertArrayEquals(new int[0], unpacked(sum).indices());
    sum.add(new int[] {0, 7, 1 << 29}, new double[] {-0.0, Double.NaN, 3});
    sum.add(new int[] {7}, new double[] {1});
    SparseSum come = unpacked(sum);
    assertEquals(1 << 30, come.length());
    assertArrayEquals(sum.indices(), come.indices());
    assertArrayEquals(sum.values(), come.values());
    double[] dense = {1, 2};
    assertSame(dense, SparseSum.unpacked(SparseSum.packed(dense)));
  }

  private static SparseSum unpacked(SparseSum sum) {
    byte[] packed = assertInstanceOf(byte[].class, SparseSum.packed(sum));
    return assertInstanceOf(SparseSum.class, SparseSum.unpacked(packed));
  }

  @ParameterizedTest
  @ValueSource(doubles = {0, 0.01, 0.1, 0.6, 3})
  void sumsInAnyForm(double density) {
    for (int seed = 0; seed < 50; seed++) {
      SplittableRandom random = new SplittableRandom(seed);
      double[] expected = new double[LENGTH];
      Object sum = new SparseSum(LENGTH);
      Object other = new SparseSum(LENGTH);
      for (int i = 0; i < 20; i++) {
        SparseSum next = vector(random, density);
        double[] dense = next.dense();
        for (int k = 0; k < LENGTH; k++) {
          expected[k] += dense[k];
        }
        Object operand = random.nextInt(9) == 0 ? dense : next;
        if (random.nextBoolean()) {
          sum = SparseSum.plus(sum, operand);
        } else {
          other = SparseSum.plus(other, operand);
        }
      }
      Object all = SparseSum.plus(sum, other);
      assertEquals(LENGTH, SparseSum.length(all));
      if (all instanceof SparseSum sparse) {
        assertArrayEquals(expected, sparse.dense(), "seed " + seed);
        int[] at = sparse.indices();
        assertEquals(at.length, sparse.values().length);
        for (int i = 1; i < at.length; i++) {
          assertTrue(at[i - 1] < at[i], "seed " + seed);
        }
        assertTrue(sparse.bytes() <= 8 * LENGTH, "seed " + seed);
      } else {
        assertArrayEquals(expected, assertInstanceOf(double[].class, all), "seed " + seed);
      }
    }
  }
}
