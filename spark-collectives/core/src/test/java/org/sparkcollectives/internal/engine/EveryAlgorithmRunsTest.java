package org.sparkcollectives.internal.engine;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;
import java.util.function.IntFunction;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;
import org.sparkcollectives.internal.algorithm.Algorithm;
import org.sparkcollectives.internal.algorithm.Algorithms;
import org.sparkcollectives.internal.conformance.Sweep;
import org.sparkcollectives.internal.transport.ring.MemoryMesh;
import org.sparkcollectives.internal.vector.JavaCodec;
import org.sparkcollectives.internal.vector.ObjectVector;
import org.sparkcollectives.internal.vector.Vector;
import org.sparkcollectives.schedule.BlockRange;
import org.sparkcollectives.schedule.Collective;
import org.sparkcollectives.schedule.Problem;
import org.sparkcollectives.transport.Cancellation;
import org.sparkcollectives.transport.Deadline;
import org.sparkcollectives.transport.Transport;
import org.sparkcollectives.vector.ReduceOp;

/**
 * Every registered algorithm, run by the engine on numbers, on tuples with an operator that does
 * not commute, and on objects; compared with a plain loop in rank order.
 */
class EveryAlgorithmRunsTest {

  /** 2×2 matrices by rows; positive entries below 2^53, so that doubles are exact. */
  private static final ReduceOp<Object> MATRIX_PRODUCT =
      ReduceOp.ofDoubleTuples(
          "2x2 product",
          false,
          4,
          (l, i, r, j, out) -> {
            out[0] = l[i] * r[j] + l[i + 1] * r[j + 2];
            out[1] = l[i] * r[j + 1] + l[i + 1] * r[j + 3];
            out[2] = l[i + 2] * r[j] + l[i + 3] * r[j + 2];
            out[3] = l[i + 2] * r[j + 1] + l[i + 3] * r[j + 3];
          });

  /** Combines sets of ranks, each a bit; what comes twice changes nothing. */
  private static final ReduceOp<Object> UNION = ReduceOp.ofLong("union", true, (l, r) -> l | r);

  /** Elements of a block that is long where one element may go ahead. */
  private static final int LONG_BLOCK = 5;

  private static final int TINY_BUFFER_BYTES = 16;

  private static final int TINY_BLOCKS = 7;

  private static final ReduceOp<String> CONCATENATION =
      ReduceOp.ofObjects("concatenation", false, String::concat);

  @TestFactory
  Stream<DynamicTest> everyAlgorithm() {
    return Algorithms.all().stream()
        .map(
            a ->
                DynamicTest.dynamicTest(
                    a.collective().slug() + " " + a.slug(),
                    () -> {
                      for (int atLeast : new int[] {1, 2, 3, 4, 5, 7, 8, 13}) {
                        Problem example = Sweep.example(a, atLeast);
                        int size = example.size();
                        for (int blocks : blocks(a.collective(), size)) {
                          for (int root : roots(a.collective(), size)) {
                            Problem problem =
                                new Problem(a.collective(), size, root, blocks, false)
                                    .on(example.topology());
                            if (a.refusal(problem) == null) {
                              check(a, problem);
                            }
                          }
                        }
                      }
                    }));
  }

  /**
   * Links that hold 1 or 40 bytes, rings of 1 and 32, and buffers of two elements: if a schedule
   * needed buffers, it would not end.
   */
  @TestFactory
  Stream<DynamicTest> withHardlyAnyBuffers() {
    long seed = Long.getLong("test.seed", System.nanoTime());
    return Algorithms.all().stream()
        .map(
            a ->
                DynamicTest.dynamicTest(
                    a.collective().slug() + " " + a.slug() + " -Dtest.seed=" + seed,
                    () -> {
                      for (int size : new int[] {2, 5, 8}) {
                        for (int capacity : new int[] {1, 40}) {
                          checkTiny(a, size, ranks -> TinyMesh.create(ranks, capacity, seed));
                        }
                        for (int ring : new int[] {1, 32}) {
                          checkTiny(a, size, ranks -> MemoryMesh.create(ranks, ring));
                        }
                      }
                    }));
  }

  /** Of the smallest size from one on that the algorithm takes, so that each is run. */
  static void checkTiny(Algorithm algorithm, int atLeast, IntFunction<List<Transport>> mesh)
      throws Exception {
    Problem example = Sweep.example(algorithm, atLeast);
    int size = example.size();
    if (algorithm.collective() == Collective.BARRIER) {
      checkBarrier(algorithm, example, mesh);
      return;
    }
    Problem problem = tiny(algorithm, example);
    assertNull(algorithm.refusal(problem), algorithm + " for " + problem);
    int elements = LONG_BLOCK * problem.blocks();
    List<long[]> small =
        Ranks.run(
            mesh.apply(size),
            t -> {
              Engine engine = Engines.plain(TINY_BUFFER_BYTES, 1);
              long[] own = numbers(t.rank(), elements);
              return runOne(engine, algorithm, Pace.ROUNDS, problem, ReduceOp.SUM, t, own);
            });
    List<long[]> large = run(algorithm, problem, ReduceOp.SUM, r -> numbers(r, elements));
    int[] blocksOf = blocksOf(problem, elements);
    BlockRange[] owned = owned(algorithm, problem);
    for (int r = 0; r < size; r++) {
      for (int i = 0; i < elements; i++) {
        if (defined(problem, owned, r, blocksOf[i])) {
          assertEquals(large.get(r)[i], small.get(r)[i], algorithm + " rank " + r);
        }
      }
    }
  }

