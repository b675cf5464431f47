package org.sparkcollectives.spark.internal.input;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashSet;
import java.util.Set;
import org.apache.spark.Dependency;
import org.apache.spark.ShuffleDependency;
import org.apache.spark.rdd.RDD;
import scala.jdk.javaapi.CollectionConverters;

/** What Spark's scheduler accepts as a barrier stage. */
public final class Barriers {
  private Barriers() {}

  /**
   * Whether an RDD can be the input of a barrier stage: all RDDs back to the last shuffle have the
   * same number of partitions, and none has two barrier parents. A union or a coalesce has not.
   *
   * @param rdd the RDD
   * @return true where Spark accepts it
   */
  public static boolean fits(RDD<?> rdd) {
    int partitions = rdd.getNumPartitions();
    Set<Integer> seen = new HashSet<>();
    Deque<RDD<?>> open = new ArrayDeque<>();
    open.add(rdd);
    while (!open.isEmpty()) {
      RDD<?> next = open.remove();
      if (!seen.add(next.id())) {
        continue;
      }
      if (next.getNumPartitions() != partitions) {
        return false;
      }
      int barriers = 0;
      for (Dependency<?> dependency : CollectionConverters.asJava(next.dependencies())) {
        if (!(dependency instanceof ShuffleDependency)) {
          open.add(dependency.rdd());
          barriers += dependency.rdd().isBarrier() ? 1 : 0;
        }
      }
      if (barriers > 1) {
        return false;
      }
    }
    return true;
  }
}
