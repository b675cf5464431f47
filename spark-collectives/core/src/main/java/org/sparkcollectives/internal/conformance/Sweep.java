package org.sparkcollectives.internal.conformance;

import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.IntFunction;
import java.util.function.IntUnaryOperator;
import java.util.stream.IntStream;
import org.sparkcollectives.internal.algorithm.Algorithm;
import org.sparkcollectives.internal.algorithm.Traits;
import org.sparkcollectives.internal.shape.Powers;
import org.sparkcollectives.schedule.Collective;
import org.sparkcollectives.schedule.Problem;
import org.sparkcollectives.schedule.Topology;

/** The problems that every algorithm is verified on. */
public final class Sweep {
  /** Up to this size every root is taken with every number of blocks. */
  public static final int MANY_BLOCKS = 16;

  /** Up to this size hosts are in racks, too. */
  private static final int MOST_IN_RACKS = 20;

  /** Up to this size every root is taken with 2 and p+1 blocks, above with 2. */
  public static final int SOME_BLOCKS = 40;

  private Sweep() {}

  /**
   * The problems of one size: every root, 1, 2, p-1, p, p+1 and 7p+3 blocks, with and without order
   * where the collective combines in an order that may differ, and several topologies where hosts
   * matter. Of more than {@link #MANY_BLOCKS} ranks only five roots (the first two, the middle one
   * and the last two) come with all numbers of blocks, the others with 2 and p+1; of more than
   * {@link #SOME_BLOCKS} the others come with 2, and 7p+3 with one of the five, which changes from
   * size to size. Ranks that share hosts count twice for these bounds. An alltoall has p² blocks.
   *
   * @param algorithm the algorithm to verify
   * @param size p, the number of ranks
   * @return the problems that it accepts
   */
  public static List<Problem> problems(Algorithm algorithm, int size) {
    Collective collective = algorithm.collective();
    boolean keepsOrder = algorithm.traits().keepsOrder();
    List<Problem> problems = new ArrayList<>();
    for (Topology topology : topologies(algorithm, size)) {
      int weight = topology.isFlat() ? size : 2 * size;
      for (int root = 0; root < (collective.rooted() ? size : 1); root++) {
        for (int blocks : blocks(collective, size)) {
          if (!isTaken(root, blocks, size, weight)) {
            continue;
          }
          Problem ordered = new Problem(collective, size, root, blocks, true, topology);
          Problem unordered = new Problem(collective, size, root, blocks, false, topology);
          boolean inOrder = keepsOrder && algorithm.refusal(ordered) == null;
          if (inOrder) {
            problems.add(ordered);
          }
          if ((!inOrder || ordersDiffer(collective)) && algorithm.refusal(unordered) == null) {
            problems.add(unordered);
          }
        }
      }
    }
    return problems;
  }

  /**
   * Problems of one size whose parts have different numbers of blocks: one or all but one with
   * everything, growing ones, and two kinds of mixtures; on hosts of one rank, of three, and mixed.
   *
   * @param algorithm the algorithm to verify
   * @param size p, the number of ranks
   * @return the problems, none if the algorithm knows no such parts
   */
  public static List<Problem> unevenProblems(Algorithm algorithm, int size) {
    List<Problem> problems = new ArrayList<>();
    if (!algorithm.traits().has(Traits.Feature.UNEVEN)) {
      return problems;
    }
    List<IntUnaryOperator> lengths =
        List.of(
            rank -> rank == 0 ? 5 : 0,
            rank -> rank == size - 1 ? size + 2 : 1,
            rank -> rank == size / 2 ? 0 : 2,
            rank -> rank,
            rank -> size - rank,
            rank -> rank * rank % 5,
            rank -> 1 << rank * 7 % 4);
    for (IntUnaryOperator length : lengths) {
      List<Integer> parts = IntStream.range(0, size).map(length).boxed().toList();
      if (parts.stream().mapToInt(Integer::intValue).sum() == 0) {
        continue;
      }
      for (Topology topology : topologies(algorithm, size)) {
        Problem problem =
            new Problem(algorithm.collective(), size, 0, 1, false, topology).withParts(parts);
        if (algorithm.refusal(problem) == null) {
          problems.add(problem);
        }
      }
    }
    return problems;
  }

  /**
   * Whether an algorithm of a collective may have other schedules when rank order need not be kept.
   * Where it does not, because nothing is combined or every rank's result is a prefix, the problem
   * in order stands for both.
   *
   * @param collective the collective
   * @return true for reductions whose result is that of all ranks
   */
  public static boolean ordersDiffer(Collective collective) {
    return collective.reducing() && !collective.prefix();
  }

