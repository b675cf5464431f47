package org.sparkcollectives.internal.shape;

/**
 * Ranks in a circle: after the last one comes the first.
 *
 * @param size the number of ranks, at least 1
 */
public record Ring(int size) {

  /**
   * The rank that lies a number of places further on.
   *
   * @param rank where to start
   * @param by how many places, negative to go back; any int
   * @return a rank, 0 to {@code size - 1}
   */
  public int shift(int rank, int by) {
    return (int) Math.floorMod((long) rank + by, (long) size);
  }
}
