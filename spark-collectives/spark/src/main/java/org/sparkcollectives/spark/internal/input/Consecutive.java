package org.sparkcollectives.spark.internal.input;

import java.io.Serial;
import org.apache.spark.Partitioner;

/** Sends consecutive partitions to one rank, in order. */
final class Consecutive extends Partitioner {
  @Serial private static final long serialVersionUID = 1L;

  private final int partitions;
  private final int ranks;

  Consecutive(int partitions, int ranks) {
    this.partitions = partitions;
    this.ranks = ranks;
  }

  @Override
  public int numPartitions() {
    return ranks;
  }

  @Override
  public int getPartition(Object key) {
    return (int) ((long) (Integer) key * ranks / partitions);
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof Consecutive that
        && partitions == that.partitions
        && ranks == that.ranks;
  }

  @Override
  public int hashCode() {
    return 31 * partitions + ranks;
  }
}
