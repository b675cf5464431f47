package org.sparkcollectives.internal.select;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.sparkcollectives.CommunicatorOptions;
import org.sparkcollectives.Group;
import org.sparkcollectives.cost.CostModel;
import org.sparkcollectives.cost.LevelCost;
import org.sparkcollectives.internal.algorithm.Algorithm;
import org.sparkcollectives.internal.algorithm.Algorithms;
import org.sparkcollectives.internal.algorithm.Traits;
import org.sparkcollectives.schedule.BlockRange;
import org.sparkcollectives.schedule.Collective;
import org.sparkcollectives.schedule.Combine;
import org.sparkcollectives.schedule.Copy;
import org.sparkcollectives.schedule.LocalStep;
import org.sparkcollectives.schedule.Piece;
import org.sparkcollectives.schedule.Problem;
import org.sparkcollectives.schedule.Receive;
import org.sparkcollectives.schedule.Round;
import org.sparkcollectives.schedule.Schedule;
import org.sparkcollectives.schedule.Topology;
import org.sparkcollectives.select.Policy;
import org.sparkcollectives.select.Request;
import org.sparkcollectives.vector.ReduceOp;

class ReproducibleTest {
  private static final Policy REPRODUCIBLE = Policy.DEFAULT.withReproducible(true);
  private static final List<Collective> REDUCING =
      Arrays.stream(Collective.values()).filter(Collective::reducing).toList();

  @Test
  void oneAlgorithmServesEverySizeAndEveryProfile() {
    CostModel slow = CostModel.uniform(new LevelCost(1e6, 100), 1);
    for (Collective collective : REDUCING) {
      for (boolean ordered : new boolean[] {false, true}) {
        for (int size : new int[] {2, 3, 8, 13, 100}) {
          Set<String> slugs = new HashSet<>();
          for (long bytes : new long[] {0, 8, 4096, 1 << 20, 1 << 30}) {
            Request request = Request.of(collective, size, bytes, ordered, Topology.FLAT);
            Choice choice = new Selector(REPRODUCIBLE).choose(request);
            slugs.add(choice.algorithm().slug());
            Choice elsewhere = new Selector(REPRODUCIBLE.withModel(slow)).choose(request);
            assertEquals(choice.problem(), elsewhere.problem());
            assertEquals(choice.algorithm(), elsewhere.algorithm());
          }
          assertEquals(1, slugs.size(), collective + " " + slugs);
        }
      }
    }
  }

  @Test
  void blocksAreOfOneLengthUpToTheMostBlocks() {
    int length = Reproducible.BLOCK_BYTES;
    assertEquals(1, blocks(0));
    assertEquals(1, blocks(length));
    assertEquals(2, blocks(length + 1L));
    assertEquals(BlockSearch.MOST_BLOCKS, blocks((long) length * BlockSearch.MOST_BLOCKS));
    assertEquals(BlockSearch.MOST_BLOCKS, blocks(Long.MAX_VALUE));
  }

  private static int blocks(long bytes) {
    return Reproducible.blocks(Request.of(Collective.ALLREDUCE, 8, bytes, true, Topology.FLAT));
  }

  @Test
  void ranksSendAndReceiveAtOnce() {
    for (Collective collective : REDUCING) {
      Algorithm algorithm = Algorithms.find(collective, Reproducible.slug(collective));
      assertFalse(algorithm.traits().has(Traits.Feature.SIMPLEX), algorithm::toString);
    }
  }

  @Test
  void scansCombineByTheExpressionsOfTheTreeThatGoesUpFirst() {
    for (Collective collective : List.of(Collective.SCAN, Collective.EXSCAN)) {
      Algorithm both = Algorithms.find(collective, Reproducible.slug(collective));
      Algorithm upFirst = Algorithms.find(collective, "pipelined-binary-tree");
      for (int size = 2; size <= 33; size++) {
        Problem problem = new Problem(collective, size, 0, 5, true);
        Map<String, Set<String>> expected = new HashMap<>();
        Map<String, Set<String>> expressions = new HashMap<>();
        collect(upFirst, problem, expected);
        collect(both, problem, expressions);
        assertEquals(expected, expressions, problem::toString);
      }
    }
  }

