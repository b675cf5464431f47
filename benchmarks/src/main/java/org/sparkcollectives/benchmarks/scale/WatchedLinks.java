package org.sparkcollectives.benchmarks.scale;

import java.io.IOException;
import java.util.BitSet;
import org.sparkcollectives.testing.ForwardingTransport;
import org.sparkcollectives.transport.Cancellation;
import org.sparkcollectives.transport.Deadline;
import org.sparkcollectives.transport.Link;
import org.sparkcollectives.transport.Transport;

/** A rank's transport that notes which peers it has links to. */
final class WatchedLinks extends ForwardingTransport {
  private final BitSet peers = new BitSet();

  WatchedLinks(Transport transport) {
    super(transport);
  }

  /** The number of links opened so far; for the rank's thread, or when it rests. */
  int count() {
    return peers.cardinality();
  }

  @Override
  public Link link(int peer, Deadline deadline, Cancellation cancellation) throws IOException {
    Link link = super.link(peer, deadline, cancellation);
    peers.set(peer);
    return link;
  }
}
