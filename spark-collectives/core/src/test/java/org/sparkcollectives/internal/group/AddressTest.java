package org.sparkcollectives.internal.group;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.sparkcollectives.error.InvalidInputException;
import org.sparkcollectives.internal.transport.Lookup;
import org.sparkcollectives.transport.Deadline;

class AddressTest {

  @ParameterizedTest
  @CsvSource({
    "node-1:7400, node-1, 7400",
    "10.0.0.1:0, 10.0.0.1, 0",
    "host.example.org:65535, host.example.org, 65535",
    "[::1]:7400, ::1, 7400",
    "[fd00::7:1]:80, fd00::7:1, 80",
    "[fe80::1%eth0]:80, fe80::1%eth0, 80",
    "[::ffff:10.0.0.1]:1, ::ffff:10.0.0.1, 1"
  })
  void anAddressIsAHostAndAPort(String text, String host, int port) {
    Address address = Address.parse(text);
    assertEquals(new Address(host, port), address);
    assertEquals(text, address.toString());
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "node-1",
        ":7400",
        "node-1:",
        "node-1:port",
        "node-1:65536",
        "node-1:-1",
        "::1:7400",
        "fd00::7:1",
        "[::1]",
        "[::1]7400",
        "::1]:7400",
        "[10.0.0.1]:80",
        "[]:80",
        "node 1:7400",
        "tcp://node-1:7400",
        "a:b:7400",
        "node-1:123456"
      })
  void whatIsNoneIsRefused(String text) {
    InvalidInputException e = assertThrows(InvalidInputException.class, () -> Address.parse(text));
    String message = String.valueOf(e.getMessage());
    assertTrue(message.startsWith("the address '" + text + "' cannot be read: "), message);
    assertTrue(message.contains("[fd00::1]:7400"), message);
  }

  @Test
  void anUnknownHostIsNamed() {
    Deadline deadline = Deadline.after(Duration.ofSeconds(30));
    IOException e =
        assertThrows(
            IOException.class,
            () -> new Address("no-such-host.invalid", 1).resolve(new Lookup(), deadline));
    assertTrue(String.valueOf(e.getMessage()).contains("no-such-host.invalid"), e.toString());
  }
}
