package org.sparkcollectives.testing;

import java.io.IOException;
import org.jspecify.annotations.Nullable;
import org.sparkcollectives.transport.Cancellation;
import org.sparkcollectives.transport.Deadline;
import org.sparkcollectives.transport.Link;
import org.sparkcollectives.transport.Transport;

/** A transport that is another one but for what a subclass overrides. */
public abstract class ForwardingTransport implements Transport {
  private final Transport inner;

  /**
   * Forwards to a transport.
   *
   * @param inner what does the work
   */
  protected ForwardingTransport(Transport inner) {
    this.inner = inner;
  }

  @Override
  public int rank() {
    return inner.rank();
  }

  @Override
  public int size() {
    return inner.size();
  }

  @Override
  public String describe(int peer) {
    return inner.describe(peer);
  }

  @Override
  public String host(int peer) {
    return inner.host(peer);
  }

  @Override
  public String process(int peer) {
    return inner.process(peer);
  }

  @Override
  public String rack(int peer) {
    return inner.rack(peer);
  }

  @Override
  public Link link(int peer, Deadline deadline, Cancellation cancellation) throws IOException {
    return inner.link(peer, deadline, cancellation);
  }

  @Override
  public void await(@Nullable Link readable, @Nullable Link writable, long nanos)
      throws IOException {
    inner.await(readable, writable, nanos);
  }

  @Override
  public void wakeup() {
    inner.wakeup();
  }

  @Override
  public void release() {
    inner.release();
  }

  @Override
  public void close() {
    inner.close();
  }
}
