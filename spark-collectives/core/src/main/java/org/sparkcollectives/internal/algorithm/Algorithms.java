package org.sparkcollectives.internal.algorithm;

import java.util.Arrays;
import java.util.Comparator;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.sparkcollectives.internal.algorithm.allgather.BruckAllGather;
import org.sparkcollectives.internal.algorithm.allgather.CirculantAllGather;
import org.sparkcollectives.internal.algorithm.allgather.HierarchicalAllGather;
import org.sparkcollectives.internal.algorithm.allgather.MultiLeaderAllGather;
import org.sparkcollectives.internal.algorithm.allgather.PairwiseAllGather;
import org.sparkcollectives.internal.algorithm.allgather.PipelinedRingAllGather;
import org.sparkcollectives.internal.algorithm.allgather.RecursiveDoublingAllGather;
import org.sparkcollectives.internal.algorithm.allgather.RingAllGather;
import org.sparkcollectives.internal.algorithm.allreduce.BinaryBlocksAllReduce;
import org.sparkcollectives.internal.algorithm.allreduce.CirculantAllReduce;
import org.sparkcollectives.internal.algorithm.allreduce.HierarchicalAllReduce;
import org.sparkcollectives.internal.algorithm.allreduce.ImprovedButterflyAllReduce;
import org.sparkcollectives.internal.algorithm.allreduce.LinearPipelineAllReduce;
import org.sparkcollectives.internal.algorithm.allreduce.MultiLeaderAllReduce;
import org.sparkcollectives.internal.algorithm.allreduce.PipelinedBinaryTreeAllReduce;
import org.sparkcollectives.internal.algorithm.allreduce.RabenseifnerAllReduce;
import org.sparkcollectives.internal.algorithm.allreduce.RecursiveDoublingAllReduce;
import org.sparkcollectives.internal.algorithm.allreduce.ReduceBroadcastAllReduce;
import org.sparkcollectives.internal.algorithm.allreduce.RingAllReduce;
import org.sparkcollectives.internal.algorithm.allreduce.TwoTreeAllReduce;
import org.sparkcollectives.internal.algorithm.allreduce.TwoTreeOfHostsAllReduce;
import org.sparkcollectives.internal.algorithm.allreduce.TwoTreeSimplexAllReduce;
import org.sparkcollectives.internal.algorithm.alltoall.BruckAllToAll;
import org.sparkcollectives.internal.algorithm.alltoall.ClearToSendAllToAll;
import org.sparkcollectives.internal.algorithm.alltoall.HierarchicalAllToAll;
import org.sparkcollectives.internal.algorithm.alltoall.LinearAllToAll;
import org.sparkcollectives.internal.algorithm.alltoall.PairwiseAllToAll;
import org.sparkcollectives.internal.algorithm.alltoall.TournamentAllToAll;
import org.sparkcollectives.internal.algorithm.barrier.DisseminationBarrier;
import org.sparkcollectives.internal.algorithm.barrier.HierarchicalBarrier;
import org.sparkcollectives.internal.algorithm.broadcast.BinaryTreeSimplexBroadcast;
import org.sparkcollectives.internal.algorithm.broadcast.BinomialBroadcast;
import org.sparkcollectives.internal.algorithm.broadcast.CirculantBroadcast;
import org.sparkcollectives.internal.algorithm.broadcast.FractionalTreeBroadcast;
import org.sparkcollectives.internal.algorithm.broadcast.HierarchicalBroadcast;
import org.sparkcollectives.internal.algorithm.broadcast.HypercubeBroadcast;
import org.sparkcollectives.internal.algorithm.broadcast.LinearPipelineBroadcast;
import org.sparkcollectives.internal.algorithm.broadcast.PipelinedBinaryTreeBroadcast;
import org.sparkcollectives.internal.algorithm.broadcast.ScatterDoublingBroadcast;
import org.sparkcollectives.internal.algorithm.broadcast.ScatterRingBroadcast;
import org.sparkcollectives.internal.algorithm.broadcast.TwoTreeBroadcast;
import org.sparkcollectives.internal.algorithm.broadcast.TwoTreeOfHostsBroadcast;
import org.sparkcollectives.internal.algorithm.broadcast.TwoTreeSimplexBroadcast;
import org.sparkcollectives.internal.algorithm.reduce.BinaryBlocksReduce;
import org.sparkcollectives.internal.algorithm.reduce.BinaryTreeSimplexReduce;
import org.sparkcollectives.internal.algorithm.reduce.BinomialReduce;
import org.sparkcollectives.internal.algorithm.reduce.CirculantReduce;
import org.sparkcollectives.internal.algorithm.reduce.FractionalTreeReduce;
import org.sparkcollectives.internal.algorithm.reduce.HierarchicalReduce;
import org.sparkcollectives.internal.algorithm.reduce.ImprovedButterflyReduce;
import org.sparkcollectives.internal.algorithm.reduce.LinearPipelineReduce;
import org.sparkcollectives.internal.algorithm.reduce.PairwiseReduce;
import org.sparkcollectives.internal.algorithm.reduce.PipelinedBinaryTreeReduce;
import org.sparkcollectives.internal.algorithm.reduce.RabenseifnerReduce;
import org.sparkcollectives.internal.algorithm.reduce.RingReduce;
import org.sparkcollectives.internal.algorithm.reduce.TwoTreeOfHostsReduce;
import org.sparkcollectives.internal.algorithm.reduce.TwoTreeReduce;
import org.sparkcollectives.internal.algorithm.reduce.TwoTreeSimplexReduce;
import org.sparkcollectives.internal.algorithm.reducescatter.BinaryBlocksReduceScatter;
import org.sparkcollectives.internal.algorithm.reducescatter.CirculantReduceScatter;
import org.sparkcollectives.internal.algorithm.reducescatter.HierarchicalReduceScatter;
import org.sparkcollectives.internal.algorithm.reducescatter.MultiLeaderReduceScatter;
import org.sparkcollectives.internal.algorithm.reducescatter.PairwiseReduceScatter;
import org.sparkcollectives.internal.algorithm.reducescatter.PipelinedRingReduceScatter;
import org.sparkcollectives.internal.algorithm.reducescatter.RecursiveDoublingReduceScatter;
import org.sparkcollectives.internal.algorithm.reducescatter.RecursiveHalvingReduceScatter;
import org.sparkcollectives.internal.algorithm.reducescatter.RingReduceScatter;
import org.sparkcollectives.internal.algorithm.rooted.BinomialGather;
import org.sparkcollectives.internal.algorithm.rooted.BinomialScatter;
import org.sparkcollectives.internal.algorithm.rooted.HierarchicalGather;
import org.sparkcollectives.internal.algorithm.rooted.HierarchicalScatter;
import org.sparkcollectives.internal.algorithm.rooted.LinearGather;
import org.sparkcollectives.internal.algorithm.rooted.LinearScatter;
import org.sparkcollectives.internal.algorithm.scan.BinomialScan;
import org.sparkcollectives.internal.algorithm.scan.DoublyPipelinedBinaryTreeScan;
import org.sparkcollectives.internal.algorithm.scan.HierarchicalScan;
import org.sparkcollectives.internal.algorithm.scan.LinearPipelineScan;
import org.sparkcollectives.internal.algorithm.scan.PipelinedBinaryTreeScan;
import org.sparkcollectives.internal.algorithm.scan.SimultaneousBinomialScan;
import org.sparkcollectives.internal.algorithm.scan.TreeOfFirstRanksScan;
import org.sparkcollectives.internal.algorithm.scan.TreeOfHostTreesScan;
import org.sparkcollectives.internal.algorithm.scan.TwoTreeScan;
import org.sparkcollectives.internal.algorithm.scan.TwoTreeSimplexScan;
import org.sparkcollectives.schedule.Collective;

