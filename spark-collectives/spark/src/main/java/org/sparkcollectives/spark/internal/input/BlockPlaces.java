package org.sparkcollectives.spark.internal.input;

import java.util.ArrayList;
import java.util.List;
import org.apache.spark.storage.BlockId;
import org.apache.spark.storage.BlockManagerId;
import org.apache.spark.storage.BlockManagerMaster;
import org.sparkcollectives.spark.internal.bridge.Scala;

/** Where blocks are now, by one question for all of them. */
public final class BlockPlaces {
  private BlockPlaces() {}

  /**
   * Asks the driver.
   *
   * @param master whom to ask
   * @param blocks the blocks
   * @return for each block Spark's names of the places where it is
   */
  public static List<List<String>> of(BlockManagerMaster master, BlockId[] blocks) {
    List<List<String>> places = new ArrayList<>();
    for (scala.collection.Seq<BlockManagerId> holders : Scala.asJava(master.getLocations(blocks))) {
      places.add(
          Scala.asJava(holders).stream()
              .map(holder -> ExecutorSlots.place(holder.host(), holder.executorId()))
              .toList());
    }
    return places;
  }
}
