package org.sparkcollectives.select;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.function.Executable;
import org.sparkcollectives.error.InvalidInputException;
import org.sparkcollectives.schedule.Collective;
import org.sparkcollectives.schedule.Topology;

final class RequestTest {
  private static Request of(Collective collective, int size, long bytes) {
    return Request.of(collective, size, bytes, false, Topology.FLAT);
  }

  private static void refused(Executable request, String message) {
    InvalidInputException e = assertThrows(InvalidInputException.class, request);
    assertTrue(String.valueOf(e.getMessage()).startsWith(message), e.toString());
  }

  @Test
  void numbersThatNoOperationHasAreRefused() {
    for (Collective collective : List.of(Collective.ALLREDUCE, Collective.ALLTOALL)) {
      for (long bytes : new long[] {-8, Long.MIN_VALUE}) {
        refused(() -> of(collective, 8, bytes), "the number of bytes is " + bytes + ": it must be");
      }
      refused(() -> of(collective, 0, 8), "the number of ranks is 0: it must be at least 1");
      refused(() -> of(collective, -1, 8), "the number of ranks is -1");
    }
    refused(() -> of(Collective.ALLTOALL, 8, 1L << 60), "an alltoall of " + (1L << 60) + " bytes");
    refused(
        () -> new Request(Collective.SCAN, 2, 0, true, -1, 8, "sum", Topology.FLAT),
        "the number of units is -1: it must be at least 0");
  }

  @Test
  void nothingAndOneRankAreOperations() {
    assertEquals(0, new Request(Collective.SCAN, 1, 0, true, 0, 0, null, Topology.FLAT).bytes());
    assertEquals(24, of(Collective.ALLTOALL, 3, 8).bytes());
    assertEquals(8, of(Collective.ALLTOALL, 3, 8).vectorBytes());
  }

  @Test
  void anOrderAndEqualCountsSayNothingWhereNothingIsCombined() {
    Request request = Request.of(Collective.ALLGATHER, 2, 64, true, Topology.FLAT);
    assertEquals(request.withCounts(List.of(4, 4)), request);
    assertTrue(!request.ordered());
  }
}
