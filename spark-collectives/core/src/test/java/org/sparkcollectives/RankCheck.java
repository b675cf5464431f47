package org.sparkcollectives;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertSame;

import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;
import java.util.TreeSet;
import java.util.function.UnaryOperator;
import java.util.stream.DoubleStream;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.sparkcollectives.internal.algorithm.Algorithm;
import org.sparkcollectives.schedule.Collective;
import org.sparkcollectives.schedule.Problem;
import org.sparkcollectives.vector.ReduceOp;

/**
 * What one rank does to try an algorithm: runs it on arrays that every rank can compute, and holds
 * the result against a plain loop in rank order. Algorithms that keep order are tried with an
 * operator that does not commute; parts are of nearly equal lengths and of random ones, some 0.
 */
final class RankCheck {
  private static final long PRIME = 1_000_003;
  private static final int WIDTH = 2;

  /** x -> a·x + b modulo a prime, by pairs of a and b: exact, associative, not commutative. */
  static final ReduceOp<Object> AFFINE =
      ReduceOp.ofDoubleTuples(
          "composition",
          false,
          WIDTH,
          (l, i, r, j, out) -> {
            out[0] = mod(l[i] * r[j]);
            out[1] = mod(l[i] * r[j + 1] + l[i + 1]);
          });

  private final Communicator communicator;
  private final int rank;
  private final int size;
  private final int seed;

  RankCheck(Communicator communicator, int seed) {
    this.communicator = communicator;
    this.rank = communicator.rank();
    this.size = communicator.size();
    this.seed = seed;
  }

  private static double mod(double value) {
    return (long) value % PRIME;
  }

  /**
   * Tries an algorithm from the lowest, the middle and the highest root, as far as it accepts them.
   *
   * @return whether it accepts any; the same on all ranks
   */
  boolean check(Algorithm algorithm) {
    Collective collective = algorithm.collective();
    boolean ordered = collective.reducing() && algorithm.traits().keepsOrder();
    boolean ran = false;
    for (int root :
        collective.rooted() ? new TreeSet<>(List.of(0, size / 2, size - 1)) : List.of(0)) {
      int natural = Math.max(1, algorithm.naturalBlocks(size));
      int blocks =
          switch (collective) {
            case ALLTOALL -> size * size;
            case REDUCE_SCATTER, ALLGATHER, SCATTER, GATHER -> size;
            default -> natural;
          };
      Problem problem =
          new Problem(collective, size, root, blocks, ordered, communicator.topology());
      if (algorithm.refusal(problem) == null) {
        check(collective, algorithm.slug(), ordered, root);
        ran = true;
      }
    }
    return ran;
  }

  /** Tries an algorithm, or the library's choice for null. */
  void check(Collective collective, @Nullable String slug, boolean ordered, int root) {
    ReduceOp<Object> op = ordered ? AFFINE : ReduceOp.SUM;
    String what = collective + " by " + slug + ", rank " + rank + " of " + size + ", root " + root;
    switch (collective) {
      case BROADCAST -> {
        for (int length : lengths()) {
          double[] mine = rank == root ? values(root, length) : new double[length];
          assertArrayEquals(
              values(root, length), communicator.by(slug).broadcast(mine, root), what);
        }
      }
      case REDUCE -> {
        for (int length : lengths()) {
          double[] result = communicator.by(slug).reduce(values(rank, length), op, root);
          if (rank == root) {
            assertArrayEquals(combined(size, length, ordered), result, what);
          }
        }
      }
      case ALLREDUCE -> {
        for (int length : lengths()) {
          assertArrayEquals(
              combined(size, length, ordered),
              communicator.by(slug).allReduce(values(rank, length), op),
              what);
        }
      }
      case SCAN -> {
        for (int length : lengths()) {
          assertArrayEquals(
              combined(rank + 1, length, ordered),
              communicator.by(slug).scan(values(rank, length), op),
              what);
        }
      }
      case EXSCAN -> {
        for (int length : lengths()) {
          double[] prefix = communicator.by(slug).exscan(values(rank, length), op);
          if (rank > 0) {
            assertArrayEquals(combined(rank, length, ordered), prefix, what);
          }
        }
      }
      case REDUCE_SCATTER -> reduceScatter(op, ordered, slug, what);
      case ALLGATHER -> allGather(slug, what);
      case ALLTOALL -> allToAll(slug, what);
      case SCATTER -> scatter(slug, root, what);
      case GATHER -> gather(slug, root, what);
      case BARRIER -> communicator.by(slug).barrier();
    }
  }

  private int[] lengths() {
    return new int[] {WIDTH * (1 + seed), WIDTH * (2003 + 501 * seed)};
  }

  private void reduceScatter(
      ReduceOp<Object> op, boolean ordered, @Nullable String slug, String what) {
    int[] counts = counts(0, WIDTH);
    int length = sum(counts);
    double[] expected = combined(size, length, ordered);
    double[] mine = slice(expected, counts, rank);
    assertArrayEquals(
        mine, communicator.by(slug).reduceScatter(values(rank, length), op, counts), what);
    isWritten(
        mine,
        part -> communicator.by(slug).into(part).reduceScatter(values(rank, length), op, counts),
        what);
    double[] even = slice(expected, even(length, ordered ? WIDTH : 1), rank);
    assertArrayEquals(even, communicator.by(slug).reduceScatter(values(rank, length), op), what);
    isWritten(
        even,
        part -> communicator.by(slug).into(part).reduceScatter(values(rank, length), op),
        what);
  }

