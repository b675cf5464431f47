package org.sparkcollectives.internal.transport.tcp;

import java.io.IOException;
import java.nio.channels.CancelledKeyException;
import java.nio.channels.ClosedSelectorException;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.sparkcollectives.error.LinkErrors;
import org.sparkcollectives.internal.transport.memory.MemoryGroup;
import org.sparkcollectives.internal.transport.memory.MemoryLink;
import org.sparkcollectives.internal.transport.memory.SharedRings;
import org.sparkcollectives.internal.transport.memory.Waiter;
import org.sparkcollectives.transport.Cancellation;
import org.sparkcollectives.transport.Deadline;
import org.sparkcollectives.transport.Link;
import org.sparkcollectives.transport.Peer;
import org.sparkcollectives.transport.Roster;
import org.sparkcollectives.transport.Transport;

/**
 * The transport of a rank whose peers live in this process, reached through rings, and in others,
 * reached over TCP or, on one host, through rings in memory that the processes share. Of two ranks
 * in different processes the lower dials; the higher waits for the lease, which the endpoint's
 * acceptor takes whether or not the rank is there.
 */
final class TcpTransport implements Transport {
  private final Wiring wiring;
  private final Roster roster;
  private final int rank;
  private final Waiter waiter;
  private final MemoryGroup neighbours;
  private final Consumer<TcpTransport> onEnd;
  private final @Nullable Link[] links;

  /** Guards the end against links that are just being opened. */
  private final Object lock = new Object();

  private final List<SocketLink> leased = new ArrayList<>();
  private @Nullable Selector selector;
  private volatile boolean ended;

  // The rank's own thread alone uses what follows.
  private @Nullable Dialer dialer;
  private @Nullable SocketLink armedToRead;
  private @Nullable SocketLink armedToWrite;

  TcpTransport(
      Wiring wiring,
      Roster roster,
      int rank,
      Waiter waiter,
      MemoryGroup neighbours,
      Consumer<TcpTransport> onEnd) {
    this.wiring = wiring;
    this.roster = roster;
    this.rank = rank;
    this.waiter = waiter;
    this.neighbours = neighbours;
    this.onEnd = onEnd;
    this.links = new Link[roster.peers().size()];
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
    return roster.peers().get(peer).toString();
  }

  @Override
  public String host(int peer) {
    return roster.peers().get(peer).node();
  }

  @Override
  public String process(int peer) {
    return roster.peers().get(peer).endpoint();
  }

  @Override
  public Link link(int peer, Deadline deadline, Cancellation cancellation) throws IOException {
    if (peer == rank || peer < 0 || peer >= links.length) {
      throw new IllegalArgumentException("rank " + rank + " has no link to rank " + peer);
    }
    if (ended) {
      throw LinkErrors.transportClosed(describe(rank));
    }
    Link link = links[peer];
    if (link == null) {
      Peer there = roster.peers().get(peer);
      link =
          there.endpoint().equals(wiring.endpoint())
              ? neighbours.link(rank, peer)
              : remote(there, deadline, cancellation);
      links[peer] = link;
    }
    return link;
  }

  private SocketLink remote(Peer peer, Deadline deadline, Cancellation cancellation)
      throws IOException {
    String doing = "opening the link from " + describe(rank) + " to " + peer;
    Patience patience = new Patience(deadline, cancellation, describe(rank), doing);
    try {
      Selector own = selector();
      arm(null, null);
      SelectionKey key =
          rank < peer.rank()
              ? dialer(own).open(peer, lease(rank, peer.rank()), patience)
              : receive(lease(peer.rank(), rank), own, patience);
      return adopt(peer, key);
    } catch (ClosedSelectorException | CancelledKeyException e) {
      throw LinkErrors.transportClosed(describe(rank));
    }
  }

  private SocketLink adopt(Peer peer, SelectionKey key) throws IOException {
    Connection connection = (Connection) key.attachment();
    SharedRings rings = connection.rings();
    SocketLink link =
        rings == null
            ? new TcpLink(peer.rank(), peer.toString(), connection, key)
            : new SharedLink(peer.rank(), peer.toString(), connection, key, rings);
    synchronized (lock) {
      if (!ended) {
        leased.add(link);
        return link;
      }
    }
    connection.close();
    throw LinkErrors.transportClosed(describe(rank));
  }

