package org.sparkcollectives.internal.engine;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;
import org.sparkcollectives.testing.ForwardingTransport;
import org.sparkcollectives.transport.Cancellation;
import org.sparkcollectives.transport.Deadline;
import org.sparkcollectives.transport.Link;
import org.sparkcollectives.transport.Transport;

/** A transport whose links hide that their bytes lie in memory. */
final class PlainLinks extends ForwardingTransport {
  private final AtomicInteger writes;

  /**
   * Hides it of a transport's links.
   *
   * @param inner what has the links
   * @param writes counts writes that have taken bytes
   */
  PlainLinks(Transport inner, AtomicInteger writes) {
    super(inner);
    this.writes = writes;
  }

  /** The transports of all ranks. */
  static List<Transport> over(List<Transport> mesh) {
    return mesh.stream()
        .<Transport>map(inner -> new PlainLinks(inner, new AtomicInteger()))
        .toList();
  }

  /** A link that copies. */
  private record Plain(Link inner, AtomicInteger writes) implements Link {
    private <N extends Number> N counted(N bytes) {
      writes.addAndGet(bytes.longValue() > 0 ? 1 : 0);
      return bytes;
    }

    @Override
    public int peer() {
      return inner.peer();
    }

    @Override
    public int write(ByteBuffer source) throws IOException {
      return counted(inner.write(source));
    }

    @Override
    public long write(ByteBuffer first, ByteBuffer second) throws IOException {
      return counted(inner.write(first, second));
    }

    @Override
    public int read(ByteBuffer target) throws IOException {
      return inner.read(target);
    }
  }

  @Override
  public Link link(int peer, Deadline deadline, Cancellation cancellation) throws IOException {
    return new Plain(super.link(peer, deadline, cancellation), writes);
  }

  @Override
  public void await(@Nullable Link readable, @Nullable Link writable, long nanos)
      throws IOException {
    super.await(
        readable instanceof Plain plain ? plain.inner() : null,
        writable instanceof Plain plain ? plain.inner() : null,
        nanos);
  }
}