/**
 * The registry of all algorithms. An algorithm that stands here is listed, verified and documented.
 */
public final class Algorithms {
  /** In place of an algorithm's name: two trees, of ranks or of hosts. */
  public static final String TWO_TREES = "two-trees";

  /** Those by two trees; the first are those of ranks. */
  private static final List<String> OF_TWO_TREES = List.of("two-tree", "two-tree-of-hosts");

  private static final Map<Collective, List<Algorithm>> MADE = new EnumMap<>(Collective.class);

  private Algorithms() {}

  /** Those of one collective. Who asks for one does not load the others. */
  private static List<Algorithm> make(Collective collective) {
    return switch (collective) {
      case BROADCAST ->
          List.of(
              new BinomialBroadcast(),
              new PipelinedBinaryTreeBroadcast(),
              new FractionalTreeBroadcast(),
              new LinearPipelineBroadcast(),
              new HypercubeBroadcast(),
              new ScatterDoublingBroadcast(),
              new ScatterRingBroadcast(),
              new TwoTreeBroadcast(),
              new BinaryTreeSimplexBroadcast(),
              new TwoTreeSimplexBroadcast(),
              new HierarchicalBroadcast(),
              new TwoTreeOfHostsBroadcast(),
              new CirculantBroadcast());
      case REDUCE ->
          List.of(
              new BinomialReduce(),
              new PipelinedBinaryTreeReduce(),
              new FractionalTreeReduce(),
              new LinearPipelineReduce(),
              new RabenseifnerReduce(),
              new BinaryBlocksReduce(),
              new ImprovedButterflyReduce(),
              new RingReduce(),
              new PairwiseReduce(),
              new TwoTreeReduce(),
              new BinaryTreeSimplexReduce(),
              new TwoTreeSimplexReduce(),
              new HierarchicalReduce(),
              new TwoTreeOfHostsReduce(),
              new CirculantReduce());
      case ALLREDUCE ->
          List.of(
              new RecursiveDoublingAllReduce(),
              new ReduceBroadcastAllReduce(),
              new PipelinedBinaryTreeAllReduce(),
              new LinearPipelineAllReduce(),
              new RabenseifnerAllReduce(),
              new BinaryBlocksAllReduce(),
              new ImprovedButterflyAllReduce(),
              new CirculantAllReduce(),
              new RingAllReduce(),
              new TwoTreeAllReduce(),
              new TwoTreeSimplexAllReduce(),
              new HierarchicalAllReduce(),
              new TwoTreeOfHostsAllReduce(),
              new MultiLeaderAllReduce());
      case SCAN -> scans(false);
      case EXSCAN -> scans(true);
      case REDUCE_SCATTER ->
          List.of(
              new CirculantReduceScatter(),
              new RecursiveDoublingReduceScatter(),
              new RecursiveHalvingReduceScatter(),
              new BinaryBlocksReduceScatter(),
              new PairwiseReduceScatter(),
              new RingReduceScatter(),
              new PipelinedRingReduceScatter(),
              new HierarchicalReduceScatter(),
              new MultiLeaderReduceScatter());
      case ALLGATHER ->
          List.of(
              new BruckAllGather(),
              new CirculantAllGather(),
              new RecursiveDoublingAllGather(),
              new RingAllGather(),
              new PairwiseAllGather(),
              new PipelinedRingAllGather(),
              new HierarchicalAllGather(),
              new MultiLeaderAllGather());
      case ALLTOALL ->
          List.of(
              new BruckAllToAll(),
              new LinearAllToAll(),
              new PairwiseAllToAll(),
              new TournamentAllToAll(),
              new ClearToSendAllToAll(),
              new HierarchicalAllToAll());
      case SCATTER ->
          List.of(new BinomialScatter(), new LinearScatter(), new HierarchicalScatter());
      case GATHER -> List.of(new BinomialGather(), new LinearGather(), new HierarchicalGather());
      case BARRIER -> List.of(new DisseminationBarrier(), new HierarchicalBarrier());
    };
  }

