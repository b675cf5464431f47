package org.sparkcollectives.spark.internal.job;

import java.time.Duration;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.apache.spark.SparkContext;
import org.apache.spark.resource.ResourceProfile;
import org.sparkcollectives.spark.internal.input.ExecutorSlots;
import org.sparkcollectives.spark.internal.input.Lineage;
import org.sparkcollectives.spark.internal.input.Placement;
import org.sparkcollectives.spark.internal.input.Slots;

/**
 * The ranks that a job would have if it began now. Spark may start a task elsewhere than is wanted,
 * when the slot there is taken.
 *
 * @param executors the executor of each rank
 */
public record PlannedRanks(List<ExecutorSlots> executors) {
  /**
   * Copies the list.
   *
   * @param executors the executor of each rank
   */
  public PlannedRanks {
    executors = List.copyOf(executors);
  }

  /**
   * Places ranks as a job does.
   *
   * @param context the application
   * @param operation what is asked for, for messages
   * @param lineage what lies behind the RDD
   * @param consecutive whether each rank is to have consecutive partitions, in rank order
   * @return the ranks
   * @throws org.sparkcollectives.error.InvalidInputException if there is no executor, or too few
   *     slots for an RDD that needs one for each partition
   */
  public static PlannedRanks of(
      SparkContext context, String operation, Lineage lineage, boolean consecutive) {
    ResourceProfile own = lineage.resources();
    ResourceProfile profile =
        own == null ? context.resourceProfileManager().defaultResourceProfile() : own;
    Slots slots = ClusterSlots.slots(context, profile);
    if (slots.total() == 0) {
      throw JobErrors.noSlots(operation, context, profile, Duration.ZERO);
    }
    int partitions = lineage.partitions();
    if (lineage.barrier() && partitions > slots.total()) {
      throw JobErrors.tooFewSlots(operation, slots.total(), partitions);
    }
    // Spark places the tasks of a barrier stage of the user's own where there is room.
    List<List<String>> places =
        lineage.barrier() ? Collections.nCopies(partitions, List.of()) : lineage.places();
    Placement placement = Placement.of(places, slots.executors(), slots.total(), consecutive);
    Map<String, ExecutorSlots> byPlace = new HashMap<>();
    slots.executors().forEach(each -> byPlace.put(each.place(), each));
    return new PlannedRanks(
        placement.ranks().stream().map(rank -> byPlace.get(rank.place())).toList());
  }
}
