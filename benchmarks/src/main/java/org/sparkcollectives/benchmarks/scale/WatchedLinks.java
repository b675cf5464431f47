package org.sparkcollectives.benchmarks.scale;

import java.io.IOException;
import java.util.BitSet;
import org.jspecify.annotations.Nullable;
import org.sparkcollectives.transport.Cancellation;
import org.sparkcollectives.transport.Deadline;
import org.sparkcollectives.transport.Link;
import org.sparkcollectives.transport.Transport;

/** A rank's transport that notes which peers it has links to. */
final class WatchedLinks implements Transport {
  private final Transport transport;
  private final BitSet peers = new BitSet();

  WatchedLinks(Transport transport) {
    this.transport = transport;
  }

  /** The number of links opened so far; for the rank's thread, or when it rests. */
  int count() {
    return peers.cardinality();
  }

  @Override
  public Link link(int peer, Deadline deadline, Cancellation cancellation) throws IOException {
    Link link = transport.link(peer, deadline, cancellation);
    peers.set(peer);
    return link;
  }

  @Override
  public int rank() {
    return transport.rank();
  }

  @Override
  public int size() {
    return transport.size();
  }

  @Override
  public String describe(int peer) {
    return transport.describe(peer);
  }

  @Override
  public String host(int peer) {
    return transport.host(peer);
  }

  @Override
  public String process(int peer) {
    return transport.process(peer);
  }

  @Override
  public void await(@Nullable Link readable, @Nullable Link writable, long nanos)
      throws IOException {
    transport.await(readable, writable, nanos);
  }

  @Override
  public void wakeup() {
    transport.wakeup();
  }

  @Override
  public void release() {
    transport.release();
  }

  @Override
  public void close() {
    transport.close();
  }
}
