package org.sparkcollectives.python;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.Base64;
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
}