  private void allGather(@Nullable String slug, String what) {
    int[] counts = counts(0, 1);
    int equal = 4 * seed;
    double[] mine = values(rank, counts[rank]);
    double[] all = ofAll(r -> values(r, counts[r]));
    assertArrayEquals(all, communicator.by(slug).allGather(mine, counts), what);
    isWritten(all, whole -> communicator.by(slug).into(whole).allGather(mine, counts), what);
    assertArrayEquals(values(rank, counts[rank]), mine, what + " changes what it sends");
    double[] part = values(rank, equal);
    double[] parts = ofAll(r -> values(r, equal));
    assertArrayEquals(parts, communicator.by(slug).allGather(part), what);
    isWritten(parts, whole -> communicator.by(slug).into(whole).allGather(part), what);
  }

  private void allToAll(@Nullable String slug, String what) {
    int[] own = counts(rank, 1);
    double[] sent = values(rank, sum(own));
    assertArrayEquals(
        ofAll(s -> slice(values(s, sum(counts(s, 1))), counts(s, 1), rank)),
        communicator.by(slug).allToAll(sent, own),
        what);
    assertArrayEquals(values(rank, sum(own)), sent, what + " changes what it sends");
    int[] equal = new int[size];
    Arrays.fill(equal, 3 * seed);
    double[] mine = values(rank, sum(equal));
    double[] all = ofAll(s -> slice(values(s, sum(equal)), equal, rank));
    assertArrayEquals(all, communicator.by(slug).allToAll(mine), what);
    isWritten(all, received -> communicator.by(slug).into(received).allToAll(mine), what);
    assertArrayEquals(values(rank, sum(equal)), mine, what + " changes what it sends");
  }

  private void scatter(@Nullable String slug, int root, String what) {
    int[] counts = counts(root, 1);
    double[] all = values(root, sum(counts));
    double[] mine = rank == root ? all.clone() : null;
    assertArrayEquals(
        slice(all, counts, rank),
        communicator.by(slug).scatter(mine, rank == root ? counts : null, root),
        what);
    assertArrayEquals(
        slice(all, even(all.length, 1), rank), communicator.by(slug).scatter(mine, root), what);
    if (mine != null) {
      assertArrayEquals(all, mine, what + " changes what it sends");
    }
  }

  private void gather(@Nullable String slug, int root, String what) {
    int[] counts = counts(root, 1);
    double[] part = values(rank, counts[rank]);
    double[] whole = communicator.by(slug).gather(part, rank == root ? counts : null, root);
    double[] equal = communicator.by(slug).gather(values(rank, 2), root);
    assertArrayEquals(values(rank, counts[rank]), part, what + " changes what it sends");
    if (rank == root) {
      assertNotNull(whole, what);
      assertArrayEquals(ofAll(r -> values(r, counts[r])), whole, what);
      assertArrayEquals(ofAll(r -> values(r, 2)), equal, what);
    } else {
      assertNull(whole, what);
      assertNull(equal, what);
    }
  }

  /** Whether an operation writes all of the array given, whatever it holds, and returns it. */
  private static void isWritten(double[] expected, UnaryOperator<double[]> operation, String what) {
    double[] target = new double[expected.length];
    for (int use = 0; use < 2; use++) {
      Arrays.fill(target, Double.NaN);
      assertSame(target, operation.apply(target), what);
      assertArrayEquals(expected, target, what);
    }
  }

  // ---- data and plain loops --------------------------------------------------------------------

  private double[] values(int of, int length) {
    return new SplittableRandom(1000L * seed + of)
        .longs(length, 1, PRIME)
        .asDoubleStream()
        .toArray();
  }

  /** The values of ranks 0 to {@code ranks - 1}, combined in this order. */
  private double[] combined(int ranks, int length, boolean ordered) {
    double[] left = values(0, length);
    for (int r = 1; r < ranks; r++) {
      double[] right = values(r, length);
      for (int i = 0; i < length; i += ordered ? WIDTH : 1) {
        if (ordered) {
          left[i + 1] = mod(left[i] * right[i + 1] + left[i + 1]);
          left[i] = mod(left[i] * right[i]);
        } else {
          left[i] += right[i];
        }
      }
    }
    return left;
  }

  /** Lengths of parts for all ranks, multiples of a width. */
  private int[] counts(int of, int width) {
    SplittableRandom random = new SplittableRandom(77L * seed + of);
    return IntStream.range(0, size).map(r -> Math.max(0, random.nextInt(-3, 9)) * width).toArray();
  }

  private int[] even(int length, int width) {
    int tuples = length / width;
    return IntStream.range(0, size)
        .map(r -> ((r + 1) * tuples / size - r * tuples / size) * width)
        .toArray();
  }

  private static int sum(int[] counts) {
    return Arrays.stream(counts).sum();
  }

  private static double[] slice(double[] all, int[] counts, int part) {
    int from = Arrays.stream(counts).limit(part).sum();
    return Arrays.copyOfRange(all, from, from + counts[part]);
  }

  private interface PartOf {
    double[] of(int rank);
  }

  private double[] ofAll(PartOf part) {
    return IntStream.range(0, size)
        .boxed()
        .flatMapToDouble(r -> DoubleStream.of(part.of(r)))
        .toArray();
  }
}
