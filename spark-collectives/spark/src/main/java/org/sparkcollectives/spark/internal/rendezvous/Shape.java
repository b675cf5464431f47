package org.sparkcollectives.spark.internal.rendezvous;

/**
 * What a partition brings, as the driver compares it.
 *
 * @param partition the RDD's partition
 * @param type the elements' type, in words
 * @param length number of elements, -1 where that does not matter
 * @param bytes what it takes
 * @param sparse whether these are only some of the elements
 */
public record Shape(int partition, String type, int length, long bytes, boolean sparse) {
  @Override
  public String toString() {
    return "partition " + partition + " has " + (length < 0 ? "" : length + " x ") + type;
  }
}