  @Test
  void everyBlockIsCombinedByTheSameExpression() {
    for (Collective collective : REDUCING) {
      Algorithm algorithm = Algorithms.find(collective, Reproducible.slug(collective));
      for (boolean ordered : new boolean[] {false, true}) {
        for (int size = 2; size <= 17; size++) {
          for (int root = 0; root < (collective.rooted() ? size : 1); root++) {
            Map<String, Set<String>> expressions = new HashMap<>();
            List<Integer> counts =
                collective == Collective.REDUCE_SCATTER
                    ? List.of(size)
                    : List.of(1, 2, 5, 2 * size + 1);
            for (int blocks : counts) {
              collect(algorithm, new Problem(collective, size, root, blocks, ordered), expressions);
            }
            String what = collective + ", " + size + " ranks, root " + root + ", " + ordered;
            assertTrue(expressions.size() > 0, what);
            expressions.forEach((rank, set) -> assertEquals(1, set.size(), () -> what + set));
          }
        }
      }
    }
  }

  /** Executes schedules with expressions in place of values and collects the results by rank. */
  private static void collect(
      Algorithm algorithm, Problem problem, Map<String, Set<String>> expressions) {
    List<Schedule> schedules = new ArrayList<>();
    List<Map<String, String>> slots = new ArrayList<>();
    int rounds = 0;
    for (int rank = 0; rank < problem.size(); rank++) {
      Schedule schedule = algorithm.executed(problem, rank);
      schedules.add(schedule);
      rounds = Math.max(rounds, schedule.rounds().size());
      slots.add(new HashMap<>());
      for (int block = 0; block < problem.blocks(); block++) {
        slots.get(rank).put("0/" + block, String.valueOf(rank));
      }
    }
    for (int round = 0; round < rounds; round++) {
      step(schedules, slots, round);
    }
    for (int rank = 0; rank < problem.size(); rank++) {
      boolean all = problem.collective() != Collective.REDUCE_SCATTER;
      if (problem.collective() == Collective.REDUCE && rank != problem.root()) {
        continue;
      }
      BlockRange blocks = all ? new BlockRange(0, problem.blocks()) : schedules.get(rank).owned();
      String key = all ? "rank " + rank : "any";
      for (int block = blocks.from(); block < blocks.to(); block++) {
        expressions
            .computeIfAbsent(key, each -> new HashSet<>())
            .add(slots.get(rank).get("0/" + block));
      }
    }
  }

  private static void step(List<Schedule> schedules, List<Map<String, String>> slots, int round) {
    List<Map<String, String>> before = slots.stream().map(m -> Map.copyOf(m)).toList();
    for (int rank = 0; rank < schedules.size(); rank++) {
      List<Round> all = schedules.get(rank).rounds();
      Round now = round < all.size() ? all.get(round) : Round.IDLE;
      Map<String, String> own = slots.get(rank);
      Receive receive = now.receive();
      if (receive != null) {
        List<Piece> sent = schedules.get(receive.peer()).rounds().get(round).send().pieces();
        for (int i = 0; i < sent.size(); i++) {
          BlockRange range = sent.get(i).blocks();
          for (int block = range.from(); block < range.to(); block++) {
            own.put(
                receive.pieces().get(i).slot() + "/" + block,
                before.get(receive.peer()).get(sent.get(i).slot() + "/" + block));
          }
        }
      }
      for (LocalStep local : now.local()) {
        for (int block = local.blocks().from(); block < local.blocks().to(); block++) {
          String value =
              local instanceof Combine c
                  ? "("
                      + own.get(c.left() + "/" + block)
                      + "+"
                      + own.get(c.right() + "/" + block)
                      + ")"
                  : own.get(((Copy) local).src() + "/" + block);
          own.put(local.dst() + "/" + block, value);
        }
      }
    }
  }

  @Test
  void aVectorAndItsPartsHaveTheSameBits() {
    int length = 20_000;
    CommunicatorOptions options = CommunicatorOptions.DEFAULT.withPolicy(REPRODUCIBLE);
    for (int size : new int[] {3, 6, 8}) {
      List<double[][]> results =
          Group.threads(
              size,
              options,
              communicator -> {
                double[] values =
                    new SplittableRandom(communicator.rank()).doubles(length, -1e9, 1e9).toArray();
                double[] parts = new double[length];
                int from = 0;
                for (int next : new int[] {1, 7, 5000, 5001, length}) {
                  double[] part = Arrays.copyOfRange(values, from, next);
                  communicator.allReduce(part, ReduceOp.SUM);
                  System.arraycopy(part, 0, parts, from, part.length);
                  from = next;
                }
                double[] scanned = values.clone();
                double[] last = Arrays.copyOfRange(values, length - 3, length);
                communicator.scan(scanned, ReduceOp.SUM);
                communicator.scan(last, ReduceOp.SUM);
                assertArrayEquals(Arrays.copyOfRange(scanned, length - 3, length), last, 0);
                communicator.allReduce(values, ReduceOp.SUM);
                return new double[][] {values, parts};
              });
      for (double[][] result : results) {
        assertArrayEquals(result[0], result[1], 0);
      }
    }
  }
}
