package org.sparkcollectives.benchmarks.cluster;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import org.junit.jupiter.api.Test;
import org.sparkcollectives.CommunicatorOptions;
import org.sparkcollectives.Group;
import org.sparkcollectives.schedule.Collective;

class OperationsTest {
  private static final double RATE = Rates.bitsPerSecond("200mbit");

  @Test
  void boundsAreThoseOfTheBusiestCard() {
    double whole = (8 << 20) / (25 * 1448.0 / 1514);
    assertEquals(whole, Operations.boundMicros(Collective.BROADCAST, 8, 8 << 20, RATE), 1e-6);
    assertEquals(whole, Operations.boundMicros(Collective.SCAN, 8, 8 << 20, RATE), 1e-6);
    assertEquals(
        whole * 7 / 4, Operations.boundMicros(Collective.ALLREDUCE, 8, 8 << 20, RATE), 1e-6);
    assertEquals(
        whole * 7 / 8, Operations.boundMicros(Collective.ALLGATHER, 8, 8 << 20, RATE), 1e-6);
    assertEquals(0, Operations.boundMicros(Collective.REDUCE, 1, 8 << 20, RATE));
  }

  @Test
  void readsRates() {
    assertEquals(2.5e9, Rates.bitsPerSecond("2.5Gbit"));
    assertEquals(5e5, Rates.bitsPerSecond("500kbit"));
    for (String bad : List.of("200", "mbit", "-1mbit", "1mbyte")) {
      assertThrows(IllegalArgumentException.class, () -> Rates.bitsPerSecond(bad), bad);
    }
  }

  @Test
  void namesWhatIsMeasured() {
    assertTrue(Operations.ofSlugs(List.of("all")).contains(Collective.SCAN));
    IllegalArgumentException barrier =
        assertThrows(IllegalArgumentException.class, () -> Operations.ofSlugs(List.of("barrier")));
    assertTrue(String.valueOf(barrier.getMessage()).contains("broadcast"), barrier.getMessage());
  }

  @Test
  void theArraysOfAnOrderFitItsOperation() {
    int size = 3;
    for (Collective collective : Operations.ofSlugs(List.of("all"))) {
      long bytes = Operations.bytes(collective, size, 100);
      Order order = Order.run(collective, null, bytes, 2);
      List<Answer> answers =
          Group.threads(
              size,
              CommunicatorOptions.DEFAULT,
              c -> {
                int length = Operations.ownLength(order, c.rank(), size);
                return Ranks.time(c, order, Ranks.values(c.rank(), length));
              });
      long results = answers.stream().map(Answer::digest).distinct().count();
      assertEquals(Operations.sameEverywhere(collective), results == 1, collective.slug());
    }
  }
}
