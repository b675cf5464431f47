package org.sparkcollectives.spark.internal.body;

import org.apache.spark.rdd.RDD;
import org.sparkcollectives.spark.internal.input.Lineage;
import org.sparkcollectives.spark.internal.input.Placement;
import org.sparkcollectives.spark.internal.input.RankRdd;
import org.sparkcollectives.spark.internal.input.Slots;

/**
 * One attempt's work.
 *
 * @param input the input, of {@link org.sparkcollectives.spark.internal.input.RankInput}s, one
 *     partition per rank
 * @param size the number of ranks
 * @param body what each rank does
 */
public record Plan(RDD<Object> input, int size, RankBody body) {

  /**
   * Deals an RDD's partitions to as many ranks as can run at once.
   *
   * @param lineage what lies behind the RDD
   * @param slots the slots there are
   * @param consecutive whether each rank is to have consecutive partitions, in rank order
   * @param body what each rank does
   * @return the plan, of as many ranks as there are slots at most: before a barrier lineage is
   *     planned, there is a slot for each of its partitions
   */
  public static Plan of(Lineage lineage, Slots slots, boolean consecutive, RankBody body) {
    Placement placement =
        lineage.barrier()
            ? Placement.oneEach(lineage.partitions())
            : Placement.of(lineage.places(), slots.executors(), slots.total(), consecutive);
    return new Plan(RankRdd.of(lineage, placement), placement.size(), body);
  }

  /** Serializes what ranks are given, which may take a while where they are given elements. */
  public void pack() {
    int unused = input.getNumPartitions();
  }

  /** Frees what ranks were given; the attempt has ended. */
  public void end() {
    if (input instanceof RankRdd ranks) {
      ranks.end();
    }
  }
}