  private static List<Algorithm> scans(boolean exclusive) {
    return List.of(
        new SimultaneousBinomialScan(exclusive),
        new BinomialScan(exclusive),
        new HierarchicalScan(exclusive),
        new PipelinedBinaryTreeScan(exclusive),
        new DoublyPipelinedBinaryTreeScan(exclusive),
        new TreeOfHostTreesScan(exclusive),
        new TreeOfFirstRanksScan(exclusive),
        new LinearPipelineScan(exclusive),
        new TwoTreeScan(exclusive),
        new TwoTreeSimplexScan(exclusive));
  }

  /**
   * All algorithms, in the sequence of {@link Collective}, those for short vectors first.
   *
   * @return an immutable list
   */
  public static List<Algorithm> all() {
    return Arrays.stream(Collective.values()).flatMap(each -> of(each).stream()).toList();
  }

  /**
   * The algorithms of one collective.
   *
   * @param collective the collective
   * @return an immutable list, empty if none is registered
   */
  public static List<Algorithm> of(Collective collective) {
    synchronized (MADE) {
      return MADE.computeIfAbsent(collective, Algorithms::make);
    }
  }

  /**
   * The names of the algorithms of one collective that keep rank order.
   *
   * @param collective the collective
   * @return an immutable list
   */
  public static List<String> inOrder(Collective collective) {
    return of(collective).stream()
        .filter(algorithm -> algorithm.traits().keepsOrder())
        .map(Algorithm::slug)
        .toList();
  }

