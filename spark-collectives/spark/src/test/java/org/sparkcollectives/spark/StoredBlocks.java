package org.sparkcollectives.spark;

import java.util.ConcurrentModificationException;
import java.util.List;
import org.apache.spark.SparkEnv;
import org.apache.spark.storage.BlockId;
import org.apache.spark.storage.BroadcastBlockId;
import org.sparkcollectives.spark.internal.bridge.Scala;
import scala.Function1;
import scala.runtime.AbstractFunction1;

/** What calls have stored, anywhere in the application that runs in this JVM. */
public final class StoredBlocks {
  private StoredBlocks() {}

  /**
   * The number of each block that ranks, or the driver for them, have stored.
   *
   * @return the numbers, once for each block
   */
  public static List<Long> numbers() {
    Function1<BlockId, Object> results =
        new AbstractFunction1<>() {
          @Override
          public Object apply(BlockId id) {
            return id instanceof BroadcastBlockId block && block.broadcastId() >= 1L << 48;
          }
        };
    return matching(results).stream()
        .map(block -> ((BroadcastBlockId) block).broadcastId())
        .toList();
  }

  /** What Spark finds; it looks through lists that it changes meanwhile, and may trip over that. */
  private static List<BlockId> matching(Function1<BlockId, Object> wanted) {
    for (int tries = 1; ; tries++) {
      try {
        return Scala.asJava(
            SparkEnv.get().blockManager().master().getMatchingBlockIds(wanted, false));
      } catch (Exception e) { // a SparkException, which Scala does not declare
        if (tries == 10 || !(e.getCause() instanceof ConcurrentModificationException)) {
          throw e;
        }
      }
    }
  }
}
