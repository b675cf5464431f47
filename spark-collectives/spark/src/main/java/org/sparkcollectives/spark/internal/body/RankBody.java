package org.sparkcollectives.spark.internal.body;

import java.io.Serializable;
import java.util.Iterator;
import org.jspecify.annotations.Nullable;
import org.sparkcollectives.spark.internal.input.RankInput;
import org.sparkcollectives.spark.internal.rendezvous.RankSession;

/** What a rank does between rendezvous and end. */
public interface RankBody extends Serializable {
  /**
   * Runs in the rank's task.
   *
   * @param session the rank's way to the others
   * @param input the rank's partitions of the user's RDD, each computed when its elements are asked
   *     for
   * @return what the driver gets: null, bytes, or a value for the user
   * @throws Exception what user code throws
   */
  @Nullable Object run(RankSession session, Iterator<RankInput> input) throws Exception;
}
