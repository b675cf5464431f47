package org.sparkcollectives.internal.transport.ring;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.List;
import org.sparkcollectives.internal.transport.BufferPool;
import org.sparkcollectives.internal.transport.EndpointOptions;
import org.sparkcollectives.internal.transport.LinkProvider;
import org.sparkcollectives.internal.transport.Peer;
import org.sparkcollectives.internal.transport.RankTransport;
import org.sparkcollectives.internal.transport.Roster;
import org.sparkcollectives.internal.transport.TransportCounters;
import org.sparkcollectives.transport.Transport;

/** Communicators whose ranks are threads of this process. */
public final class MemoryMesh {
  /** The one process and its host. */
  private static final String HERE = "here";

  /** What communicators of the usual size have left for those that come after them. */
  private static final RingPool RINGS = new RingPool(EndpointOptions.DEFAULT_RING_BYTES);

  private static final BufferPool BUFFERS = new BufferPool();

  private MemoryMesh() {}

  /**
   * Connects ranks with each other.
   *
   * @param size the number of ranks, 1 or more
   * @return the transport of each rank, in rank order
   */
  public static List<Transport> create(int size) {
    return create(size, RINGS);
  }

  /**
   * Connects ranks with each other through rings of a given size.
   *
   * @param size the number of ranks, 1 or more
   * @param ringBytes bytes in flight per direction of a pair of ranks, a power of two
   * @return the transport of each rank, in rank order
   */
  public static List<Transport> create(int size, int ringBytes) {
    return create(size, new RingPool(ringBytes));
  }

  private static List<Transport> create(int size, RingPool pool) {
    if (size < 1) {
      throw new IllegalArgumentException("a communicator has at least one rank, not " + size);
    }
    List<Peer> peers = new ArrayList<>(size);
    for (int rank = 0; rank < size; rank++) {
      peers.add(new Peer(rank, HERE, "", 0, HERE, ""));
    }
    Roster roster = new Roster(0, 0, new byte[0], peers);
    List<LinkProvider> rings = List.of(new RingProvider(pool));
    TransportCounters counters = new TransportCounters();
    List<Transport> transports = new ArrayList<>(size);
    try {
      for (int rank = 0; rank < size; rank++) {
        transports.add(RankTransport.join(roster, rank, rings, counters, BUFFERS, ended -> {}));
      }
    } catch (IOException impossible) {
      throw new UncheckedIOException(impossible);
    }
    return List.copyOf(transports);
  }
}
