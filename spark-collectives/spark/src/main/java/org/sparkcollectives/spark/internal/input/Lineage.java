package org.sparkcollectives.spark.internal.input;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.apache.spark.Dependency;
import org.apache.spark.MapOutputTrackerMaster;
import org.apache.spark.NarrowDependency;
import org.apache.spark.Partition;
import org.apache.spark.ShuffleDependency;
import org.apache.spark.SparkEnv;
import org.apache.spark.rdd.RDD;
import org.apache.spark.resource.ResourceProfile;
import org.apache.spark.storage.BlockId;
import org.apache.spark.storage.RDDBlockId;
import org.apache.spark.storage.StorageLevel;
import org.jspecify.annotations.Nullable;
import org.sparkcollectives.spark.internal.bridge.Scala;
import scala.collection.mutable.HashSet$;

/**
 * What lies behind an RDD up to the next shuffles: what Spark would compute in one stage. For the
 * driver; it is as of the moment when it was made.
 */
public final class Lineage {
  private final RDD<?> rdd;
  private final List<RDD<?>> narrow = new ArrayList<>();
  private final List<Dependency<?>> shuffles = new ArrayList<>();

  private Lineage(RDD<?> rdd) {
    this.rdd = rdd;
    Set<Integer> seen = new HashSet<>();
    Deque<RDD<?>> open = new ArrayDeque<>(List.of(rdd));
    while (!open.isEmpty()) {
      RDD<?> next = open.remove();
      if (!seen.add(next.id())) {
        continue;
      }
      narrow.add(next);
      for (Dependency<?> dependency : Scala.asJava(next.dependencies())) {
        if (dependency instanceof ShuffleDependency) {
          shuffles.add(dependency);
        } else {
          open.add(dependency.rdd());
        }
      }
    }
  }

  /**
   * Follows an RDD's dependencies.
   *
   * @param rdd the RDD
   * @return what lies behind it
   */
  public static Lineage of(RDD<?> rdd) {
    return new Lineage(rdd);
  }

  /**
   * The RDD that this is the lineage of.
   *
   * @return it
   */
  RDD<?> rdd() {
    return rdd;
  }

  /**
   * How many partitions the RDD has.
   *
   * @return the number
   */
  public int partitions() {
    return rdd.getNumPartitions();
  }

  /** The RDD and all that it is computed from without a shuffle. */
  List<RDD<?>> narrow() {
    return narrow;
  }

  /** The shuffles whose outputs must be there before the RDD can be computed. */
  List<Dependency<?>> shuffles() {
    return shuffles;
  }

  /**
   * Makes Spark forget the outputs of the shuffles that an RDD depends on, so that it makes all of
   * them again. Of an output that cannot be fetched it forgets what the same executor has, and no
   * more.
   *
   * @param ranks the RDD of ranks
   */
  public static void forgetShuffles(RDD<?> ranks) {
    MapOutputTrackerMaster outputs = (MapOutputTrackerMaster) SparkEnv.get().mapOutputTracker();
    for (Dependency<?> dependency : of(ranks).shuffles()) {
      if (dependency instanceof ShuffleDependency<?, ?, ?> shuffle
          && outputs.containsShuffle(shuffle.shuffleId())) {
        outputs.unregisterAllMapAndMergeOutput(shuffle.shuffleId());
      }
    }
  }

  /**
   * Whether the RDD is made by barrier tasks, so that all its partitions have to be computed at
   * once, in a task each.
   *
   * @return true where some RDD behind it is one of Spark's {@code RDD.barrier()}
   */
  public boolean barrier() {
    return narrow.stream().anyMatch(RDD::isBarrier);
  }

  /**
   * Whether each partition is made of partitions of the same number only.
   *
   * @return true where Spark itself would make a barrier stage of the RDD
   */
  public boolean aligned() {
    int partitions = rdd.getNumPartitions();
    return narrow.stream().allMatch(each -> each.getNumPartitions() == partitions);
  }

  /**
   * What tasks that compute the RDD need, if {@code RDD.withResources} says so anywhere behind it;
   * where it does so differently, Spark's setting {@code
   * spark.scheduler.resource.profileMergeConflicts} decides.
   *
   * @return the profile, or null for the application's
   * @throws org.sparkcollectives.error.InvalidInputException if they differ, and that setting is
   *     not true
   */
  public @Nullable ResourceProfile resources() {
    scala.collection.mutable.HashSet<ResourceProfile> profiles = HashSet$.MODULE$.empty();
    for (RDD<?> each : narrow) {
      ResourceProfile profile = each.getResourceProfile();
      if (profile != null) {
        profiles.add(profile);
      }
    }
    if (profiles.isEmpty()) {
      return null;
    }
    try {
      return rdd.context().dagScheduler().mergeResourceProfilesForStage(profiles);
    } catch (IllegalArgumentException e) {
      throw InputErrors.resourcesDiffer(rdd.toString(), e);
    }
  }

  /**
   * Where each partition is computed best: the executors that hold it or what it is made of, else
   * what its input says, as Spark's scheduler finds it but from what is cached now.
   *
   * @return for each partition Spark's names of places, none where it does not matter
   */
  public List<List<String>> places() {
    Map<Integer, List<List<String>>> cached = new HashMap<>();
    for (RDD<?> each : narrow) {
      if (!each.getStorageLevel().equals(StorageLevel.NONE())) {
        cached.put(each.id(), cachedPlaces(each));
      }
    }
    Set<Long> seen = new HashSet<>();
    List<List<String>> all = new ArrayList<>();
    for (Partition partition : rdd.partitions()) {
      seen.clear();
      all.add(places(rdd, partition, cached, seen));
    }
    return all;
  }

  private static List<List<String>> cachedPlaces(RDD<?> rdd) {
    BlockId[] blocks = new BlockId[rdd.getNumPartitions()];
    for (int i = 0; i < blocks.length; i++) {
      blocks[i] = new RDDBlockId(rdd.id(), i);
    }
    return BlockPlaces.of(SparkEnv.get().blockManager().master(), blocks);
  }

  private static List<String> places(
      RDD<?> rdd, Partition partition, Map<Integer, List<List<String>>> cached, Set<Long> seen) {
    if (!seen.add(((long) rdd.id() << Integer.SIZE) | partition.index())) {
      return List.of();
    }
    List<List<String>> held = cached.get(rdd.id());
    if (held != null && !held.get(partition.index()).isEmpty()) {
      return held.get(partition.index());
    }
    List<String> own = Scala.asJava(rdd.preferredLocations(partition));
    if (!own.isEmpty()) {
      return own;
    }
    for (Dependency<?> dependency : Scala.asJava(rdd.dependencies())) {
      if (dependency instanceof NarrowDependency<?> parents) {
        Partition[] partitions = parents.rdd().partitions();
        for (Object index : Scala.asJava(parents.getParents(partition.index()))) {
          List<String> found = places(parents.rdd(), partitions[(Integer) index], cached, seen);
          if (!found.isEmpty()) {
            return found;
          }
        }
      }
    }
    return List.of();
  }
}