  /** An example in 7 blocks, or so many more that each rank has as many where that is needed. */
  private static Problem tiny(Algorithm algorithm, Problem example) {
    int size = example.size();
    if (example.collective() == Collective.ALLTOALL) {
      return unordered(example, size * size);
    }
    Problem problem = unordered(example, TINY_BLOCKS);
    return algorithm.refusal(problem) == null
        ? problem
        : unordered(example, (TINY_BLOCKS + size - 1) / size * size);
  }

  private static Problem unordered(Problem example, int blocks) {
    return new Problem(example.collective(), example.size(), 0, blocks, false, example.topology());
  }

  /**
   * A barrier's messages, which are empty, and the same messages with the ranks in them that their
   * sender has heard of: nobody leaves before it has heard of all.
   */
  private static void checkBarrier(
      Algorithm barrier, Problem example, IntFunction<List<Transport>> mesh) throws Exception {
    int size = example.size();
    Problem problem = unordered(example, 1);
    Ranks.run(
        mesh.apply(size),
        t -> {
          Engine engine = Engines.plain(TINY_BUFFER_BYTES, 1);
          return runOne(engine, barrier, Pace.EXCHANGES, problem, null, t, new byte[0]);
        });
    List<long[]> heard =
        Ranks.run(
            mesh.apply(size),
            t -> {
              Engine engine = Engines.plain(TINY_BUFFER_BYTES, 1);
              long[] own = new long[LONG_BLOCK];
              Arrays.fill(own, 1L << t.rank());
              return runOne(engine, barrier, Pace.EXCHANGES, problem, UNION, t, own);
            });
    long[] all = new long[LONG_BLOCK];
    Arrays.fill(all, (1L << size) - 1);
    for (int rank = 0; rank < size; rank++) {
      assertArrayEquals(all, heard.get(rank), barrier + " rank " + rank);
    }
  }

  private static int[] blocks(Collective collective, int size) {
    return collective == Collective.ALLTOALL
        ? new int[] {size * size}
        : new int[] {1, 2, 5, size, 3 * size + 1};
  }

  private static int[] roots(Collective collective, int size) {
    return collective.rooted() ? new int[] {0, size / 2, size - 1} : new int[] {0};
  }

  private static void check(Algorithm algorithm, Problem problem) throws Exception {
    Collective collective = algorithm.collective();
    if (collective == Collective.BARRIER) {
      run(algorithm, problem.withBlocks(1), null, r -> new byte[0]);
      return;
    }
    String label = algorithm + " for " + problem;
    int elements = 3 * problem.blocks() + 1;
    ReduceOp<?> sum = collective.reducing() ? ReduceOp.SUM : null;
    List<long[]> results = run(algorithm, problem, sum, r -> numbers(r, elements));
    int[] blocksOf = blocksOf(problem, elements);
    BlockRange[] owned = owned(algorithm, problem);
    long[][] inputs = new long[problem.size()][];
    for (int r = 0; r < inputs.length; r++) {
      inputs[r] = numbers(r, elements);
    }
    for (int r = 0; r < problem.size(); r++) {
      String where = label + " rank " + r;
      for (int i = 0; i < elements; i++) {
        if (defined(problem, owned, r, blocksOf[i])) {
          long expected = expected(problem, owned, inputs, r, i, blocksOf[i]);
          assertEquals(expected, results.get(r)[i], where);
        }
      }
    }
    if (collective.reducing() && algorithm.traits().keepsOrder()) {
      Problem ordered =
          new Problem(
              collective,
              problem.size(),
              problem.root(),
              problem.blocks(),
              true,
              problem.topology());
      if (algorithm.refusal(ordered) == null) {
        checkOrdered(algorithm, ordered, label);
      }
    }
  }

  /** The block of each element. */
  private static int[] blocksOf(Problem problem, int elements) {
    Layout layout = Layout.even(elements, 1, problem.blocks());
    int[] blocks = new int[elements];
    int block = 0;
    for (int i = 0; i < elements; i++) {
      while (layout.end(block) <= i) {
        block++;
      }
      blocks[i] = block;
    }
    return blocks;
  }

  /** The part of each rank. */
  private static BlockRange[] owned(Algorithm algorithm, Problem problem) {
    BlockRange[] owned = new BlockRange[problem.size()];
    for (int rank = 0; rank < owned.length; rank++) {
      owned[rank] = algorithm.schedule(problem, rank).owned();
    }
    return owned;
  }

  private static boolean has(BlockRange range, int block) {
    return range.from() <= block && block < range.to();
  }

