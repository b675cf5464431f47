package org.sparkcollectives.spark;

import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.apache.spark.scheduler.SparkListener;
import org.apache.spark.scheduler.SparkListenerBlockUpdated;
import org.apache.spark.storage.BlockUpdatedInfo;
import org.apache.spark.storage.BroadcastBlockId;

/** The whole values of calls, not parts, that executors have stored, if only for a moment. */
final class StoredOnExecutors extends SparkListener {
  final List<Long> numbers = new CopyOnWriteArrayList<>();

  @Override
  public void onBlockUpdated(SparkListenerBlockUpdated updated) {
    BlockUpdatedInfo info = updated.blockUpdatedInfo();
    if (info.blockId() instanceof BroadcastBlockId block
        && block.broadcastId() >= 1L << 48
        && block.field().isEmpty()
        && !info.blockManagerId().isDriver()
        && info.storageLevel().isValid()) {
      numbers.add(block.broadcastId());
    }
  }
}
