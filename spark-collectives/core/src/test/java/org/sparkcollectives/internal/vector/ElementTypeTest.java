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
import java.util.HexFormat;
import java.util.List;
import java.util.Set;
import java.util.function.Predicate;
import java.util.stream.IntStream;
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
    FixedVector vector = filled(type, 6);
    List<String> all = elements(vector);
    String zero = elements(type.allocate(1)).get(0);
    FixedVector copy = type.allocate(4);
    copy.copy(vector, 2, 1, 3);
    assertEquals(List.of(zero, all.get(2), all.get(3), all.get(4)), elements(copy));
    ByteBuffer buffer = buffer();
    vector.encode(1, 3, buffer);
    assertEquals(3 * type.bytes(), buffer.position());
    FixedVector back = type.allocate(5);
    back.decode(buffer.flip(), 1, 3);
    assertFalse(buffer.hasRemaining());
    assertEquals(List.of(zero, all.get(1), all.get(2), all.get(3), zero), elements(back));
  }

  @ParameterizedTest
  @EnumSource(mode = EnumSource.Mode.EXCLUDE, names = "OBJECT")
  void viewsServeEveryPositionAndAnotherBuffer(ElementType type) {
    FixedVector vector = filled(type, 3);
    NumberViews views = new NumberViews();
    for (int position : new int[] {0, 1, 16, 21}) {
      ByteBuffer buffer = buffer();
      for (int turn = 0; turn < 2; turn++) {
        vector.encode(0, 3, buffer.position(position), views);
        assertEquals(position + 3 * type.bytes(), buffer.position());
        FixedVector back = type.allocate(3);
        back.decode(buffer.position(position), 0, 3, views);
        assertEquals(position + 3 * type.bytes(), buffer.position());
        assertEquals(elements(vector), elements(back));
      }
    }
  }

  private static ByteBuffer buffer() {
    return ByteBuffer.allocateDirect(64).order(ByteOrder.LITTLE_ENDIAN);
  }

  /** A vector of elements that differ, as far as their type lets them. */
  private static FixedVector filled(ElementType type, int length) {
    ByteBuffer bytes = buffer();
    for (int i = 0; i < length * type.bytes(); i++) {
      bytes.put((byte) i);
    }
    FixedVector vector = type.allocate(length);
    vector.decode(bytes.flip(), 0, length);
    int different = Set.copyOf(elements(vector)).size();
    assertTrue(different >= (type.bytes() == 1 ? 2 : length), () -> different + " elements differ");
    return vector;
  }

  /** The elements of a vector, each by its bytes on the wire. */
  private static List<String> elements(FixedVector vector) {
    int bytes = vector.type().bytes();
    byte[] wire = new byte[vector.length() * bytes];
    ByteBuffer buffer = buffer();
    vector.encode(0, vector.length(), buffer);
    buffer.flip().get(wire);
    return IntStream.range(0, vector.length())
        .mapToObj(i -> HexFormat.of().formatHex(wire, i * bytes, (i + 1) * bytes))
        .toList();
  }

  @ParameterizedTest
  @EnumSource(mode = EnumSource.Mode.EXCLUDE, names = "OBJECT")
  void numbersAreCombinedAndOthersRefused(ElementType type) {
    FixedVector left = type.allocate(3);
    FixedVector right = type.allocate(3);
    if (type.sizedLabel() == null) {
      InvalidInputException e =
          assertThrows(
              InvalidInputException.class,
              () -> left.combine(ReduceOp.SUM, left, 0, right, 0, 0, 3));
      assertEquals(
          "the operator 'sum' cannot combine "
              + type.label()
              + "[]: it works on "
              + arrays(each -> each.sizedLabel() != null)
              + ". Use an operator for that type (ReduceOp.ofObjects takes any), or convert"
              + " the vectors.",
          e.getMessage());
      return;
    }
    for (int i = 0; i < 3; i++) {
      Array.setByte(left.array(), i, (byte) (i + 1));
      Array.setByte(right.array(), i, (byte) 2);
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

  /** The arrays of some types, as messages list them. */
  private static String arrays(Predicate<ElementType> some) {
    List<String> arrays =
        Arrays.stream(ElementType.values()).filter(some).map(type -> type.label() + "[]").toList();
    int last = arrays.size() - 1;
    return String.join(", ", arrays.subList(0, last)) + " and " + arrays.get(last);
  }

  @Test
  void otherValuesAreNoVectors() {
    for (Object value : new Object[] {"text", new Object[0], new String[1], new int[0][0], 7}) {
      assertFalse(Vector.takes(value));
      assertNull(ElementType.ofArray(value));
      InvalidInputException e = assertThrows(InvalidInputException.class, () -> Vector.of(value));
      assertTrue(
          e.getMessage()
              .contains(
                  " is no vector: vectors are "
                      + arrays(type -> type != ElementType.OBJECT)
                      + ". "),
          e.getMessage());
    }
    for (ElementType type : EnumSet.of(ElementType.OBJECT)) {
      assertThrows(IllegalArgumentException.class, () -> type.allocate(1));
      assertThrows(IllegalArgumentException.class, () -> type.over(new int[0]));
    }
  }
}
