package org.sparkcollectives.internal.text;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import java.util.OptionalLong;
import org.junit.jupiter.api.Test;

final class AmountTest {
  @Test
  void lettersStandForPowersOf1024() {
    assertEquals(OptionalLong.of(8), Amount.parse("8"));
    assertEquals(OptionalLong.of(256 << 10), Amount.parse("256k"));
    assertEquals(OptionalLong.of(8 << 20), Amount.parse("8M"));
    assertEquals(OptionalLong.of(3L << 30), Amount.parse("3g"));
    assertEquals(OptionalLong.of(((1L << 33) - 1) << 30), Amount.parse(((1L << 33) - 1) + "g"));
  }

  @Test
  void othersAreNone() {
    for (String text : List.of("", "k", "4x", "-1", "1.5m", "4 k", "4kb")) {
      assertFalse(Amount.matches(text), text);
      assertEquals(OptionalLong.empty(), Amount.parse(text), text);
    }
  }

  @Test
  void numbersAreCountedUpTo2To63() {
    assertEquals(OptionalLong.of(Long.MAX_VALUE), Amount.parse("9223372036854775807"));
    for (String text : List.of("9223372036854775808", "8589934592g", "9".repeat(40) + "k")) {
      assertTrue(Amount.matches(text), text);
      assertEquals(OptionalLong.empty(), Amount.parse(text), text);
    }
  }
}
