package org.sparkcollectives.internal.transport.tcp;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Connections that wait leave most of the process's descriptors to others. */
final class DescriptorsTest {
  private static final String HEADER =
      "Limit                     Soft Limit           Hard Limit           Units     ";

  @ParameterizedTest
  @CsvSource({
    "1024, 256",
    "1048576, 65536",
    "100, 25",
    "2, 1",
    "unlimited, 65536",
    "9223372036854775807, 65536",
    "'', 65536"
  })
  void aQuarterOfTheLimitAndNoMoreThanWanted(String soft, int expected) {
    List<String> limits =
        List.of(
            HEADER,
            "Max processes             unlimited            unlimited            processes ",
            "Max open files            "
                + soft
                + "                 1048576              files     ");
    boolean none = soft.isEmpty();
    assertEquals(expected, Descriptors.atMost(65536, none ? limits.subList(0, 2) : limits));
    assertTrue(Descriptors.atMost(10) <= 10);
  }
}
