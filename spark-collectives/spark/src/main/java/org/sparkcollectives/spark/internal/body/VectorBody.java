package org.sparkcollectives.spark.internal.body;

import java.io.Serializable;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.sparkcollectives.Communicator;
import org.sparkcollectives.spark.internal.input.Combiner;
import org.sparkcollectives.spark.internal.input.LocalFold;
import org.sparkcollectives.spark.internal.input.Part;
import org.sparkcollectives.spark.internal.rendezvous.RankSession;

/** A collective on the vectors of an RDD, as one rank does it; {@link VectorRank} runs it. */
public interface VectorBody extends Serializable {
  /**
   * How elements become operands.
   *
   * @return the fold, always the same
   */
  LocalFold fold();

  /**
   * The algorithm that the call names.
   *
   * @return its slug, or null for the cheapest
   */
  @Nullable String algorithm();

  /**
   * Whether ranks have to have consecutive partitions, in rank order.
   *
   * @return true where the order of operands matters
   */
  default boolean ordered() {
    return true;
  }

  /**
   * Whether a rank's partitions are kept apart, or else folded into one operand.
   *
   * @return true where the collective does something with each partition
   */
  default boolean apart() {
    return false;
  }

  /**
   * What combines vectors, where these may be so small that no algorithm is needed.
   *
   * @return it, or null where every rank has to take part
   */
  default @Nullable Combiner combiner() {
    return null;
  }

  /**
   * Ends a collective in which this rank has combined the vectors of all.
   *
   * @param sum what they have become
   * @param session the rank's session
   * @return what the driver gets
   */
  default @Nullable Object combined(Object sum, RankSession session) {
    throw new UnsupportedOperationException("every rank takes part");
  }

  /**
   * Runs the collective.
   *
   * @param communicator the ranks that bring vectors
   * @param parts what this rank brings, in partition order: one operand for each partition that has
   *     elements where they are kept apart, else one of all
   * @param session the rank's session
   * @return what the driver gets: null, bytes, or a value for the user
   */
  @Nullable Object run(Communicator communicator, List<Part> parts, RankSession session);
}