  /**
   * One typical problem of an algorithm: natural blocks or else 4, root 0, in order if it keeps
   * order, three ranks to a host if hosts matter to it, and four blocks on rank 1 if parts may have
   * different numbers of blocks.
   *
   * @param algorithm the algorithm
   * @param atLeast the smallest number of ranks
   * @return the problem of the smallest size that the algorithm accepts
   */
  public static Problem example(Algorithm algorithm, int atLeast) {
    int size = atLeast;
    while (algorithm.refusal(exampleOf(algorithm, size)) != null) {
      size++;
    }
    return exampleOf(algorithm, size);
  }

  private static Problem exampleOf(Algorithm algorithm, int size) {
    int natural = algorithm.naturalBlocks(size);
    boolean hosts = algorithm.traits().has(Traits.Feature.HIERARCHICAL);
    Problem problem =
        new Problem(
            algorithm.collective(),
            size,
            0,
            natural == 0 ? 4 : natural,
            algorithm.traits().keepsOrder(),
            hosts ? hosts(size, rank -> rank / 3) : Topology.FLAT);
    return algorithm.traits().has(Traits.Feature.UNEVEN)
        ? problem.withParts(IntStream.range(0, size).map(r -> r == 1 ? 4 : 1).boxed().toList())
        : problem;
  }

  private static Collection<Integer> blocks(Collective collective, int size) {
    if (collective == Collective.ALLTOALL) {
      return List.of(size * size);
    }
    return new TreeSet<>(List.of(1, 2, Math.max(1, size - 1), size, size + 1, 7 * size + 3));
  }

  /** Hosts matter to algorithms only that know them. */
  private static Collection<Topology> topologies(Algorithm algorithm, int size) {
    Set<Topology> topologies = new LinkedHashSet<>(List.of(Topology.FLAT));
    if (algorithm.traits().has(Traits.Feature.HIERARCHICAL)) {
      IntFunction<Topology> runs = length -> hosts(size, rank -> rank / length);
      topologies.add(runs.apply(2));
      topologies.add(runs.apply(3));
      topologies.add(runs.apply(size));
      topologies.add(hosts(size, rank -> Powers.floorLog2(rank + 1)));
      topologies.add(hosts(size, rank -> rank % 2));
      topologies.add(hosts(size, rank -> rank * rank % 3));
      topologies.add(racks(size, rank -> rank / 2, rank -> rank / 2 % 3));
    }
    if (algorithm.traits().has(Traits.Feature.HALVED_DISTANCES)
        || algorithm.traits().has(Traits.Feature.DOUBLED_DISTANCES)) {
      topologies.add(hosts(size, rank -> rank / 2));
      topologies.add(hosts(size, rank -> rank / Math.max(3, (size + 1) / 2)));
      topologies.add(racks(size, rank -> rank / 2, rank -> rank / 4));
    }
    if (algorithm.traits().has(Traits.Feature.BY_HOST)) {
      topologies.add(hosts(size, rank -> rank / 3));
      topologies.add(hosts(size, rank -> rank * rank % 3));
      topologies.add(racks(size, rank -> rank, rank -> rank % 2));
    }
    return topologies;
  }

  /** Hosts in racks; of many ranks the same as without, which has been seen by then. */
  private static Topology racks(int size, IntUnaryOperator hostOf, IntUnaryOperator rackOf) {
    List<Integer> ranks = IntStream.range(0, size).boxed().toList();
    return Topology.of(
        ranks.stream().map(hostOf::applyAsInt).toList(),
        ranks,
        ranks.stream().map(rank -> size > MOST_IN_RACKS ? 0 : rackOf.applyAsInt(rank)).toList());
  }

  private static Topology hosts(int size, IntUnaryOperator hostOf) {
    return Topology.ofHosts(IntStream.range(0, size).map(hostOf).boxed().toList());
  }

  private static boolean isTaken(int root, int blocks, int size, int weight) {
    int[] typical = {0, 1, size / 2, size - 2, size - 1};
    boolean isTypical = IntStream.of(typical).anyMatch(each -> each == root);
    if (weight <= MANY_BLOCKS || blocks == 2) {
      return true;
    }
    if (weight <= SOME_BLOCKS) {
      return isTypical || blocks == size + 1;
    }
    return isTypical && (blocks <= size + 1 || root == typical[size % typical.length]);
  }
}
