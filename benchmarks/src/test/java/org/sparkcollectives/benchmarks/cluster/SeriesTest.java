package org.sparkcollectives.benchmarks.cluster;

import static java.util.Objects.requireNonNull;
import static org.junit.jupiter.api.Assertions.assertEquals;

import java.io.IOException;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.sparkcollectives.cost.CostModel;
import org.sparkcollectives.internal.select.Choice;
import org.sparkcollectives.internal.select.Selector;
import org.sparkcollectives.schedule.Collective;
import org.sparkcollectives.schedule.Topology;
import org.sparkcollectives.select.Request;

class SeriesTest {
  /** Four ranks, of which two see the card of a host each: it has sent 100 bytes, or 30. */
  private static final Ranks TWO_ON_EACH =
      order ->
          List.of(
              new HostAnswer(List.of(0L), List.of(9L), 1, 100, 30, 7),
              new HostAnswer(List.of(0L), List.of(9L), 1, 100, 30, 7),
              new HostAnswer(List.of(0L), List.of(9L), 1, 30, 100, 7),
              new HostAnswer(List.of(0L), List.of(9L), 1, 30, 100, 7));

  @Test
  void aHostsCardCountsOnceHoweverManyRanksHaveSeenIt() throws IOException {
    Row.Load load = load(new Placement(2, 2, false).firstRanks());
    assertEquals(130, load.totalSent());
    assertEquals(100, load.mostSent());
    assertEquals(100, load.mostReceived());
    assertEquals(List.of(0, 1), new Placement(2, 2, true).firstRanks());
  }

  @Test
  void withoutCardsNoBytesAreCounted() throws IOException {
    Row.Load load = load(List.of());
    assertEquals(0, load.totalSent());
    assertEquals(0, load.mostSent());
    assertEquals(0, load.mostReceived());
  }

  private static Row.Load load(List<Integer> cards) throws IOException {
    Request request = Request.of(Collective.BROADCAST, 4, 8, false, Topology.FLAT);
    Choice choice = new Selector(CostModel.DEFAULT).priced(request, null);
    Series series =
        new Series(Collective.BROADCAST, 8, List.of(), "selected", choice, TWO_ON_EACH, cards);
    series.run(1, true);
    return requireNonNull(series.row(null).load());
  }
}
