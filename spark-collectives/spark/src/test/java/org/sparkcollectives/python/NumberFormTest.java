package org.sparkcollectives.python;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.Base64;
import java.util.HexFormat;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.sparkcollectives.error.InvalidInputException;

class NumberFormTest {
  @Test
  void bytesThatHaveNoRoomAreRefused() {
    NumberForm form = NumberForm.of("float64");
    assertEquals(24, form.bytes(new double[3], 24, "this").length);
    String message =
        assertThrows(InvalidInputException.class, () -> form.bytes(new double[3], 23, "this"))
            .getMessage();
    assertTrue(
        message.contains("a vector of 3 numbers of type float64 has too many bytes for Python")
            && message.contains("this has at most 23 bytes"),
        message);
  }

  /** Three bytes more would make a text of 2<sup>31</sup> characters. */
  @Test
  void whatPy4jSendsFitsIntoAText() {
    assertEquals(4, Base64.getEncoder().encode(new byte[3]).length);
    assertEquals(1L << 31, (NumberForm.MOST_SENT / 3 + 1) * 4L);
  }

  /** Python's {@code pickle.dumps([1.0], 5)} and {@code pickle.dumps([bytes(65536)] * 2, 4)}. */
  @Test
  void pickledListsAreRefused() {
    byte[] framed = HexFormat.of().parseHex("8005950d000000000000005d94473ff0000000000000612e");
    byte[] unframed = new byte[65560];
    byte[] head = HexFormat.of().parseHex("80045d94284200000100");
    System.arraycopy(head, 0, unframed, 0, head.length);
    System.arraycopy(HexFormat.of().parseHex("946801652e"), 0, unframed, 65555, 5);
    String refusal =
        "the elements are pickled objects of Python, not the bytes of numbers: PySpark's own"
            + " serializer pickles what an RDD has, several elements at once. Map the arrays to"
            + " bytes by tobytes() and set _jrdd_deserializer = NoOpSerializer() of that RDD, as"
            + " docs/pyspark.md shows.";
    for (String type : new String[] {"float64", "float32", "int64", "int32"}) {
      assertEquals(refusal, refusal(type, framed));
      assertEquals(refusal, refusal(type, unframed));
    }
    byte[] odd = HexFormat.of().parseHex("8005950d000000000000005d944700612e");
    assertEquals(refusal, refusal("float64", odd));
  }

  @Test
  void numbersThatDifferFromAPickledListByAByteAreTaken() {
    for (int at : new int[] {0, 1, 2, 11, 12, 22, 23}) {
      byte[] bytes = HexFormat.of().parseHex("8005950d000000000000005d94473ff0000000000000612e");
      bytes[at] ^= 0x40;
      assertEquals(3, ((double[]) NumberForm.of("float64").array(bytes)).length, "byte " + at);
    }
    assertEquals(0, ((int[]) NumberForm.of("int32").array(new byte[0])).length);
  }

  @Test
  void elementsThatAreNoBytesAreNamed() {
    String rest =
        ": vectors are the bytes of numbers. Map the arrays to bytes by tobytes() and set"
            + " _jrdd_deserializer = NoOpSerializer() of that RDD, as docs/pyspark.md shows.";
    assertEquals("an element is None" + rest, refusal("float64", null));
    assertEquals("an element is of the class double[]" + rest, refusal("float64", new double[1]));
  }

  @Test
  void bytesAreNoResult() {
    assertEquals(
        "a broadcast of bytes has no numbers of type float64: it is no result of allReduce or"
            + " allGather. Give what one of these has returned.",
        assertThrows(InvalidInputException.class, () -> NumberForm.of("float64").sent(new byte[8]))
            .getMessage());
  }

  private static String refusal(String type, @Nullable Object element) {
    NumberForm form = NumberForm.of(type);
    return String.valueOf(
        assertThrows(InvalidInputException.class, () -> form.array(element)).getMessage());
  }
}
