package org.sparkcollectives.spark;

import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import org.apache.spark.TaskContext;
import org.jspecify.annotations.Nullable;
import org.sparkcollectives.Communicator;
import org.sparkcollectives.error.SparkErrors;
import org.sparkcollectives.vector.ReduceOp;
import scala.collection.Iterator;

/**
 * A rank of a scan: finds what precedes each of its partitions and stores that, so that elements
 * can be prefixed later, partition by partition.
 *
 * @param source makes vectors of the input
 * @param op the operator
 * @param algorithm its slug, or null for the cheapest
 * @param exclusive whether the first element of all will need a neutral element
 * @param base number under which partition 0 stores what precedes it; partition i adds i
 */
record ScanBody(
    VectorSource source, ReduceOp<?> op, @Nullable String algorithm, boolean exclusive, long base)
    implements RankBody {

  /** Returns the partitions that something precedes, as big-endian integers. */
  @Override
  @SuppressWarnings("unchecked")
  public Object run(RankSession session, CollectiveConf conf, Iterator<Object> input) {
    List<Part> parts = source.parts(TaskContext.get().partitionId(), input);
    Combiner combiner = new Combiner(op);
    Communicator communicator = session.join(Parts.shapes(combiner, parts));
    if (communicator == null) {
      return new byte[0];
    }
    List<Part> operands = new ArrayList<>();
    for (Part part : parts) {
      operands.add(new Part(part.partition(), combiner.operand(part.value(), part.partition())));
    }
    Object total = combiner.copy(operands.get(0).value());
    for (Part part : operands.subList(1, operands.size())) {
      total = combiner.combine(total, part.value(), part.partition());
    }
    boolean first = communicator.rank() == 0;
    if (first && exclusive && combiner.identity(total) == null) {
      throw SparkErrors.noNeutralElement(op.name());
    }
    Object prefix = communicator.by(algorithm).exscan(total, (ReduceOp<Object>) op);
    return store(combiner, operands, first ? null : prefix, conf.replicas());
  }

  private byte[] store(
      Combiner combiner, List<Part> operands, @Nullable Object before, int replicas) {
    ByteBuffer stored = ByteBuffer.allocate(operands.size() * Integer.BYTES);
    Object prefix = before;
    for (Part part : operands) {
      if (prefix != null) {
        BlockStore.put(base + part.partition(), prefix, replicas);
        stored.putInt(part.partition());
        prefix = combiner.combine(combiner.copy(prefix), part.value(), part.partition());
      } else {
        prefix = part.value();
      }
    }
    byte[] bytes = new byte[stored.position()];
    stored.flip().get(bytes);
    return bytes;
  }
}
