package org.sparkcollectives.internal.transport.memory;

import java.io.IOException;
import org.jspecify.annotations.Nullable;
import org.sparkcollectives.error.LinkErrors;
import org.sparkcollectives.transport.Cancellation;
import org.sparkcollectives.transport.Deadline;
import org.sparkcollectives.transport.Link;
import org.sparkcollectives.transport.Transport;

/** The transport of a rank all of whose peers are threads of this process. */
final class MemoryTransport implements Transport {
  private final MemoryGroup group;
  private final Waiter waiter;
  private final int rank;
  private final @Nullable MemoryLink[] links;
  private volatile boolean ended;

  MemoryTransport(MemoryGroup group, Waiter waiter, int rank, int size) {
    this.group = group;
    this.waiter = waiter;
    this.rank = rank;
    this.links = new MemoryLink[size];
  }

  static String name(int rank) {
    return "rank " + rank;
  }

  @Override
  public int rank() {
    return rank;
  }

  @Override
  public int size() {
    return links.length;
  }

  @Override
  public String describe(int peer) {
    return name(peer);
  }

  @Override
  public String host(int peer) {
    return "here";
  }

  @Override
  public String process(int peer) {
    return "here";
  }

  @Override
  public Link link(int peer, Deadline deadline, Cancellation cancellation) throws IOException {
    if (peer == rank || peer < 0 || peer >= links.length) {
      throw new IllegalArgumentException("rank " + rank + " has no link to rank " + peer);
    }
    if (ended) {
      throw LinkErrors.transportClosed(name(rank));
    }
    MemoryLink link = links[peer];
    if (link == null) {
      link = group.link(rank, peer);
      links[peer] = link;
    }
    return link;
  }

  @Override
  public void await(@Nullable Link readable, @Nullable Link writable, long nanos)
      throws IOException {
    waiter.await((MemoryLink) readable, (MemoryLink) writable, nanos);
  }

  @Override
  public void wakeup() {
    waiter.wakeup();
  }

  @Override
  public void release() {
    close();
  }

  @Override
  public void close() {
    ended = true;
    group.leave(rank);
    waiter.wakeup();
  }
}
