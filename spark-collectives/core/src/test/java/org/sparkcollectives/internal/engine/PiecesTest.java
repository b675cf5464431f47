package org.sparkcollectives.internal.engine;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;

import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.sparkcollectives.internal.transport.ring.MemoryMesh;
import org.sparkcollectives.internal.vector.Vector;
import org.sparkcollectives.schedule.BlockRange;
import org.sparkcollectives.schedule.Collective;
import org.sparkcollectives.schedule.Piece;
import org.sparkcollectives.schedule.Problem;
import org.sparkcollectives.schedule.Receive;
import org.sparkcollectives.schedule.Round;
import org.sparkcollectives.schedule.Schedule;
import org.sparkcollectives.schedule.Send;
import org.sparkcollectives.transport.Cancellation;
import org.sparkcollectives.transport.Deadline;
import org.sparkcollectives.transport.Transport;

/** Messages of several pieces. */
@Timeout(60)
class PiecesTest {
  private static final int BLOCKS = 200;

  /** Both ranks give each other every second block, rank 0 the even ones. */
  private static Schedule schedule(int rank) {
    Problem problem = new Problem(Collective.ALLREDUCE, 2, 0, BLOCKS, true);
    Round round =
        new Round(
            new Send(1 - rank, pieces(rank)), new Receive(1 - rank, pieces(1 - rank)), List.of());
    return new Schedule(problem, "pieces", rank, new BlockRange(0, BLOCKS), List.of(round));
  }

  private static List<Piece> pieces(int first) {
    return IntStream.range(0, BLOCKS / 2)
        .mapToObj(i -> new Piece(0, BlockRange.of(2 * i + first)))
        .toList();
  }

  /** Both vectors, after each rank has counted its writes. */
  private static List<double[]> exchange(int blockElements, AtomicInteger writes) throws Exception {
    List<Transport> mesh =
        MemoryMesh.create(2).stream()
            .<Transport>map(inner -> new PlainLinks(inner, writes))
            .toList();
    return Ranks.run(
        mesh,
        transport -> {
          double[] vector = new double[BLOCKS * blockElements];
          Arrays.fill(vector, transport.rank() + 1);
          Engines.plain()
              .run(
                  new Operation(
                      Program.compile(schedule(transport.rank())),
                      Vector.of(vector),
                      null,
                      1,
                      transport,
                      Deadline.after(Duration.ofSeconds(30)),
                      Cancellation.NONE));
          return vector;
        });
  }

  private static void check(List<double[]> results, int blockElements) {
    double[] expected = new double[BLOCKS * blockElements];
    for (int i = 0; i < expected.length; i++) {
      expected[i] = i / blockElements % 2 + 1;
    }
    results.forEach(result -> assertArrayEquals(expected, result));
  }

  @Test
  void shortOnesLeaveInOneWrite() throws Exception {
    AtomicInteger writes = new AtomicInteger();
    check(exchange(3, writes), 3);
    assertEquals(2, writes.get());
  }

  @Test
  void longOnesArriveAsWell() throws Exception {
    for (int blockElements : new int[] {1, 100, 700, 5000, 17_000}) {
      check(exchange(blockElements, new AtomicInteger()), blockElements);
    }
  }
}
