package org.sparkcollectives.spark.internal.body;

import java.nio.ByteBuffer;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.sparkcollectives.Communicator;
import org.sparkcollectives.spark.internal.conf.Settings;
import org.sparkcollectives.spark.internal.input.Combiner;
import org.sparkcollectives.spark.internal.input.Part;
import org.sparkcollectives.spark.internal.rendezvous.Attempt;
import org.sparkcollectives.spark.internal.rendezvous.RankSession;
import org.sparkcollectives.spark.internal.result.BlockStore;

/**
 * A rank of a scan: finds what precedes each of its partitions and stores that under the
 * partition's number, so that elements can be prefixed later, partition by partition.
 *
 * @param fold combines elements
 * @param algorithm its slug, or null for the cheapest
 * @param exclusive whether the first element of all will need a neutral element
 */
public record ScanBody(Combiner fold, @Nullable String algorithm, boolean exclusive)
    implements VectorBody {

  @Override
  public boolean apart() {
    return true;
  }

  /** Returns the partitions that something precedes, as big-endian integers. */
  @Override
  public Object run(Communicator communicator, List<Part> parts, RankSession session) {
    Object total = fold.copy(parts.get(0).operand());
    for (Part part : parts.subList(1, parts.size())) {
      total = fold.combine(total, part.operand(), part.partition());
    }
    boolean first = communicator.rank() == 0;
    if (first && exclusive) {
      fold.neutral(total); // refused now, and not when the first element is read
    }
    Object prefix = communicator.by(algorithm).exscan(total, fold.op());
    return store(parts, first ? null : prefix, session.attempt());
  }

  private byte[] store(List<Part> parts, @Nullable Object before, Attempt attempt) {
    int replicas = attempt.conf().get(Settings.REPLICAS);
    ByteBuffer stored = ByteBuffer.allocate(parts.size() * Integer.BYTES);
    Object prefix = before;
    for (Part part : parts) {
      if (prefix != null) {
        BlockStore.put(attempt.results() + part.partition(), prefix, replicas);
        stored.putInt(part.partition());
        prefix = fold.combine(fold.copy(prefix), part.operand(), part.partition());
      } else {
        prefix = part.operand();
      }
    }
    byte[] bytes = new byte[stored.position()];
    stored.flip().get(bytes);
    return bytes;
  }
}
