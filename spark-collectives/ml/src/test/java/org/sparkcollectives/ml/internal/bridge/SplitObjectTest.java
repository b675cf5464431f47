package org.sparkcollectives.ml.internal.bridge;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.lang.reflect.Array;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class SplitObjectTest {
  private static final int LENGTH = 10_000;

  @Test
  void arraysThatAreNotMostlyZerosAreShared() throws Exception {
    Object[] three = {"a", new Random(1).doubles(LENGTH).toArray(), new float[LENGTH]};

    Object[] read = (Object[]) SplitObject.read(SplitObject.of(three));

    assertEquals("a", read[0]);
    assertSame(three[1], read[1]);
    assertSame(three[2], read[2]);
  }

  @ParameterizedTest
  @ValueSource(ints = {0, 1, 100, LENGTH / 3, LENGTH / 3 + 1, LENGTH})
  void everyArrayIsReadToTheBit(int others) throws Exception {
    double[] array = new double[LENGTH];
    double[] strange = {-0.0, Double.NaN, Double.longBitsToDouble(0x7ff0000000000123L), 1e-320, 1};
    new Random(others)
        .ints(0, LENGTH)
        .distinct()
        .limit(others)
        .forEach(i -> array[i] = strange[i % strange.length]);

    double[] read = (double[]) SplitObject.read(SplitObject.of(array));

    assertArrayEquals(
        Arrays.stream(array).mapToLong(Double::doubleToRawLongBits).toArray(),
        Arrays.stream(read).mapToLong(Double::doubleToRawLongBits).toArray());
  }

  @Test
  void arraysOfMostlyZerosTakeWhatTheOtherElementsNeed() throws Exception {
    double[] fifth = new double[LENGTH];
    for (int i = 0; i < LENGTH; i += 5) {
      fifth[i] = i + 1;
    }

    List<Object> pieces = SplitObject.of(fifth);

    int elements =
        pieces.stream().skip(1).mapToInt(Array::getLength).sum(); // as many places as numbers
    assertEquals(2 * LENGTH / 5, elements);
    assertTrue(((byte[]) pieces.get(0)).length < 500);
  }

  @Test
  void severalArraysKeepTheirPlaces() throws Exception {
    double[] dense = new Random(2).doubles(LENGTH).toArray();
    double[] sparse = new double[LENGTH];
    sparse[LENGTH - 1] = 3;
    double[] few = {0, 0, 4};
    double[][] arrays = {sparse, dense, few, sparse, dense};

    double[][] read = (double[][]) SplitObject.read(SplitObject.of(arrays));

    assertArrayEquals(arrays, read);
  }
}
