package org.sparkcollectives.internal.transport;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.sparkcollectives.transport.Cancellation;
import org.sparkcollectives.transport.Deadline;

/** The end of a rank's links, of which there are several kinds. */
final class RankTransportTest {
  private final List<Error> failures = new ArrayList<>();
  private final List<RankTransport> ended = new ArrayList<>();

  /** A kind of link whose end fails. */
  private LinkProvider.Links failing() {
    return new LinkProvider.Links() {
      @Override
      public boolean reaches(Peer peer) {
        return false;
      }

      @Override
      public LinkProvider.WaitableLink open(
          Peer peer, Deadline deadline, Cancellation cancellation) {
        throw new UnsupportedOperationException();
      }

      @Override
      public void leave(boolean inOrder) {
        Error failure = new OutOfMemoryError("kind " + failures.size() + ", says the test");
        failures.add(failure);
        throw failure;
      }
    };
  }

  @Test
  void aKindThatFailsLeavesNoOtherOpen() throws Exception {
    Roster roster = new Roster(0, 0, new byte[0], List.of(new Peer(0, "here", "", 0, "here", "")));
    LinkProvider kind = rank -> failing();
    RankTransport transport =
        RankTransport.join(
            roster,
            0,
            List.of(kind, kind, kind),
            new TransportCounters(),
            new BufferPool(),
            ended::add);
    Error told = assertThrows(OutOfMemoryError.class, transport::close);
    assertEquals(3, failures.size());
    assertSame(failures.get(0), told);
    assertSame(failures.get(1), told.getSuppressed()[0]);
    assertSame(failures.get(2), failures.get(1).getSuppressed()[0]);
    assertEquals(List.of(transport), ended);
  }
}
