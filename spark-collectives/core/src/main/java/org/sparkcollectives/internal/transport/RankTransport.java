package org.sparkcollectives.internal.transport;

import java.io.IOException;
import java.nio.channels.CancelledKeyException;
import java.nio.channels.ClosedSelectorException;
import java.nio.channels.Selector;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.sparkcollectives.internal.error.CauseChain;
import org.sparkcollectives.internal.observe.RankOperations;
import org.sparkcollectives.internal.transport.LinkProvider.Links;
import org.sparkcollectives.internal.transport.LinkProvider.WaitableLink;
import org.sparkcollectives.transport.Cancellation;
import org.sparkcollectives.transport.Deadline;
import org.sparkcollectives.transport.Link;
import org.sparkcollectives.transport.Transport;

/**
 * The transport of a rank. The link to a peer is opened by the first provider that reaches the
 * peer; all links together have one thread that waits for them.
 */
public final class RankTransport implements Transport, LinkProvider.Rank {
  private final Roster roster;
  private final int rank;
  private final Waiter waiter;
  private final TransportCounters counters;
  private final RankOperations operations;
  private final BufferPool buffers;
  private final Consumer<RankTransport> onEnd;
  private final List<Links> kinds = new ArrayList<>();

  /** Guards the end against a selector that is just being made. */
  private final Object lock = new Object();

  private @Nullable Selector selector;
  private volatile boolean ended;

  // The rank's own thread alone uses what follows.
  private final @Nullable WaitableLink[] links;
  private @Nullable WaitableLink watchedForBytes;
  private @Nullable WaitableLink watchedForRoom;

  private RankTransport(
      Roster roster,
      int rank,
      TransportCounters counters,
      BufferPool buffers,
      Consumer<RankTransport> onEnd) {
    this.roster = roster;
    this.rank = rank;
    this.waiter = new Waiter(roster.peers().get(rank).toString());
    this.counters = counters;
    this.operations = new RankOperations(counters.operations());
    this.buffers = buffers;
    this.onEnd = onEnd;
    this.links = new WaitableLink[roster.peers().size()];
  }

  /**
   * Takes part in a communicator; does not wait for other ranks.
   *
   * @param roster who takes part
   * @param rank this rank
   * @param providers who may open links, in the sequence in which they are asked
   * @param counters the running numbers of the process
   * @param buffers the buffers of the process that nobody uses
   * @param onEnd told once that the transport has been released or closed
   * @return the rank's transport
   * @throws IOException if a provider does not take the rank
   */
  public static RankTransport join(
      Roster roster,
      int rank,
      List<LinkProvider> providers,
      TransportCounters counters,
      BufferPool buffers,
      Consumer<RankTransport> onEnd)
      throws IOException {
    RankTransport transport = new RankTransport(roster, rank, counters, buffers, onEnd);
    try {
      for (LinkProvider provider : providers) {
        transport.kinds.add(provider.join(transport));
      }
      return transport;
    } catch (IOException | RuntimeException | Error e) {
      transport.close();
      throw e;
    }
  }

  /**
   * Where the operations of the rank are counted.
   *
   * @return always the same
   */
  public RankOperations operations() {
    return operations;
  }

  /**
   * The pool that the rank may take its buffers from.
   *
   * @return that of the rank's process
   */
  public BufferPool buffers() {
    return buffers;
  }

  @Override
  public Roster roster() {
    return roster;
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
  public String rack(int peer) {
    return roster.peers().get(peer).rack();
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
    WaitableLink link = links[peer];
    if (link == null) {
      link = open(roster.peers().get(peer), deadline, cancellation);
      links[peer] = link;
    }
    return link;
  }

  private WaitableLink open(Peer peer, Deadline deadline, Cancellation cancellation)
      throws IOException {
    try {
      watch(null, null);
      for (Links kind : kinds) {
        if (kind.reaches(peer)) {
          return kind.open(peer, deadline, cancellation);
        }
      }
    } catch (ClosedSelectorException | CancelledKeyException e) {
      throw LinkErrors.transportClosed(describe(rank));
    }
    throw LinkErrors.noProvider(describe(rank), peer.toString());
  }

  private Selector newSelector() throws IOException {
    try {
      return Selector.open();
    } catch (IOException e) {
      throw LinkErrors.noSelector(describe(rank), e);
    }
  }

  @Override
  public Selector selector() throws IOException {
    synchronized (lock) {
      if (ended) {
        throw LinkErrors.transportClosed(describe(rank));
      }
      Selector own = selector;
      if (own == null) {
        own = newSelector();
        selector = own;
        waiter.attach(own);
      }
      return own;
    }
  }

  @Override
  public void await(long nanos) throws IOException {
    await(null, null, nanos);
    if (ended) {
      throw LinkErrors.transportClosed(describe(rank));
    }
  }

  @Override
  public void await(@Nullable Link readable, @Nullable Link writable, long nanos)
      throws IOException {
    WaitableLink forBytes = readable == null ? null : links[readable.peer()];
    WaitableLink forRoom = writable == null ? null : links[writable.peer()];
    boolean waits = false;
    try {
      waits = waiter.prepare(forBytes, forRoom);
      if (waits) {
        watch(forBytes, forRoom);
        waiter.await(forBytes, forRoom, nanos);
      }
    } catch (ClosedSelectorException | CancelledKeyException e) {
      throw LinkErrors.transportClosed(describe(rank));
    } finally {
      if (forBytes != null) {
        forBytes.resume(waits);
      }
      if (forRoom != null && forRoom != forBytes) {
        forRoom.resume(waits);
      }
    }
  }

  /** Lets these links end waits in the selector, and no others. */
  private void watch(@Nullable WaitableLink forBytes, @Nullable WaitableLink forRoom) {
    forget(watchedForBytes, forBytes, forRoom);
    forget(watchedForRoom, forBytes, forRoom);
    if (forBytes != null) {
      forBytes.watch(true, forBytes == forRoom);
    }
    if (forRoom != null && forRoom != forBytes) {
      forRoom.watch(false, true);
    }
    watchedForBytes = forBytes;
    watchedForRoom = forRoom;
  }

  private static void forget(
      @Nullable WaitableLink watched, @Nullable WaitableLink next, @Nullable WaitableLink other) {
    if (watched != null && watched != next && watched != other) {
      watched.watch(false, false);
    }
  }

  @Override
  public void signal() {
    waiter.signal();
  }

  @Override
  public void wakeup() {
    waiter.wakeup();
  }

  @Override
  public void release() {
    end(true);
  }

  @Override
  public void close() {
    end(false);
  }

  private void end(boolean inOrder) {
    Selector own;
    synchronized (lock) {
      if (ended) {
        return;
      }
      ended = true;
      own = selector;
    }
    if (own != null) {
      try {
        own.close();
      } catch (IOException | RuntimeException | Error e) {
        counters.closeFailed();
      }
    }
    try {
      leave(0, inOrder);
    } finally {
      waiter.wakeup();
      onEnd.accept(this);
    }
  }

  /** Leaves the kinds of links from one on, all of them, whichever fails. */
  private void leave(int first, boolean inOrder) {
    if (first == kinds.size()) {
      return;
    }
    try {
      kinds.get(first).leave(inOrder);
    } catch (RuntimeException | Error failure) {
      try {
        leave(first + 1, inOrder);
      } catch (RuntimeException | Error also) {
        CauseChain.suppress(failure, also);
      }
      throw failure;
    }
    leave(first + 1, inOrder);
  }
}
