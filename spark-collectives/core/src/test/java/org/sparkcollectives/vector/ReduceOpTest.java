package org.sparkcollectives.vector;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNotSame;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.ObjectInputStream;
import java.io.ObjectOutputStream;
import java.lang.reflect.Array;
import java.nio.ByteBuffer;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.function.Executable;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.sparkcollectives.error.InvalidInputException;
import org.sparkcollectives.internal.vector.FixedVector;
import org.sparkcollectives.internal.vector.JavaCodec;
import org.sparkcollectives.internal.vector.ObjectVector;
import org.sparkcollectives.internal.vector.Vector;

class ReduceOpTest {

  private static <V> V combine(ReduceOp<?> op, V left, V right) {
    FixedVector l = Vector.of(left);
    l.combine(op, l, 0, Vector.of(right), 0, 0, l.length());
    return left;
  }

  @Test
  void arithmeticOnAllTypes() {
    assertArrayEquals(
        new double[] {4, 1}, combine(ReduceOp.SUM, new double[] {1, -2}, new double[] {3, 3}));
    assertArrayEquals(
        new double[] {3, -6}, combine(ReduceOp.PROD, new double[] {1, -2}, new double[] {3, 3}));
    assertArrayEquals(
        new float[] {1, -2}, combine(ReduceOp.MIN, new float[] {1, -2}, new float[] {3, 3}));
    assertArrayEquals(
        new float[] {3, 3}, combine(ReduceOp.MAX, new float[] {1, -2}, new float[] {3, 3}));
    assertArrayEquals(
        new long[] {Long.MIN_VALUE, 1},
        combine(ReduceOp.SUM, new long[] {Long.MAX_VALUE, -2}, new long[] {1, 3}));
    assertArrayEquals(
        new int[] {1, -2}, combine(ReduceOp.MIN, new int[] {1, -2}, new int[] {3, 3}));
    assertArrayEquals(
        new int[] {3, -6}, combine(ReduceOp.PROD, new int[] {1, -2}, new int[] {3, 3}));
    assertArrayEquals(
        new long[] {3, 3}, combine(ReduceOp.MAX, new long[] {1, -2}, new long[] {3, 3}));
  }

  /** Kernels have a loop of their own where all arrays begin at one index. */
  @Test
  void equalIndexesGiveWhatOthersGive() {
    int[] numbers = {9, 7, 5, 3, 8, 6, 4};
    for (ReduceOp<Object> op : List.of(ReduceOp.SUM, ReduceOp.PROD, ReduceOp.MIN, ReduceOp.MAX)) {
      for (Class<?> type : List.of(double.class, float.class, long.class, int.class)) {
        Object left = Array.newInstance(type, numbers.length);
        Object right = Array.newInstance(type, numbers.length);
        Object shifted = Array.newInstance(type, numbers.length);
        Object result = Array.newInstance(type, numbers.length);
        for (int i = 0; i < numbers.length; i++) {
          Array.setInt(left, i, numbers[i]);
          Array.setInt(right, i, numbers[numbers.length - 1 - i]);
          Array.setInt(shifted, i, i + 2 < numbers.length ? numbers[numbers.length - 3 - i] : 0);
        }
        op.combine(left, 2, right, 2, result, 2, 4);
        op.combine(left, 2, shifted, 0, left, 2, 4);
        for (int i = 0; i < numbers.length; i++) {
          Object expected = i < 2 || i == 6 ? Array.get(result, 0) : Array.get(left, i);
          assertEquals(expected, Array.get(result, i), op.name() + " of " + type + ", " + i);
        }
      }
    }
  }

  @Test
  void notANumberWins() {
    double[] min =
        combine(ReduceOp.MIN, new double[] {Double.NaN, 1}, new double[] {3, Double.NaN});
    assertTrue(Double.isNaN(min[0]) && Double.isNaN(min[1]));
  }

  @Test
  void identitiesAreNeutral() {
    for (ReduceOp<Object> op : List.of(ReduceOp.SUM, ReduceOp.PROD, ReduceOp.MIN, ReduceOp.MAX)) {
      double[] d = {-1.5, 0, 7};
      assertArrayEquals(d, combine(op, (double[]) neutral(op, d), d.clone()), op.name());
      float[] f = {-1.5f, 0, 7};
      assertArrayEquals(f, combine(op, (float[]) neutral(op, f), f.clone()), op.name());
      long[] l = {Long.MIN_VALUE, 0, Long.MAX_VALUE};
      assertArrayEquals(l, combine(op, (long[]) neutral(op, l), l.clone()), op.name());
      int[] i = {Integer.MIN_VALUE, 0, Integer.MAX_VALUE};
      assertArrayEquals(i, combine(op, (int[]) neutral(op, i), i.clone()), op.name());
    }
    assertNull(ReduceOp.ofDouble("hypot", true, Math::hypot).identityLike(new double[2]));
  }

