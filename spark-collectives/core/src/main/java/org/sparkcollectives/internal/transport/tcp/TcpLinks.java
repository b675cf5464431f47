package org.sparkcollectives.internal.transport.tcp;

import java.io.IOException;
import java.nio.channels.SelectionKey;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.sparkcollectives.internal.transport.LinkErrors;
import org.sparkcollectives.internal.transport.LinkProvider;
import org.sparkcollectives.internal.transport.Peer;
import org.sparkcollectives.internal.transport.Roster;
import org.sparkcollectives.internal.transport.WaitBudget;
import org.sparkcollectives.internal.transport.tcp.handshake.Lease;
import org.sparkcollectives.internal.transport.tcp.lease.Connection;
import org.sparkcollectives.transport.Cancellation;
import org.sparkcollectives.transport.Deadline;

/**
 * The leases of one rank. Of two ranks in different processes the lower dials; the higher waits for
 * the lease, which the endpoint's acceptor takes whether or not the rank is there.
 */
final class TcpLinks implements LinkProvider.Links {
  private final TcpContext context;
  private final Acceptor acceptor;
  private final LinkProvider.Rank rank;
  private final Roster roster;
  private final Peer self;

  /** Guards the end against links that are just being opened. */
  private final Object lock = new Object();

  private final List<Leased> leased = new ArrayList<>();
  private boolean ended;

  /** The rank's own thread alone uses it. */
  private @Nullable Dialer dialer;

  /** A connection and who is at its other end. */
  private record Leased(Peer peer, Connection connection) {}

  TcpLinks(TcpContext context, Acceptor acceptor, LinkProvider.Rank rank) {
    this.context = context;
    this.acceptor = acceptor;
    this.rank = rank;
    this.roster = rank.roster();
    this.self = roster.peers().get(rank.rank());
  }

  @Override
  public boolean reaches(Peer peer) {
    return true;
  }

  @Override
  public LinkProvider.WaitableLink open(Peer peer, Deadline deadline, Cancellation cancellation)
      throws IOException {
    String doing = "opening the link from " + self + " to " + peer;
    WaitBudget budget = new WaitBudget(deadline, cancellation, self.toString(), doing);
    LeasedChannel first = leased(peer, 0, budget);
    LinkProvider.WaitableLink[] links = new LinkProvider.WaitableLink[first.connection().stripes()];
    links[0] = first.link(peer.rank(), peer.toString());
    for (int stripe = 1; stripe < links.length; stripe++) {
      links[stripe] = leased(peer, stripe, budget).link(peer.rank(), peer.toString());
    }
    return links.length == 1 ? links[0] : new StripedLink(links);
  }

  private LeasedChannel leased(Peer peer, int stripe, WaitBudget budget) throws IOException {
    LeasedChannel channel =
        self.rank() < peer.rank()
            ? dialer().open(peer, lease(self, peer, stripe), budget)
            : receive(peer, lease(peer, self, stripe), budget);
    synchronized (lock) {
      if (!ended) {
        leased.add(new Leased(peer, channel.connection()));
        return channel;
      }
    }
    channel.connection().close();
    throw LinkErrors.transportClosed(self.toString());
  }

  private LeasedChannel receive(Peer peer, Lease lease, WaitBudget budget) throws IOException {
    while (true) {
      Connection connection = context.sessions().take(lease);
      if (connection != null) {
        try {
          SelectionKey key = connection.channel().register(rank.selector(), 0, connection);
          return new LeasedChannel(connection, key);
        } catch (IOException | RuntimeException | Error e) {
          connection.close();
          throw e;
        }
      }
      if (acceptor.isStopping()) {
        throw TcpErrors.notListening(self.toString(), peer.toString());
      }
      rank.await(budget.slice());
    }
  }

  private Lease lease(Peer from, Peer to, int stripe) {
    return new Lease(roster.communicator(), roster.epoch(), from.rank(), to.rank(), stripe);
  }

  private Dialer dialer() throws IOException {
    Dialer existing = dialer;
    if (existing == null) {
      existing = new Dialer(context, rank, rank.selector());
      dialer = existing;
    }
    return existing;
  }

  @Override
  public void leave(boolean inOrder) {
    synchronized (lock) {
      ended = true; // nothing is leased any more
    }
    for (Leased last : leased) { // before all that may fail
      if (inOrder) {
        giveBack(last);
      } else {
        last.connection().close();
      }
    }
    leased.clear();
    context.sessions().leave(roster.communicator(), roster.epoch(), self.rank());
  }

  /** Gives a connection back to who may lease it again, or closes it. */
  private void giveBack(Leased last) {
    try {
      if (last.peer().rank() > self.rank()) {
        context.pool().put(last.peer().endpoint(), last.connection());
      } else {
        acceptor.giveBack(last.connection());
      }
    } catch (RuntimeException | Error failed) {
      last.connection().close();
    }
  }
}
