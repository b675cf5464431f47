package org.sparkcollectives.internal.transport;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.function.IntBinaryOperator;
import org.jspecify.annotations.Nullable;
import org.sparkcollectives.internal.transport.ring.RingProvider;
import org.sparkcollectives.transport.Cancellation;
import org.sparkcollectives.transport.Deadline;
import org.sparkcollectives.transport.Transport;

/**
 * A provider for ranks of one process whose links split bytes into random portions, pretend at
 * random that there are none or no room, and all break after a number of bytes.
 */
public final class RandomLinks implements LinkProvider {
  /** Never breaks. */
  public static final long UNBROKEN = Long.MAX_VALUE;

  private static final int CAPACITY = 48;
  private static final int RING_BYTES = 16;

  /** Of so many calls one does nothing. */
  private static final int DELAY = 4;

  private final SplittableRandom random;
  private final IntBinaryOperator reaches;
  private final Map<Integer, Rank> present = new HashMap<>();
  private final Map<Long, ByteBuffer> pipes = new HashMap<>();
  private final boolean[] gone;
  private long bytesLeft;

  /**
   * Makes a provider.
   *
   * @param size how many ranks there are
   * @param seed where all choices come from
   * @param bytes after how many bytes in all the links break
   * @param reaches not 0 for two ranks that it links
   */
  public RandomLinks(int size, long seed, long bytes, IntBinaryOperator reaches) {
    this.random = new SplittableRandom(seed);
    this.bytesLeft = bytes;
    this.reaches = reaches;
    this.gone = new boolean[size];
  }

  /**
   * Connects ranks by these links alone.
   *
   * @param size how many ranks
   * @param seed where all choices come from
   * @param bytes after how many bytes in all the links break
   * @return the transport of each rank, in rank order
   */
  public static List<Transport> mesh(int size, long seed, long bytes) {
    return mesh(size, List.of(new RandomLinks(size, seed, bytes, (rank, peer) -> 1)));
  }

  /**
   * Connects half of all pairs of ranks by these links, and the others by rings.
   *
   * @param size how many ranks
   * @param seed where all choices come from
   * @return the transport of each rank, in rank order
   */
  public static List<Transport> meshWithRings(int size, long seed) {
    RandomLinks odd = new RandomLinks(size, seed, UNBROKEN, (rank, peer) -> rank + peer & 1);
    return mesh(size, List.of(odd, new RingProvider(RING_BYTES)));
  }

  private static List<Transport> mesh(int size, List<LinkProvider> providers) {
    List<Peer> peers = new ArrayList<>();
    for (int rank = 0; rank < size; rank++) {
      peers.add(new Peer(rank, "process", "", 0, "host " + rank, ""));
    }
    Roster roster = new Roster(1, 0, new byte[0], peers);
    TransportCounters counters = new TransportCounters();
    List<Transport> mesh = new ArrayList<>();
    for (int rank = 0; rank < size; rank++) {
      try {
        mesh.add(
            RankTransport.join(roster, rank, providers, counters, new BufferPool(), ended -> {}));
      } catch (IOException e) {
        throw new IllegalStateException(e);
      }
    }
    return mesh;
  }

  @Override
  public synchronized Links join(Rank rank) {
    present.put(rank.rank(), rank);
    return new Ends(rank.rank());
  }

  private synchronized void leave(int rank) {
    gone[rank] = true;
    present.values().forEach(Rank::signal);
  }

  private ByteBuffer pipe(int from, int to) {
    return pipes.computeIfAbsent(
        (long) from << Integer.SIZE | to, k -> ByteBuffer.allocate(CAPACITY));
  }

  private int portion(int most) {
    return most == 0 || random.nextInt(DELAY) == 0 ? 0 : random.nextInt(1, most + 1);
  }

  private synchronized int write(int from, int to, ByteBuffer source) throws IOException {
    checkOpen(from, to);
    if (gone[to]) {
      throw LinkErrors.peerLeft("rank " + to);
    }
    ByteBuffer pipe = pipe(from, to);
    int count = portion(Math.min(source.remaining(), pipe.remaining()));
    pipe.put(source.slice().limit(count));
    source.position(source.position() + count);
    bytesLeft -= count;
    if (bytesLeft <= 0) {
      present.values().forEach(Rank::signal);
    }
    moved(count, to);
    return count;
  }

  private synchronized int read(int from, int to, ByteBuffer target) throws IOException {
    checkOpen(to, from);
    ByteBuffer pipe = pipe(from, to).flip();
    int held = pipe.remaining();
    int count = portion(Math.min(target.remaining(), held));
    target.put(pipe.slice().limit(count));
    pipe.position(count).compact();
    moved(count, from);
    return held == 0 && target.hasRemaining() && gone[from] ? -1 : count;
  }

  private void checkOpen(int rank, int peer) throws IOException {
    if (gone[rank]) {
      throw LinkErrors.linkClosed("rank " + peer);
    }
    if (bytesLeft <= 0) {
      throw LinkErrors.linkBroken("rank " + peer, new IOException("dropped"));
    }
  }

  private void moved(int count, int peer) {
    Rank other = present.get(peer);
    if (count > 0 && other != null) {
      other.signal();
    }
  }

  private synchronized boolean isReady(int rank, int peer, boolean forBytes, boolean forRoom) {
    return gone[rank]
        || gone[peer]
        || bytesLeft <= 0
        || (forBytes && pipe(peer, rank).position() > 0)
        || (forRoom && pipe(rank, peer).hasRemaining());
  }

  /** The links of one rank. */
  private final class Ends implements Links {
    private final int rank;

    Ends(int rank) {
      this.rank = rank;
    }

    @Override
    public boolean reaches(Peer peer) {
      return reaches.applyAsInt(rank, peer.rank()) != 0;
    }

    @Override
    public WaitableLink open(Peer peer, Deadline deadline, @Nullable Cancellation cancellation) {
      return new End(RandomLinks.this, rank, peer.rank());
    }

    @Override
    public void leave(boolean inOrder) {
      RandomLinks.this.leave(rank);
    }
  }

  /** One end of a link. */
  private record End(RandomLinks links, int rank, int peer) implements WaitableLink {
    @Override
    public int write(ByteBuffer source) throws IOException {
      return links.write(rank, peer, source);
    }

    @Override
    public long write(ByteBuffer first, ByteBuffer second) throws IOException {
      int count = links.write(rank, peer, first);
      return first.hasRemaining() ? count : count + links.write(rank, peer, second);
    }

    @Override
    public int read(ByteBuffer target) throws IOException {
      return links.read(peer, rank, target);
    }

    @Override
    public boolean prepare(boolean forBytes, boolean forRoom) {
      return !links.isReady(rank, peer, forBytes, forRoom);
    }
  }
}
