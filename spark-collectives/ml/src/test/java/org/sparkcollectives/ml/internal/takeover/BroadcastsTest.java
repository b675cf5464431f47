package org.sparkcollectives.ml.internal.takeover;

import static org.junit.jupiter.api.Assertions.assertEquals;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Which matrices go between executors. */
class BroadcastsTest {
  @ParameterizedTest
  @CsvSource({
    "0,false",
    "131071,false",
    "131072,true",
    "268000000,true",
    "268435455,false",
    "300000000,false",
    "4000000000,false"
  })
  void fromOneMebibyteToWhatAnArrayOfBytesHolds(long numbers, boolean large) {
    assertEquals(large, Broadcasts.isLarge(numbers));
  }
}
