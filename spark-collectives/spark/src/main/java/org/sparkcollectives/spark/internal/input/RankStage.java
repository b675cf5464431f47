package org.sparkcollectives.spark.internal.input;

import java.io.Serial;
import java.util.ArrayList;
import java.util.List;
import org.apache.spark.Partition;
import org.apache.spark.TaskContext;
import org.apache.spark.rdd.RDD;
import org.jspecify.annotations.Nullable;
import org.sparkcollectives.spark.internal.bridge.Scala;
import scala.collection.Iterator;
import scala.collection.immutable.Seq;

/**
 * What ranks return, as the last RDD of their stage, which is the one that Spark asks for the RDDs
 * in it. It names those that a {@link RankRdd} hides, so that Spark's UI shows them, and where they
 * are cached; the scheduler, which follows dependencies, does not hear of them.
 */
public final class RankStage extends RDD<Object> {
  @Serial private static final long serialVersionUID = 1L;

  private final transient @Nullable List<RDD<?>> hidden; // at the driver

  private RankStage(RDD<Object> returned, List<RDD<?>> hidden) {
    super(returned, returned.elementClassTag());
    this.hidden = hidden;
  }

  /**
   * Ends a stage.
   *
   * @param input what ranks are given
   * @param returned what they return of it
   * @return the same elements
   */
  public static RDD<Object> of(RDD<Object> input, RDD<Object> returned) {
    return new RankStage(returned, input instanceof RankRdd ranks ? ranks.hides() : List.of());
  }

  @Override
  public Partition[] getPartitions() {
    return parent().partitions();
  }

  @Override
  public Iterator<Object> compute(Partition split, TaskContext context) {
    return parent().iterator(split, context);
  }

  @Override
  public Seq<RDD<?>> getNarrowAncestors() {
    List<RDD<?>> all = new ArrayList<>(Scala.asJava(super.getNarrowAncestors()));
    if (hidden != null) {
      all.addAll(hidden);
    }
    return Scala.asScala(all.iterator()).toList();
  }

  private RDD<Object> parent() {
    return firstParent(elementClassTag());
  }
}
