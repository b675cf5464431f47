package org.sparkcollectives.internal.transport.memory;

import java.util.ArrayList;
import java.util.List;
import org.sparkcollectives.transport.Transport;

/** Communicators whose ranks are threads of this process. */
public final class MemoryMesh {
  private MemoryMesh() {}

  /**
   * Connects ranks with each other.
   *
   * @param size the number of ranks, 1 or more
   * @return the transport of each rank, in rank order
   */
  public static List<Transport> create(int size) {
    return create(size, MemoryGroup.DEFAULT_RING_BYTES);
  }

  /**
   * Connects ranks with each other through rings of a given size.
   *
   * @param size the number of ranks, 1 or more
   * @param ringBytes bytes in flight per direction of a pair of ranks, a power of two
   * @return the transport of each rank, in rank order
   */
  public static List<Transport> create(int size, int ringBytes) {
    if (size < 1) {
      throw new IllegalArgumentException("a communicator has at least one rank, not " + size);
    }
    MemoryGroup group = new MemoryGroup(new RingPool(ringBytes), MemoryTransport::name);
    List<Transport> transports = new ArrayList<>(size);
    for (int rank = 0; rank < size; rank++) {
      Waiter waiter = new Waiter(MemoryTransport.name(rank));
      group.join(rank, waiter);
      transports.add(new MemoryTransport(group, waiter, rank, size));
    }
    return List.copyOf(transports);
  }
}