  /**
   * The algorithm of a name.
   *
   * @param collective the collective
   * @param slug the algorithm's name
   * @return the algorithm
   * @throws org.sparkcollectives.error.InvalidInputException if there is none; the message lists
   *     the names
   */
  public static Algorithm find(Collective collective, String slug) {
    List<Algorithm> candidates = of(collective);
    for (Algorithm algorithm : candidates) {
      if (algorithm.slug().equals(slug)) {
        return algorithm;
      }
    }
    throw AlgorithmErrors.unknownAlgorithm(
        collective.slug(), slug, candidates.stream().map(Algorithm::slug).toList());
  }

  /**
   * The algorithms that a name stands for.
   *
   * @param collective the collective
   * @param slug an algorithm's name, or {@link #TWO_TREES}
   * @return the one of that name, or those by two trees, that of ranks first
   * @throws org.sparkcollectives.error.InvalidInputException if there is none; the message lists
   *     the names
   */
  public static List<Algorithm> named(Collective collective, String slug) {
    List<Algorithm> family =
        of(collective).stream()
            .filter(each -> slug.equals(TWO_TREES) && OF_TWO_TREES.contains(each.slug()))
            .sorted(Comparator.comparing(each -> OF_TWO_TREES.indexOf(each.slug())))
            .toList();
    return family.isEmpty() ? List.of(find(collective, slug)) : family;
  }

  /**
   * Checks that an algorithm may be used with an operator.
   *
   * @param algorithm the algorithm
   * @param commutative whether the operator is declared commutative
   * @param operator the operator's name, for the message, or null where only an order is asked for
   * @throws org.sparkcollectives.error.InvalidInputException if the operator does not commute and
   *     the algorithm reorders operands; the message lists algorithms that do not
   */
  public static void requireOrder(
      Algorithm algorithm, boolean commutative, @Nullable String operator) {
    if (!commutative && !algorithm.traits().keepsOrder()) {
      throw AlgorithmErrors.reordersOperands(
          algorithm.collective().slug(),
          algorithm.slug(),
          operator,
          inOrder(algorithm.collective()));
    }
  }
}
