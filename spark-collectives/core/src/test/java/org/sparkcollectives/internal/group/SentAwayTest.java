package org.sparkcollectives.internal.group;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.List;
import org.junit.jupiter.api.Test;

/** What rank 0 remembers of those that it has sent away. */
final class SentAwayTest {
  private final SentAway sentAway = new SentAway();

  private List<String> texts() {
    return List.copyOf(sentAway.texts());
  }

  @Test
  void whoComesAgainFromAnotherPortIsToldOnce() {
    for (int port = 40_000; port < 40_100; port++) {
      sentAway.add("10.0.0.1", "no frame", "10.0.0.1:" + port);
    }
    sentAway.add("10.0.0.2", "no frame", "another host");
    sentAway.add("10.0.0.1", "no secret", "another reason");
    assertEquals(List.of("10.0.0.1:40099", "another host", "another reason"), texts());
    sentAway.add("10.0.0.1", "no frame", "10.0.0.1:40100");
    assertEquals(List.of("another host", "another reason", "10.0.0.1:40100"), texts());
  }

  @Test
  void theLastAreKept() {
    for (int host = 0; host < 20; host++) {
      sentAway.add("10.0.0." + host, "no frame", "host " + host);
    }
    assertEquals(8, texts().size());
    assertEquals("host 12", texts().get(0));
    assertEquals("host 19", texts().get(7));
  }
}
