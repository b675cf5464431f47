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
 * A rank of a scan: finds what precedes each of its partitions and stores that as the part of the
 * partition's number, so that elements can be prefixed later, partition by partition.
 *
 * @param fold combines elements
 * @param algorithm its slug, or null for the cheapest
 */
public record ScanBody(Combiner fold, @Nullable String algorithm) implements VectorBody {

  @Override
  public boolean apart() {
    return true;
  }

  /** Returns the partitions that something precedes, as big-endian integers. */
  @Override
  public Object run(Communicator communicator, List<Part> parts, RankSession session) {
    Object prefix = communicator.by(algorithm).exscan(total(parts), fold.op());
    return store(parts, communicator.rank() == 0 ? null : prefix, session.attempt());
  }

  /**
   * All parts combined. It shares nothing with those that {@link #store} combines again, as an
   * operator on objects may put what is in its right operand into its left one, and change that.
   */
  private Object total(List<Part> parts) {
    Object total = parts.get(0).operand();
    if (parts.size() > 1) {
      total = fold.copy(total);
    }
    for (Part part : parts.subList(1, parts.size())) {
      Object operand = fold.op().onObjects() ? fold.copy(part.operand()) : part.operand();
      total = fold.combine(total, operand, part.partition());
    }
    return total;
  }

  private byte[] store(List<Part> parts, @Nullable Object before, Attempt attempt) {
    int replicas = attempt.conf().get(Settings.REPLICAS);
    ByteBuffer stored = ByteBuffer.allocate(parts.size() * Integer.BYTES);
    Object prefix = before;
    for (int i = 0; i < parts.size(); i++) {
      Part part = parts.get(i);
      if (prefix != null) {
        BlockStore.putPart(attempt.results(), part.partition(), prefix, replicas);
        stored.putInt(part.partition());
      }
      if (i + 1 < parts.size()) { // for the next one
        prefix =
            prefix == null
                ? part.operand()
                : fold.combine(fold.copy(prefix), part.operand(), part.partition());
      }
    }
    byte[] bytes = new byte[stored.position()];
    stored.flip().get(bytes);
    return bytes;
  }
}
