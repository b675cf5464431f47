package org.sparkcollectives.internal.select;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.Collections;
import java.util.List;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.sparkcollectives.cost.CostModel;
import org.sparkcollectives.error.InvalidInputException;
import org.sparkcollectives.internal.algorithm.Algorithm;
import org.sparkcollectives.internal.algorithm.Algorithms;
import org.sparkcollectives.schedule.Collective;
import org.sparkcollectives.schedule.Topology;
import org.sparkcollectives.select.Candidate;
import org.sparkcollectives.select.Policy;
import org.sparkcollectives.select.Request;

class SelectorTest {
  private static final CostModel MODEL = CostModel.DEFAULT;

  private static Request request(Collective collective, int size, long bytes, boolean ordered) {
    return Request.of(collective, size, bytes, ordered, Topology.FLAT);
  }

  @Test
  void ranksOfWhichThereAreTooManyPairsAreRefused() {
    Request request = Request.of(Collective.ALLTOALL, 46_341, 8, false, Topology.FLAT);
    InvalidInputException e =
        assertThrows(
            InvalidInputException.class, () -> new Selector(Policy.DEFAULT).choose(request));
    assertTrue(e.getMessage().contains("at most 46340 ranks"), e.getMessage());
    Request fewer = Request.of(Collective.ALLTOALL, 46_340, 8, false, Topology.FLAT);
    assertEquals("bruck", new Selector(Policy.DEFAULT).choose(fewer).algorithm().slug());
  }

  @Test
  void roundsOfAsManyRanksAsAreTakenDoNotOverflow() {
    for (String slug : List.of("linear-pipeline", "two-tree", "ring", "recursive-doubling")) {
      Algorithm algorithm = Algorithms.find(Collective.ALLREDUCE, slug);
      Request request = request(Collective.ALLREDUCE, 1 << 28, 1L << 33, false);
      Candidate each =
          new Pricer(MODEL, request).candidate(new Pricer(MODEL, request).price(algorithm));
      assertTrue(each.rounds() > 0 && each.nanos() > 0 && each.bytesSent() > 0, each::toString);
    }
    Request more = request(Collective.BARRIER, (1 << 28) + 1, 8, true);
    assertThrows(InvalidInputException.class, () -> new Selector(MODEL).choose(more));
  }

  @Test
  void theChoiceIsTheCheapestOfThoseThatSuit() {
    for (Collective collective : Collective.values()) {
      for (int size : new int[] {1, 2, 3, 8, 13, 100}) {
        for (long bytes : new long[] {8, 1 << 10, 1 << 18, 1 << 25}) {
          Request request = request(collective, size, bytes, true);
          Choice choice = new Selector(MODEL).choose(request);
          Pricer pricer = new Pricer(MODEL, request);
          for (Algorithm algorithm : Algorithms.of(collective)) {
            if (pricer.misfit(algorithm) == null && pricer.refusal(algorithm) == null) {
              assertTrue(choice.nanos() <= pricer.price(algorithm).nanos(), () -> request + "");
            }
          }
          assertTrue(choice.algorithm().traits().keepsOrder());
        }
      }
    }
  }

  @Test
  void theNumberOfBlocksBeatsItsNeighbours() {
    for (Algorithm algorithm : Algorithms.all()) {
      for (int size : new int[] {3, 8, 13, 100, 1000}) {
        for (long bytes : new long[] {1 << 12, 1 << 18, 1 << 23}) {
          Request request = request(algorithm.collective(), size, bytes, false);
          Pricer pricer = new Pricer(MODEL, request);
          if (algorithm.naturalBlocks(size) > 0 || pricer.refusal(algorithm) != null) {
            continue;
          }
          Choice best = pricer.price(algorithm);
          int blocks = best.problem().blocks();
          for (int delta : new int[] {-2, -1, 1, 2, blocks / 4 + 1, -blocks / 4, blocks / 2}) {
            int other = blocks + delta;
            if (other >= 1 && bytes / other >= 2048) {
              assertTrue(
                  best.nanos() <= pricer.price(algorithm, other).nanos() * 1.0001,
                  () -> algorithm + " " + request + ": " + other + " blocks beat " + blocks);
            }
          }
        }
      }
    }
  }

  @Test
  void longVectorsArePipelinedAndShortOnesAreNot() {
    Selector selector = new Selector(MODEL);
    assertEquals(1, selector.choose(request(Collective.BROADCAST, 13, 8, true)).problem().blocks());
    assertTrue(
        selector.choose(request(Collective.BROADCAST, 13, 8 << 20, true)).problem().blocks() > 50);
  }