  /** Whether the collective says what a block of a rank's vector is at the end. */
  private static boolean defined(Problem problem, BlockRange[] owned, int rank, int block) {
    return switch (problem.collective()) {
      case REDUCE, GATHER -> rank == problem.root();
      case EXSCAN -> rank > 0;
      case REDUCE_SCATTER, SCATTER -> has(owned[rank], block);
      case ALLTOALL -> block % problem.size() == rank;
      default -> true;
    };
  }

  private static long expected(
      Problem problem, BlockRange[] owned, long[][] inputs, int rank, int element, int block) {
    switch (problem.collective()) {
      case BROADCAST, SCATTER -> {
        return inputs[problem.root()][element];
      }
      case ALLTOALL -> {
        return inputs[block / problem.size()][element];
      }
      case ALLGATHER, GATHER -> {
        int owner = 0;
        while (!has(owned[owner], block)) {
          owner++;
        }
        return inputs[owner][element];
      }
      default -> {
        long sum = 0;
        for (int s = 0; s < until(problem.collective(), rank, problem.size()); s++) {
          sum += inputs[s][element];
        }
        return sum;
      }
    }
  }

  private static void checkOrdered(Algorithm algorithm, Problem problem, String label)
      throws Exception {
    int size = problem.size();
    int tuples = 2 * problem.blocks() + 1;
    List<double[]> products = run(algorithm, problem, MATRIX_PRODUCT, r -> matrices(r, tuples));
    List<String[]> words = runWords(algorithm, problem);
    int[] blocksOf = blocksOf(problem, tuples);
    BlockRange[] owned = owned(algorithm, problem);
    for (int r = 0; r < size; r++) {
      String where = label + " rank " + r;
      double[] expected = matrices(0, tuples);
      String[] text = words(0, problem.blocks());
      for (int s = 1; s < until(problem.collective(), r, size); s++) {
        Vector v = Vector.of(expected);
        v.combine(MATRIX_PRODUCT, v, 0, Vector.of(matrices(s, tuples)), 0, 0, 4 * tuples);
        String[] more = words(s, problem.blocks());
        for (int i = 0; i < text.length; i++) {
          text[i] += more[i];
        }
      }
      for (int i = 0; i < tuples; i++) {
        for (int j = 4 * i; defined(problem, owned, r, blocksOf[i]) && j < 4 * i + 4; j++) {
          assertEquals(expected[j], products.get(r)[j], where);
        }
      }
      for (int i = 0; i < text.length; i++) {
        if (defined(problem, owned, r, i)) {
          assertEquals(text[i], words.get(r)[i], where);
        }
      }
    }
  }

  /** One past the last rank whose contribution rank {@code r} gets. */
  private static int until(Collective collective, int r, int size) {
    return switch (collective) {
      case SCAN -> r + 1;
      case EXSCAN -> r;
      default -> size;
    };
  }

  private static long[] numbers(int rank, int elements) {
    return new SplittableRandom(31 + rank).longs(elements).toArray();
  }

  private static double[] matrices(int rank, int tuples) {
    return new SplittableRandom(77 + rank).ints(4L * tuples, 1, 4).asDoubleStream().toArray();
  }

  private static String[] words(int rank, int count) {
    SplittableRandom random = new SplittableRandom(99 + rank);
    String[] words = new String[count];
    for (int i = 0; i < count; i++) {
      words[i] = Integer.toString(random.nextInt(36 * 36), 36) + "/";
    }
    return words;
  }

  private interface Data<V> {
    V of(int rank);
  }

  private static <V> List<V> run(Algorithm a, Problem problem, ReduceOp<?> op, Data<V> data)
      throws Exception {
    return Ranks.run(
        problem.size(),
        t -> runOne(Engines.plain(), a, Pace.FREE, problem, op, t, data.of(t.rank())));
  }

  private static <V> V runOne(
      Engine engine,
      Algorithm a,
      Pace pace,
      Problem problem,
      ReduceOp<?> op,
      Transport transport,
      V value) {
    Program program = Program.compile(a.executed(problem, transport.rank()), pace);
    engine.run(
        new Operation(
            program,
            Vector.of(value),
            op,
            1,
            transport,
            Deadline.after(Duration.ofSeconds(30)),
            Cancellation.NONE));
    return value;
  }

  private static List<String[]> runWords(Algorithm a, Problem problem) throws Exception {
    List<List<String>> results =
        Ranks.run(
            problem.size(),
            transport -> {
              Object[] value = words(transport.rank(), problem.blocks());
              Object[] objects = new Object[value.length];
              System.arraycopy(value, 0, objects, 0, value.length);
              ObjectVector vector = new ObjectVector(objects, new JavaCodec());
              Program program = Program.compile(a.executed(problem, transport.rank()));
              Engines.plain()
                  .run(
                      new Operation(
                          program,
                          vector,
                          CONCATENATION,
                          1,
                          transport,
                          Deadline.after(Duration.ofSeconds(30)),
                          Cancellation.NONE));
              List<String> out = new ArrayList<>();
              for (int i = 0; i < objects.length; i++) {
                out.add((String) vector.get(i));
              }
              return out;
            });
    assertEquals(problem.size(), results.size());
    return results.stream().map(l -> l.toArray(new String[0])).toList();
  }
}
