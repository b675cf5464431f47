package org.sparkcollectives.internal.vector;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.lang.reflect.Array;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Arrays;
import java.util.EnumSet;
import java.util.HashSet;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.sparkcollectives.error.InvalidInputException;
import org.sparkcollectives.vector.ReduceOp;

/** What holds for every type of element, also for one that is added. */
class ElementTypeTest {

  @Test
  void codesAreDifferentAndFindTheirTypes() {
    Set<Integer> codes = new HashSet<>();
    for (ElementType type : ElementType.values()) {
      assertTrue(codes.add(type.code()), type.toString());
      assertTrue(0 < type.code() && type.code() < 128, type.toString());
      assertSame(type, ElementType.ofCode(type.code()));
    }
    assertThrows(IllegalArgumentException.class, () -> ElementType.ofCode(0));
  }

  @ParameterizedTest
  @EnumSource(mode = EnumSource.Mode.EXCLUDE, names = "OBJECT")
  void anArrayIsAVectorOfItsType(ElementType type) {
    FixedVector vector = type.allocate(5);
    assertSame(type, vector.type());
    assertEquals(5, vector.length());
    assertSame(type.arrays(), vector.array().getClass());
    assertEquals(type.label() + "[]", vector.array().getClass().getTypeName());
    assertTrue(Vector.takes(vector.array()));
    assertSame(vector.array(), Vector.of(vector.array()).array());
    assertSame(type, Vector.of(vector.array()).type());
    assertSame(type, vector.allocate(2).type());
    assertEquals(2, vector.allocate(2).length());
  }

  @ParameterizedTest
  @EnumSource(mode = EnumSource.Mode.EXCLUDE, names = "OBJECT")
  void elementsAreCopiedAndCrossTheWire(ElementType type) {
    FixedVector vector = type.allocate(6);
    for (int i = 0; i < 6; i++) {
      Array.setByte(vector.array(), i, (byte) (i + 1));
    }
    FixedVector copy = type.allocate(4);
    copy.copy(vector, 2, 1, 3);
    assertElements(copy, 0, 3, 4, 5);
    ByteBuffer buffer = ByteBuffer.allocateDirect(64).order(ByteOrder.LITTLE_ENDIAN);
    vector.encode(1, 3, buffer);
    assertEquals(3 * type.bytes(), buffer.position());
    FixedVector back = type.allocate(5);
    back.decode(buffer.flip(), 1, 3);
    assertFalse(buffer.hasRemaining());
    assertElements(back, 0, 2, 3, 4, 0);
  }

  @ParameterizedTest
  @EnumSource(mode = EnumSource.Mode.EXCLUDE, names = "OBJECT")
  void viewsServeEveryPositionAndAnotherBuffer(ElementType type) {
    FixedVector vector = type.allocate(3);
    for (int i = 0; i < 3; i++) {
      Array.setByte(vector.array(), i, (byte) (i + 1));
    }
    NumberViews views = new NumberViews();
    for (int position : new int[] {0, 1, 16, 21}) {
      ByteBuffer buffer = ByteBuffer.allocateDirect(64).order(ByteOrder.LITTLE_ENDIAN);
      for (int turn = 0; turn < 2; turn++) {
        vector.encode(0, 3, buffer.position(position), views);
        assertEquals(position + 3 * type.bytes(), buffer.position());
        FixedVector back = type.allocate(3);
        back.decode(buffer.position(position), 0, 3, views);
        assertEquals(position + 3 * type.bytes(), buffer.position());
        assertElements(back, 1, 2, 3);
      }
    }
  }

  @ParameterizedTest
  @EnumSource(mode = EnumSource.Mode.EXCLUDE, names = "OBJECT")
  void numbersAreCombinedAndBytesRefused(ElementType type) {
    FixedVector left = type.allocate(3);
    FixedVector right = type.allocate(3);
    for (int i = 0; i < 3; i++) {
      Array.setByte(left.array(), i, (byte) (i + 1));
      Array.setByte(right.array(), i, (byte) 2);
    }
    if (type == ElementType.BYTE) {
      InvalidInputException e =
          assertThrows(
              InvalidInputException.class,
              () -> left.combine(ReduceOp.SUM, left, 0, right, 0, 0, 3));
      assertEquals(
          "the operator 'sum' cannot combine byte[]: it works on double[], float[], long[] and"
              + " int[]. Use an operator for that type (ReduceOp.ofObjects takes any), or convert"
              + " the vectors.",
          e.getMessage());
      return;
    }
    FixedVector result = type.allocate(4);
    result.combine(ReduceOp.SUM, left, 1, right, 0, 2, 2);
    assertElements(result, 0, 0, 4, 5);
    left.combine(ReduceOp.PROD, left, 0, right, 0, 0, 3);
    assertElements(left, 2, 4, 6);
    left.combine(ReduceOp.MAX, left, 0, right, 0, 0, 3);
    assertElements(left, 2, 4, 6);
    left.combine(ReduceOp.MIN, left, 0, right, 0, 0, 3);
    assertElements(left, 2, 2, 2);
    Object neutral = ReduceOp.SUM.identityLike(left.array());
    assertNotNull(neutral);
    assertElements(Vector.of(neutral), 0, 0, 0);
  }

  private static void assertElements(FixedVector vector, double... expected) {
    double[] found = new double[vector.length()];
    Arrays.setAll(found, i -> Array.getDouble(vector.array(), i));
    assertEquals(Arrays.toString(expected), Arrays.toString(found));
  }

  @Test
  void otherValuesAreNoVectors() {
    for (Object value : new Object[] {"text", new Object[0], new short[1], new int[0][0], 7}) {
      assertFalse(Vector.takes(value));
      assertNull(ElementType.ofArray(value));
      InvalidInputException e = assertThrows(InvalidInputException.class, () -> Vector.of(value));
      assertTrue(
          e.getMessage()
              .contains(" is no vector: vectors are double[], float[], long[], int[] and byte[]. "),
          e.getMessage());
    }
    for (ElementType type : EnumSet.of(ElementType.OBJECT)) {
      assertThrows(IllegalArgumentException.class, () -> type.allocate(1));
      assertThrows(IllegalArgumentException.class, () -> type.over(new int[0]));
    }
  }
}
