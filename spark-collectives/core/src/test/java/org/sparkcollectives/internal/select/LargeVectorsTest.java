package org.sparkcollectives.internal.select;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.sparkcollectives.cost.CostModel;
import org.sparkcollectives.internal.algorithm.Algorithm;
import org.sparkcollectives.internal.algorithm.Algorithms;
import org.sparkcollectives.internal.algorithm.pattern.PartBounds;
import org.sparkcollectives.internal.engine.Layout;
import org.sparkcollectives.schedule.BlockRange;
import org.sparkcollectives.schedule.Collective;
import org.sparkcollectives.schedule.Problem;
import org.sparkcollectives.schedule.Topology;
import org.sparkcollectives.select.Candidate;
import org.sparkcollectives.select.Request;

/** Numbers about the longest vectors that there can be: nothing overflows. Nothing is allocated. */
final class LargeVectorsTest {
  private static final int LONGEST = Integer.MAX_VALUE - 8;
  private static final CostModel MODEL = CostModel.DEFAULT;

  private static Topology hosts(int size) {
    return Topology.ofHosts(IntStream.range(0, size).map(rank -> rank / 4).boxed().toList());
  }

  private static List<Request> requests(Collective collective, int elements) {
    List<Request> requests = new ArrayList<>();
    for (int size : new int[] {2, 13, 64, 1000}) {
      List<Topology> topologies =
          size == 13 ? List.of(Topology.FLAT, hosts(size)) : List.of(Topology.FLAT);
      for (Topology topology : topologies) {
        for (boolean ordered : collective.reducing() ? List.of(false, true) : List.of(false)) {
          long bytes = (long) Double.BYTES * elements;
          requests.add(new Request(collective, size, 0, ordered, elements, bytes, null, topology));
        }
      }
    }
    return requests;
  }

  /**
   * Twice the length takes about twice the time, less where a thousand ranks have short blocks, and
   * not less than it must. Where cards are shared, long pipelines are prices of shorter ones.
   */
  @ParameterizedTest
  @EnumSource(mode = EnumSource.Mode.EXCLUDE, names = "BARRIER")
  void pricesGrowWithTheLength(Collective collective) {
    List<Request> longest = requests(collective, LONGEST);
    List<Request> halves = requests(collective, LONGEST / 2);
    for (int i = 0; i < longest.size(); i++) {
      Request request = longest.get(i);
      Selector selector = new Selector(MODEL);
      double bound = selector.bound(request);
      assertEquals(2, bound / selector.bound(halves.get(i)), 1e-6, request::toString);
      List<Candidate> half = selector.candidates(halves.get(i));
      for (Candidate candidate : selector.candidates(request)) {
        if (candidate.refusal() != null) {
          continue;
        }
        String what = candidate + " of " + request;
        assertTrue(candidate.nanos() >= (request.topology().isFlat() ? 1 : 0.98) * bound, what);
        assertTrue(candidate.bytesSent() > 0, what);
        assertTrue(candidate.bytesSent() < 100.0 * request.bytes(), what);
        assertTrue(candidate.blocks() >= 1 && candidate.rounds() >= 1, what);
        double before =
            half.stream()
                .filter(each -> each.algorithm().equals(candidate.algorithm()))
                .findAny()
                .orElseThrow()
                .nanos();
        assertEquals(2, candidate.nanos() / before, request.size() < 1000 ? 0.1 : 0.3, what);
      }
      assertEquals(selector.choose(request).algorithm().collective(), collective);
    }
  }

  /** The blocks into which a vector is cut follow each other and are all of it. */
  @ParameterizedTest
  @EnumSource(
      mode = EnumSource.Mode.EXCLUDE,
      names = {"BARRIER", "ALLTOALL"})
  void blocksAreTheWholeVector(Collective collective) {
    for (Request request : requests(collective, LONGEST)) {
      for (Algorithm algorithm : Algorithms.of(collective)) {
        Pricer pricer = new Pricer(MODEL, request);
        if (pricer.refusal(algorithm) != null || pricer.misfit(algorithm) != null) {
          continue;
        }
        Problem problem = pricer.unplacedPrice(algorithm).problem();
        Layout layout = Layout.even(LONGEST, 1, problem.blocks());
        int end = 0;
        for (int block = 0; block < problem.blocks(); block++) {
          assertEquals(end, layout.start(block));
          end = layout.end(block);
          assertTrue(layout.length(block) >= LONGEST / problem.blocks());
        }
        assertEquals(LONGEST, end);
      }
    }
  }

  /** One rank has nearly everything, the others an element each. */
  @Test
  void longPartsAreCut() {
    for (Collective collective : List.of(Collective.ALLGATHER, Collective.REDUCE_SCATTER)) {
      int size = 13;
      List<Integer> counts = new ArrayList<>(Collections.nCopies(size, 1));
      counts.set(3, LONGEST - (size - 1));
      long bytes = (long) Double.BYTES * LONGEST;
      Request request =
          new Request(collective, size, 0, false, LONGEST, bytes, null, Topology.FLAT)
              .withCounts(counts);
      Selector selector = new Selector(MODEL);
      Choice choice = selector.choose(request);
      assertEquals("pipelined-ring", choice.algorithm().slug());
      assertTrue(choice.nanos() >= selector.bound(request));
      assertTrue(choice.nanos() <= 1.3 * selector.bound(request), choice + "");
      Problem problem = choice.problem();
      BlockSizes sizes = BlockSizes.of(request, problem);
      BlockRange part = PartBounds.of(problem).of(3);
      double length = 0;
      for (int block = part.from(); block < part.to(); block++) {
        length += sizes.bytes(block);
      }
      assertEquals(8.0 * counts.get(3), length, 1e-6 * length);
    }
  }
}