  private static Object neutral(ReduceOp<Object> op, Object shape) {
    Object identity = op.identityLike(shape);
    assertNotNull(identity, op.name());
    return identity;
  }

  @Test
  void operatorsOfUsers() {
    ReduceOp<Object> hypot = ReduceOp.ofDouble("hypot", true, Math::hypot);
    assertArrayEquals(new double[] {5}, combine(hypot, new double[] {3}, new double[] {4}));
    ReduceOp<Object> xor = ReduceOp.ofLong("xor", true, (a, b) -> a ^ b);
    assertArrayEquals(new long[] {6}, combine(xor, new long[] {5}, new long[] {3}));
    ReduceOp<Object> or = ReduceOp.ofInt("or", true, (a, b) -> a | b);
    assertArrayEquals(new int[] {7}, combine(or, new int[] {5}, new int[] {3}));
    ReduceOp<Object> second = ReduceOp.ofFloat("second", false, (a, b) -> b);
    assertArrayEquals(new float[] {3}, combine(second, new float[] {5}, new float[] {3}));
    ReduceOp<Object> affine =
        ReduceOp.ofDoubleTuples(
            "affine",
            false,
            2,
            (l, i, r, j, out) -> {
              out[0] = l[i] * r[j];
              out[1] = l[i + 1] * r[j] + r[j + 1];
            });
    assertArrayEquals(
        new double[] {6, 13, 1, 5},
        combine(affine, new double[] {2, 3, 1, 2}, new double[] {3, 4, 1, 3}));
  }

  /** The textbook's product of 2 by 2 matrices. */
  @Test
  void anOperatorOnTuplesMayAddToItsResult() {
    ReduceOp<Object> product =
        ReduceOp.ofDoubleTuples(
            "product of matrices",
            false,
            4,
            (left, leftAt, right, rightAt, result) -> {
              for (int i = 0; i < 2; i++) {
                for (int j = 0; j < 2; j++) {
                  for (int k = 0; k < 2; k++) {
                    result[2 * i + j] += left[leftAt + 2 * i + k] * right[rightAt + 2 * k + j];
                  }
                }
              }
            });
    assertArrayEquals(
        new double[] {2, 1, 4, 3, 0, 1, 1, 0},
        combine(
            product, new double[] {1, 2, 3, 4, 1, 0, 0, 1}, new double[] {0, 1, 1, 0, 0, 1, 1, 0}));
  }

  @Test
  void aTypeThatTheOperatorDoesNotKnowIsNamed() {
    ReduceOp<Object> hypot = ReduceOp.ofDouble("hypot", true, Math::hypot);
    InvalidInputException e =
        assertThrows(
            InvalidInputException.class, () -> combine(hypot, new float[] {3}, new float[] {4}));
    assertTrue(e.getMessage().contains("'hypot' cannot combine float[]"), e.getMessage());
    assertTrue(e.getMessage().contains("it works on double[]"), e.getMessage());
    assertThrows(
        InvalidInputException.class, () -> combine(ReduceOp.SUM, new byte[] {3}, new byte[] {4}));
  }

  @Test
  void operatorsTravel() throws Exception {
    JavaCodec codec = new JavaCodec();
    int offset = 7;
    ReduceOp<Object> shifted = ReduceOp.ofInt("shifted", false, (a, b) -> a + b + offset);
    ReduceOp<?> back = (ReduceOp<?>) codec.decode(codec.encode(shifted));
    assertEquals("shifted", back.name());
    assertArrayEquals(new int[] {10}, combine(back, new int[] {1}, new int[] {2}));
    ReduceOp<?> sum = (ReduceOp<?>) codec.decode(codec.encode(ReduceOp.SUM));
    assertArrayEquals(new int[] {3}, combine(sum, new int[] {1}, new int[] {2}));
  }

  @Test
  void anOperatorMayChangeItsLeftOperandWithoutHarmToOthers() throws Exception {
    ReduceOp<int[]> inPlace =
        ReduceOp.ofObjects(
            "in place",
            true,
            (a, b) -> {
              a[0] += b[0];
              return a;
            });
    JavaCodec codec = new JavaCodec();
    ObjectVector kept = new ObjectVector(new Object[] {new int[] {1}}, codec);
    ObjectVector other = new ObjectVector(new Object[] {new int[] {2}}, codec);
    Vector target = kept.allocate(1);
    target.combine(inPlace, kept, 0, other, 0, 0, 1);
    assertArrayEquals(new int[] {1}, (int[]) kept.get(0));
    assertArrayEquals(new int[] {3}, (int[]) ((ObjectVector) target).get(0));
  }