  /** What goes straight has one latency on its longest path, and a message for every rank. */
  @ParameterizedTest
  @EnumSource(names = {"REDUCE_SCATTER", "ALLGATHER"})
  void longPartsGoStraightAndShortOnesInFewRounds(Collective collective) {
    Selector selector = new Selector(CostModel.DEFAULT);
    assertEquals(
        "pairwise", selector.choose(request(collective, 8, 800_000, false)).algorithm().slug());
    assertNotEquals(
        "pairwise", selector.choose(request(collective, 64, 512, false)).algorithm().slug());
  }

  /** Processors have fewer messages to pass on by others. */
  @Test
  void withinAHostAllGathersDoNotGoStraight() {
    Topology one = Topology.of(Collections.nCopies(8, 0), List.of(0, 1, 2, 3, 4, 5, 6, 7));
    Request request = Request.of(Collective.ALLGATHER, 8, 1 << 20, false, one);
    assertNotEquals("pairwise", new Selector(CostModel.DEFAULT).choose(request).algorithm().slug());
  }

  @Test
  void aChoiceIsKept() {
    Selector selector = new Selector(MODEL);
    Request request = request(Collective.ALLREDUCE, 8, 1000, true);
    assertSame(selector.choose(request), selector.choose(request));
    assertSame(selector.choose(request, "two-tree"), selector.choose(request, "two-tree"));
  }

  @Test
  void twoTreesAreOfHostsWhereRanksShareThemAndTheOperatorCommutes() {
    Topology fourHosts = Topology.ofHosts(List.of(0, 0, 1, 1, 2, 2, 3, 3));
    Topology oneHost = Topology.ofHosts(Collections.nCopies(8, 0));
    for (Collective collective :
        List.of(Collective.BROADCAST, Collective.REDUCE, Collective.ALLREDUCE)) {
      assertEquals("two-tree-of-hosts", twoTrees(collective, false, fourHosts));
      for (Topology topology : List.of(Topology.FLAT, oneHost)) {
        assertEquals("two-tree", twoTrees(collective, false, topology));
      }
    }
    assertEquals("two-tree", twoTrees(Collective.ALLREDUCE, true, fourHosts));
    assertEquals("two-tree", twoTrees(Collective.SCAN, false, fourHosts));
    Request shortest = Request.of(Collective.ALLREDUCE, 8, 8, false, fourHosts);
    assertEquals(
        "two-tree", new Selector(MODEL).choose(shortest, Selector.TWO_TREES).algorithm().slug());
    assertThrows(
        InvalidInputException.class, () -> twoTrees(Collective.GATHER, false, Topology.FLAT));
    Request request = Request.of(Collective.REDUCE, 8, 8 << 20, false, fourHosts);
    assertEquals(
        "the call asks for it", new Selector(MODEL).explain(request, Selector.TWO_TREES).reason());
  }

  private static String twoTrees(Collective collective, boolean ordered, Topology topology) {
    Request request = Request.of(collective, 8, 8 << 20, ordered, topology);
    return new Selector(MODEL).choose(request, Selector.TWO_TREES).algorithm().slug();
  }

  @Test
  void anUnknownNameIsAnErrorThatListsTheOthers() {
    Request request = request(Collective.ALLREDUCE, 8, 1000, true);
    InvalidInputException e =
        assertThrows(
            InvalidInputException.class, () -> new Selector(MODEL).choose(request, "triangle"));
    for (String slug : List.of("triangle", "two-tree", "ring")) {
      assertTrue(e.getMessage().contains(slug), e.getMessage());
    }
  }

  @Test
  void allToAllsOfManyRanksInAProcessHaveFewLinks() {
    Topology one = Topology.of(Collections.nCopies(64, 0), Collections.nCopies(64, 0));
    Request local = Request.of(Collective.ALLTOALL, 64, 1 << 23, false, one);
    assertEquals("bruck", new Selector(CostModel.DEFAULT).choose(local).algorithm().slug());
    Topology eight = processes(512, 64);
    for (long bytes : new long[] {1 << 12, 1 << 18, 1 << 23}) {
      Request request = Request.of(Collective.ALLTOALL, 512, bytes, false, eight);
      assertEquals("bruck", new Selector(CostModel.DEFAULT).choose(request).algorithm().slug());
    }
    Request far = Request.of(Collective.ALLTOALL, 4096, 1 << 23, false, Topology.FLAT);
    assertEquals("tournament", new Selector(CostModel.DEFAULT).choose(far).algorithm().slug());
    Request named = Request.of(Collective.ALLTOALL, 512, 1 << 12, false, eight);
    assertEquals(
        "linear", new Selector(CostModel.DEFAULT).choose(named, "linear").algorithm().slug());
    assertEquals("it needs some 32704 links in a process", refusal(named, "linear"));
  }

