package org.sparkcollectives;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.SplittableRandom;
import java.util.function.IntUnaryOperator;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import org.sparkcollectives.internal.algorithm.Algorithm;
import org.sparkcollectives.internal.algorithm.Algorithms;
import org.sparkcollectives.vector.ReduceOp;

/**
 * What one rank does to try communicators that are split off others: runs every algorithm on
 * disjoint communicators at once, each with data of its own and in a sequence of its own, and goes
 * to and fro between communicators that share ranks.
 */
final class SplitCheck {
  private static final int STEPS = 60;

  private final Communicator world;
  private final int rank;
  private final int size;

  SplitCheck(Communicator world) {
    this.world = world;
    this.rank = world.rank();
    this.size = world.size();
  }

  /**
   * The communicator of this rank's colour, after a look at who is in it.
   *
   * @param colour the colour of each rank, none negative
   * @param key the key of each rank
   */
  Communicator split(IntUnaryOperator colour, IntUnaryOperator key) {
    Communicator part = world.split(colour.applyAsInt(rank), key.applyAsInt(rank));
    assertNotNull(part);
    List<Integer> members = new ArrayList<>();
    for (int r = 0; r < size; r++) {
      if (colour.applyAsInt(r) == colour.applyAsInt(rank)) {
        members.add(r);
      }
    }
    members.sort((a, b) -> Integer.compare(key.applyAsInt(a), key.applyAsInt(b)));
    assertEquals(members.size(), part.size());
    assertEquals(members.indexOf(rank), part.rank());
    int[] found = part.allGather(new int[] {rank});
    assertArrayEquals(members.stream().mapToInt(Integer::intValue).toArray(), found);
    for (int r = 0; r < part.size(); r++) {
      for (int other = 0; other < part.size(); other++) {
        assertEquals(
            world.topology().level(found[r], found[other]), part.topology().level(r, other));
      }
    }
    return part;
  }

  /** Runs every algorithm on the communicators of a split at once. */
  void everyAlgorithm(IntUnaryOperator colour, IntUnaryOperator key) {
    int own = colour.applyAsInt(rank);
    try (Communicator part = split(colour, key)) {
      List<Algorithm> algorithms = new ArrayList<>(Algorithms.all());
      Collections.rotate(algorithms, 7 * own);
      RankCheck check = new RankCheck(part, 1 + own % 3);
      for (Algorithm algorithm : algorithms) {
        check.check(algorithm);
      }
      for (int i = 0; i < own; i++) {
        part.barrier(); // so that they have done different numbers of operations
      }
    }
    assertEquals(size, world.allReduce(new int[] {1}, ReduceOp.SUM)[0]);
  }

  /** Goes to and fro between communicators that share ranks, in a sequence that all know. */
  void toAndFro() {
    Communicator odd = split(r -> r % 2, r -> r);
    Communicator backwards = split(r -> 0, r -> -r);
    Communicator twin = world.dup();
    Communicator nested = odd.split(odd.rank() / 2, -odd.rank());
    assertNotNull(nested);
    Communicator twinOfNested = nested.dup();
    List<Communicator> all = List.of(world, odd, backwards, twin, nested, twinOfNested);
    SplittableRandom random = new SplittableRandom(size);
    for (int step = 0; step < STEPS; step++) {
      int which = random.nextInt(all.size());
      long value = random.nextInt(1000);
      Communicator one = all.get(which);
      String what = "step " + step + " on communicator " + which + " of rank " + rank;
      long[] ranks = LongStream.range(0, one.size()).toArray();
      switch (step % 4) {
        case 0 -> assertArrayEquals(ranks, one.allGather(new long[] {one.rank()}), what);
        case 1 -> {
          long[] sum = one.scan(new long[] {value + one.rank()}, ReduceOp.SUM);
          int before = one.rank() + 1;
          assertEquals(value * before + (long) before * one.rank() / 2, sum[0], what);
        }
        case 2 -> {
          int root = step % one.size();
          long[] sent = {one.rank() == root ? value : -1};
          assertEquals(value, one.broadcast(sent, root)[0], what);
        }
        default -> {
          List<Integer> receivers = IntStream.range(0, one.size()).boxed().toList();
          List<Integer> got = one.objects().allToAll(receivers);
          assertEquals(Collections.nCopies(one.size(), one.rank()), got, what);
        }
      }
    }
    all.subList(1, all.size()).forEach(Communicator::close);
    world.barrier();
  }

  /** Some ranks are in no new communicator, and the others do without them. */
  void someInNone() {
    Communicator upper = world.split(rank < size / 2 ? -1 : 3, 0);
    if (rank < size / 2) {
      assertNull(upper);
    } else {
      assertNotNull(upper);
      long[] sum = upper.allReduce(new long[] {rank}, ReduceOp.SUM);
      assertEquals(IntStream.range(size / 2, size).sum(), sum[0]);
      upper.close();
    }
    world.barrier();
  }
}