  private SelectionKey receive(Lease lease, Selector own, Patience patience) throws IOException {
    while (true) {
      Connection connection = wiring.sessions().take(lease);
      if (connection != null) {
        try {
          return connection.channel().register(own, 0, connection);
        } catch (IOException | RuntimeException e) {
          connection.close();
          throw e;
        }
      }
      waiter.await(null, null, patience.slice());
    }
  }

  private Lease lease(int from, int to) {
    return new Lease(roster.communicator(), roster.epoch(), from, to);
  }

  private Selector selector() throws IOException {
    synchronized (lock) {
      if (ended) {
        throw LinkErrors.transportClosed(describe(rank));
      }
      Selector own = selector;
      if (own == null) {
        own = Selector.open();
        selector = own;
        waiter.attach(own);
      }
      return own;
    }
  }

  private Dialer dialer(Selector own) {
    Dialer existing = dialer;
    if (existing == null) {
      existing = new Dialer(wiring, waiter, own, roster.token(), roster.peers().get(rank).node());
      dialer = existing;
    }
    return existing;
  }

  @Override
  public void await(@Nullable Link readable, @Nullable Link writable, long nanos)
      throws IOException {
    SocketLink forBytes = readable instanceof SocketLink socket ? socket : null;
    SocketLink forRoom = writable instanceof SocketLink socket ? socket : null;
    boolean slept = sleeps(forBytes, forRoom);
    try {
      if (slept) {
        arm(forBytes, forRoom);
        waiter.await(
            readable instanceof MemoryLink ring ? ring : null,
            writable instanceof MemoryLink ring ? ring : null,
            nanos);
      }
    } catch (CancelledKeyException e) {
      throw LinkErrors.transportClosed(describe(rank));
    } finally {
      if (forBytes != null) {
        forBytes.afterWait(slept);
      }
      if (forRoom != null && forRoom != forBytes) {
        forRoom.afterWait(slept);
      }
    }
  }

  private static boolean sleeps(@Nullable SocketLink forBytes, @Nullable SocketLink forRoom) {
    boolean sleeps = forBytes == null || forBytes.beforeWait(true, forBytes == forRoom);
    return sleeps && (forRoom == null || forRoom == forBytes || forRoom.beforeWait(false, true));
  }

  private void arm(@Nullable SocketLink readable, @Nullable SocketLink writable) {
    if (readable == armedToRead && writable == armedToWrite) {
      return;
    }
    if (armedToRead != null) {
      armedToRead.interest(0);
    }
    if (armedToWrite != null) {
      armedToWrite.interest(0);
    }
    if (readable != null) {
      readable.interest(SelectionKey.OP_READ);
    }
    if (writable != null) {
      int both = readable == writable ? SelectionKey.OP_READ : 0;
      writable.interest(writable.roomInterest() | both);
    }
    armedToRead = readable;
    armedToWrite = writable;
  }

  @Override
  public void wakeup() {
    waiter.wakeup();
  }

  @Override
  public void release() {
    for (SocketLink link : end(true)) {
      Connection connection = link.connection();
      if (link.peer() > rank) {
        wiring.pool().put(roster.peers().get(link.peer()).endpoint(), connection);
      } else {
        wiring.acceptor().giveBack(connection);
      }
    }
  }

  @Override
  public void close() {
    end(false).forEach(link -> link.connection().close());
  }

  /** Ends this transport; what is to happen to its connections is up to the caller. */
  private List<SocketLink> end(boolean inOrder) {
    List<SocketLink> remaining;
    synchronized (lock) {
      if (ended) {
        return List.of();
      }
      ended = true;
      remaining = List.copyOf(leased);
      leased.clear();
    }
    closeSelector();
    wiring.sessions().leave(roster.communicator(), roster.epoch(), rank, inOrder);
    waiter.wakeup();
    onEnd.accept(this);
    return remaining;
  }

  private void closeSelector() {
    Selector own;
    synchronized (lock) {
      own = selector;
    }
    if (own != null) {
      try {
        own.close();
      } catch (IOException e) {
        wiring.counters().closeFailed();
      }
    }
  }
}