  @Test
  void directMessagesOfManyRanksInAProcessWouldNeedManyLinks() {
    Topology one = Topology.of(Collections.nCopies(64, 0), Collections.nCopies(64, 0));
    Topology many =
        Topology.of(Collections.nCopies(64, 0), IntStream.range(0, 64).boxed().toList());
    for (Collective collective : List.of(Collective.REDUCE_SCATTER, Collective.REDUCE)) {
      Request local = Request.of(collective, 64, 1 << 23, false, one);
      assertEquals("it needs some 4032 links in a process", refusal(local, "pairwise"));
      assertNull(refusal(Request.of(collective, 64, 1 << 23, false, many), "pairwise"));
      assertNull(refusal(Request.of(collective, 4096, 1 << 23, false, Topology.FLAT), "pairwise"));
      assertEquals(
          "it needs some 4097 links in a process",
          refusal(Request.of(collective, 4098, 1 << 23, false, Topology.FLAT), "pairwise"));
      for (Topology topology : List.of(one, processes(512, 64))) {
        Request request = Request.of(collective, topology.size(), 1 << 23, false, topology);
        String chosen = new Selector(CostModel.DEFAULT).choose(request).algorithm().slug();
        assertNotEquals("pairwise", chosen);
        assertEquals(
            "pairwise",
            new Selector(CostModel.DEFAULT).choose(request, "pairwise").algorithm().slug());
      }
    }
    assertEquals(
        "it needs some 4097 links in a process",
        refusal(Request.of(Collective.ALLGATHER, 4098, 1 << 23, false, Topology.FLAT), "pairwise"));
    Request most = Request.of(Collective.REDUCE_SCATTER, 1 << 28, 1 << 30, false, Topology.FLAT);
    assertNotEquals("pairwise", new Selector(MODEL).choose(most).algorithm().slug());
  }

  /** A rank by {@code multi-leader} has a link to its host's ranks, and one to every other host. */
  @Test
  void leadersOfManyHostsWouldNeedManyLinks() {
    for (Collective collective : List.of(Collective.REDUCE_SCATTER, Collective.ALLGATHER)) {
      Request few = Request.of(collective, 1600, 1 << 24, false, executors(100, 16));
      assertNull(refusal(few, "multi-leader"));
      Request many = Request.of(collective, 4800, 1 << 24, false, executors(300, 16));
      assertEquals("it needs some 5024 links in a process", refusal(many, "multi-leader"));
      assertNotEquals("multi-leader", new Selector(MODEL).choose(many).algorithm().slug());
    }
  }

  /** Hosts of one process each. */
  private static Topology executors(int hosts, int ranks) {
    List<Integer> hostOf = IntStream.range(0, hosts * ranks).map(r -> r / ranks).boxed().toList();
    return Topology.of(hostOf, hostOf);
  }

  private static @Nullable String refusal(Request request, String slug) {
    return new Selector(CostModel.DEFAULT)
        .candidates(request).stream()
            .filter(candidate -> candidate.algorithm().equals(slug))
            .findFirst()
            .orElseThrow()
            .refusal();
  }

  @Test
  void whereAllAlgorithmsNeedManyLinksTheOneThatNeedsTheFewestIsChosen() {
    for (int size : new int[] {80, 128, 1024}) {
      Topology one = Topology.of(Collections.nCopies(size, 0), Collections.nCopies(size, 0));
      Request local = Request.of(Collective.ALLTOALL, size, 1 << 20, false, one);
      assertEquals("bruck", new Selector(CostModel.DEFAULT).choose(local).algorithm().slug());
    }
    Topology oneHost =
        Topology.of(
            Collections.nCopies(512, 0),
            IntStream.range(0, 512).map(rank -> rank / 64).boxed().toList());
    Request near = Request.of(Collective.ALLTOALL, 512, 1 << 20, false, oneHost);
    assertEquals("bruck", new Selector(CostModel.DEFAULT).choose(near).algorithm().slug());
  }

  /** Two hosts with processes of so many ranks. */
  private static Topology processes(int size, int perProcess) {
    return Topology.of(
        IntStream.range(0, size).map(rank -> 2 * rank / size).boxed().toList(),
        IntStream.range(0, size).map(rank -> rank / perProcess).boxed().toList());
  }
}
