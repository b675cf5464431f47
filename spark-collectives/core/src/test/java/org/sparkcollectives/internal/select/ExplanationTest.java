package org.sparkcollectives.internal.select;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import java.util.TreeSet;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.sparkcollectives.error.InvalidInputException;
import org.sparkcollectives.internal.algorithm.Algorithm;
import org.sparkcollectives.internal.algorithm.Algorithms;
import org.sparkcollectives.schedule.Collective;
import org.sparkcollectives.schedule.Topology;
import org.sparkcollectives.select.Candidate;
import org.sparkcollectives.select.Explanation;
import org.sparkcollectives.select.Policy;
import org.sparkcollectives.select.Request;

class ExplanationTest {

  @Test
  void everyAlgorithmIsACandidateAndTheCheapestIsTheChoice() {
    for (Collective collective : Collective.values()) {
      Request request = Request.of(collective, 13, 8 << 20, true, Topology.FLAT);
      Explanation explanation = new Selector(Policy.DEFAULT).explain(request, null);
      assertEquals(
          new TreeSet<>(Algorithms.of(collective).stream().map(Algorithm::slug).toList()),
          new TreeSet<>(explanation.candidates().stream().map(Candidate::algorithm).toList()));
      Candidate first = explanation.candidates().get(0);
      assertEquals(first, explanation.choice());
      Choice choice = new Selector(Policy.DEFAULT).choose(request, null);
      assertEquals(choice.algorithm().slug(), first.algorithm());
      assertEquals(choice.problem().blocks(), first.blocks());
      assertEquals(choice.nanos(), first.nanos());
    }
  }

  /**
   * Of prices that are all but the same, the first algorithm's is taken, and the reason says so.
   */
  @Test
  void whatIsChosenIsNotCalledTheCheapestWhereAnotherOneIs() {
    Topology topology =
        Topology.ofHosts(IntStream.range(0, 32).mapToObj(rank -> rank / 4).toList());
    Request request = Request.of(Collective.ALLGATHER, 32, 64, false, topology);
    Explanation explanation = new Selector(Policy.DEFAULT).explain(request, null);
    Candidate least = explanation.candidates().get(0);
    assertNotEquals(least.algorithm(), explanation.choice().algorithm(), explanation::text);
    assertEquals("none is more than 0.05 % cheaper", explanation.reason());
  }

  @Test
  void theTextNamesCausesChoiceAndReason() {
    Request request = Request.of(Collective.ALLREDUCE, 13, 8 << 20, true, Topology.FLAT);
    String text = new Selector(Policy.DEFAULT).explain(request, null).text();
    for (String part :
        List.of("allreduce, 13 ranks", "it combines out of rank order", "it is the cheapest")) {
      assertTrue(text.contains(part), text);
    }
  }

  @Test
  void whatRefusesNamesThoseThatWouldDo() {
    Request request = Request.of(Collective.BROADCAST, 13, 8 << 20, true, Topology.FLAT);
    InvalidInputException e =
        assertThrows(
            InvalidInputException.class,
            () -> new Selector(Policy.DEFAULT).choose(request, "hypercube"));
    assertTrue(e.getMessage().contains("power of two"), e.getMessage());
    assertTrue(e.getMessage().contains("two-tree"), e.getMessage());
  }

  /** Prices of many ranks are those of a few hosts, of which less has to leave each. */
  @Test
  void nothingIsPricedBelowTheBound() {
    List<Integer> hosts = IntStream.range(0, 1000).mapToObj(rank -> rank / 16).toList();
    Topology topology = Topology.ofHosts(hosts);
    double beta = Policy.DEFAULT.model().network().betaNanosPerByte();
    for (Collective collective : Collective.values()) {
      for (int bytes : List.of(1 << 10, 1 << 26)) {
        Request request = Request.of(collective, 1000, bytes, true, topology);
        Explanation explanation = new Selector(Policy.DEFAULT).explain(request, null);
        for (Candidate candidate : explanation.candidates()) {
          assertTrue(
              candidate.refusal() != null || candidate.nanos() >= explanation.boundNanos(),
              () -> collective + ", " + bytes + " bytes: " + candidate);
          Candidate.Card card = candidate.card();
          double passing = card == null ? 0 : card.bytes() * beta;
          assertTrue(candidate.refusal() != null || candidate.nanos() >= passing, "" + candidate);
        }
        assertTrue(explanation.choice().nanos() >= explanation.boundNanos());
      }
    }
  }

  /** Of hosts of 128 ranks a sample has a quarter, so what passes a card is more than it says. */
  @Test
  void anAlgorithmThatIsNamedHasThePriceThatItHasAmongAll() {
    for (int perHost : new int[] {8, 128}) {
      Topology topology =
          Topology.ofHosts(IntStream.range(0, 8 * perHost).mapToObj(r -> r / perHost).toList());
      Request request = Request.of(Collective.ALLREDUCE, 8 * perHost, 1 << 20, false, topology);
      Selector selector = new Selector(Policy.DEFAULT);
      for (Candidate candidate : selector.candidates(request)) {
        if (candidate.refusal() == null && !candidate.algorithm().equals(Algorithms.TWO_TREES)) {
          double named = selector.priced(request, candidate.algorithm()).nanos();
          assertEquals(candidate.nanos(), named, candidate::toString);
        }
      }
    }
  }

  /** Of bruck's rounds most stay within the few hosts of a sample, in racks or not. */
  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void anAllToAllOfManyHostsIsChosenByWhatPassesTheirCards(boolean inRacks) {
    List<Integer> hosts = IntStream.range(0, 1000).mapToObj(rank -> rank / 16).toList();
    List<Integer> racks = hosts.stream().map(host -> inRacks ? host / 9 : 0).toList();
    Topology topology = Topology.of(hosts, hosts, racks);
    Request request = Request.of(Collective.ALLTOALL, 1000, 64 << 10, true, topology);
    Choice choice = new Selector(Policy.DEFAULT).choose(request, null);
    double beta = Policy.DEFAULT.model().network().betaNanosPerByte();
    double passing = Traffic.sent(choice.algorithm(), choice.problem(), 0) / 1e6;
    assertTrue(choice.nanos() >= 0.99 * passing * request.bytes() * beta, choice.toString());
  }
}
