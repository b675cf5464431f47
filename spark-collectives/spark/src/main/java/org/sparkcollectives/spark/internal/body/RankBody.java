package org.sparkcollectives.spark.internal.body;

import java.io.Serializable;
import org.jspecify.annotations.Nullable;
import org.sparkcollectives.spark.internal.rendezvous.RankSession;
import scala.collection.Iterator;

/** What a rank does between rendezvous and end. */
public interface RankBody extends Serializable {
  /**
   * Runs in the rank's task.
   *
   * @param session the rank's way to the others
   * @param input the elements of the task's partition
   * @return what the driver gets: null, bytes, or a value for the user
   * @throws Exception what user code throws
   */
  @Nullable Object run(RankSession session, Iterator<Object> input) throws Exception;
}