  @Test
  void objectsCrossTheWire() throws Exception {
    ObjectVector words =
        new ObjectVector(new Object[] {"a", "", "x".repeat(100_000), "z"}, new JavaCodec());
    ByteBuffer bytes = words.serialize(1, 3);
    ObjectVector back = (ObjectVector) words.allocate(4);
    back.deserialize(bytes, 0, 3);
    assertEquals("", back.get(0));
    assertEquals(100_000, ((String) back.get(1)).length());
    assertEquals("z", back.get(2));
    ByteBuffer cut = words.serialize(1, 3);
    cut.limit(cut.limit() - 1);
    assertThrows(java.io.IOException.class, () -> back.deserialize(cut, 0, 3));
  }

  @Test
  void primitivesCrossTheWire() {
    float[] f = {1.5f, -2, Float.NaN};
    FixedVector v = Vector.of(f);
    ByteBuffer buffer = ByteBuffer.allocateDirect(64).order(java.nio.ByteOrder.LITTLE_ENDIAN);
    v.encode(1, 2, buffer);
    assertEquals(8, buffer.position());
    FixedVector back = Vector.of(new float[2]);
    back.decode(buffer.flip(), 0, 2);
    assertArrayEquals(new float[] {-2, Float.NaN}, (float[]) back.array());
  }

  @Test
  void constantsAreTheSameAfterATravel() throws Exception {
    for (ReduceOp<?> op : List.of(ReduceOp.SUM, ReduceOp.PROD, ReduceOp.MIN, ReduceOp.MAX)) {
      assertSame(op, travelled(op));
    }
    ReduceOp<?> own = ReduceOp.ofLong("xor", true, (left, right) -> left ^ right);
    ReduceOp<?> travelled = (ReduceOp<?>) travelled(own);
    assertNotSame(own, travelled);
    assertEquals("xor", travelled.name());
  }

  @SuppressWarnings("BanSerializableRead") // what was written just before
  private static Object travelled(Object value) throws Exception {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    try (ObjectOutputStream out = new ObjectOutputStream(bytes)) {
      out.writeObject(value);
    }
    try (ObjectInputStream in =
        new ObjectInputStream(new ByteArrayInputStream(bytes.toByteArray()))) {
      return in.readObject();
    }
  }

  @Test
  @SuppressWarnings("NullAway") // what a user's Java code can do
  void anOperatorHasANameAndAFunction() {
    assertRefused(() -> ReduceOp.ofDouble(null, true, Math::hypot), "the name of an operator");
    assertRefused(() -> ReduceOp.ofObjects(null, true, String::concat), "the name of an operator");
    String function = "the function of the operator 'mine' is null";
    assertRefused(() -> ReduceOp.ofDouble("mine", true, null), function);
    assertRefused(() -> ReduceOp.ofFloat("mine", true, null), function);
    assertRefused(() -> ReduceOp.ofLong("mine", true, null), function);
    assertRefused(() -> ReduceOp.ofInt("mine", true, null), function);
    assertRefused(() -> ReduceOp.ofDoubleTuples("mine", true, 2, null), function);
    assertRefused(() -> ReduceOp.ofObjects("mine", true, null), function);
    assertRefused(() -> ReduceOp.ofObjects("mine", true, null, () -> ""), function);
    assertRefused(
        () -> ReduceOp.ofObjects("mine", true, String::concat, null),
        "the function that makes the neutral element of 'mine' is null");
  }

  private static void assertRefused(Executable factory, String part) {
    InvalidInputException e = assertThrows(InvalidInputException.class, factory);
    assertTrue(String.valueOf(e.getMessage()).contains(part), e.toString());
  }

  @ParameterizedTest
  @ValueSource(ints = {Integer.MIN_VALUE, 0, (1 << 27) + 1, 1 << 28})
  void tuplesHaveAnElementAndFitABuffer(int width) {
    InvalidInputException e =
        assertThrows(
            InvalidInputException.class,
            () ->
                ReduceOp.ofDoubleTuples(
                    "tuples", true, width, (left, leftAt, right, rightAt, result) -> {}));
    assertTrue(String.valueOf(e.getMessage()).contains("tuples of " + width), e.toString());
  }
}
