package org.sparkcollectives.spark.internal.body;

import java.io.Serializable;
import java.util.Iterator;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.sparkcollectives.spark.internal.input.RankInput;
import org.sparkcollectives.spark.internal.rendezvous.RankReport;
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

  /**
   * The algorithm that the call names.
   *
   * @return its slug, or null where it names none
   */
  default @Nullable String algorithm() {
    return null;
  }

  /**
   * Ends a collective at the driver whose ranks have left it their operands.
   *
   * @param left what they have left, in rank order
   * @return the value for the user
   */
  default Object combine(List<RankReport.Left> left) {
    throw new UnsupportedOperationException("ranks wait for each other");
  }
}
