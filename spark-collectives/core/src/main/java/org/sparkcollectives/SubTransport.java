package org.sparkcollectives;

import java.io.IOException;
import org.jspecify.annotations.Nullable;
import org.sparkcollectives.transport.Cancellation;
import org.sparkcollectives.transport.Deadline;
import org.sparkcollectives.transport.Link;
import org.sparkcollectives.transport.Transport;

/**
 * The links of one rank to some of the ranks of another transport, which are numbered anew. The
 * links are the other transport's own; breaking off breaks them.
 */
final class SubTransport implements Transport {
  private final Transport whole;
  private final int[] members;
  private final int number;
  private final int rank;

  /**
   * The links among some ranks.
   *
   * @param transport this rank's links
   * @param members the ranks in the sequence of their new ranks; this rank is one of them
   * @param number the communicator's number, for messages
   */
  SubTransport(Transport transport, int[] members, int number) {
    if (transport instanceof SubTransport part) {
      this.whole = part.whole;
      this.members = new int[members.length];
      for (int r = 0; r < members.length; r++) {
        this.members[r] = part.members[members[r]];
      }
    } else {
      this.whole = transport;
      this.members = members.clone();
    }
    this.number = number;
    this.rank = indexOf(this.members, whole.rank());
  }

  private static int indexOf(int[] members, int rank) {
    for (int r = 0; r < members.length; r++) {
      if (members[r] == rank) {
        return r;
      }
    }
    throw new IllegalArgumentException("rank " + rank + " is not in its own communicator");
  }

  @Override
  public int rank() {
    return rank;
  }

  @Override
  public int size() {
    return members.length;
  }

  @Override
  public String describe(int peer) {
    return "rank " + peer + " of communicator " + number + ", " + whole.describe(members[peer]);
  }

  @Override
  public String host(int peer) {
    return whole.host(members[peer]);
  }

  @Override
  public String rack(int peer) {
    return whole.rack(members[peer]);
  }

  @Override
  public String process(int peer) {
    return whole.process(members[peer]);
  }

  @Override
  public Link link(int peer, Deadline deadline, Cancellation cancellation) throws IOException {
    return whole.link(members[peer], deadline, cancellation);
  }

  @Override
  public void await(@Nullable Link readable, @Nullable Link writable, long nanos)
      throws IOException {
    whole.await(readable, writable, nanos);
  }

  @Override
  public void wakeup() {
    whole.wakeup();
  }

  /** Does nothing: the links serve others. */
  @Override
  public void release() {}

  @Override
  public void close() {
    whole.close();
  }
}
