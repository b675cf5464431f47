package org.sparkcollectives;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.sparkcollectives.error.CollectiveException;
import org.sparkcollectives.error.InvalidInputException;
import org.sparkcollectives.error.RankFailedException;
import org.sparkcollectives.internal.engine.Operation;
import org.sparkcollectives.internal.transport.ring.MemoryMesh;
import org.sparkcollectives.schedule.Topology;
import org.sparkcollectives.transport.Transport;
import org.sparkcollectives.vector.ReduceOp;

/** Communicators over the same connections: who is in them, what they do at once, how they end. */
@Timeout(180)
class SplitTest {
  private static final CommunicatorOptions OPTIONS =
      CommunicatorOptions.DEFAULT.withTimeout(Duration.ofSeconds(30));

  @ParameterizedTest
  @ValueSource(ints = {1, 2, 3, 5, 8, 9})
  void everyAlgorithmOnDisjointCommunicatorsAtOnce(int size) {
    Group.threads(
        size,
        OPTIONS,
        c -> {
          SplitCheck check = new SplitCheck(c);
          check.everyAlgorithm(r -> r % 2, r -> r);
          check.everyAlgorithm(r -> r % 3, r -> -r);
          check.everyAlgorithm(r -> Math.min(2, r / 2), r -> r % 2); // of other sizes
          check.everyAlgorithm(r -> 0, r -> (5 * r + 2) % 7);
          return null;
        });
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 2, 3, 4, 6, 7})
  void communicatorsThatShareRanksTakeTurns(int size) {
    Group.threads(
        size,
        OPTIONS,
        c -> {
          SplitCheck check = new SplitCheck(c);
          check.someInNone();
          check.toAndFro();
          check.toAndFro();
          return null;
        });
  }

  @Test
  void aCommunicatorHasTheTopologyOfItsRanks() throws Exception {
    List<Transport> mesh = new ArrayList<>();
    for (Transport transport : MemoryMesh.create(6)) {
      mesh.add(onHostsOfTwo(transport));
    }
    ExecutorService threads = Executors.newFixedThreadPool(6);
    try {
      List<Future<Topology>> found = new ArrayList<>();
      for (Transport transport : mesh) {
        found.add(
            threads.submit(
                () -> {
                  Communicator world = new Communicator(transport, OPTIONS);
                  SplitCheck check = new SplitCheck(world);
                  check.everyAlgorithm(r -> r % 4 / 2, r -> r);
                  check.everyAlgorithm(r -> r % 2, r -> r);
                  Topology first = check.split(r -> r / 4, r -> r).topology();
                  world.close();
                  return first;
                }));
      }
      for (int rank = 0; rank < 6; rank++) {
        Topology expected =
            rank < 4
                ? Topology.ofHosts(List.of("a", "a", "b", "b"))
                : Topology.ofHosts(List.of("c", "c"));
        assertEquals(expected, found.get(rank).get(2, TimeUnit.MINUTES));
      }
    } finally {
      mesh.forEach(Transport::close);
      threads.shutdownNow();
    }
  }

  /** The same links, said to be of processes of which two consecutive ones share a host. */
  private static Transport onHostsOfTwo(Transport transport) {
    return (Transport)
        Proxy.newProxyInstance(
            Transport.class.getClassLoader(),
            new Class<?>[] {Transport.class},
            (proxy, method, arguments) -> {
              if (method.getName().equals("host")) {
                return "host " + (int) arguments[0] / 2;
              }
              if (method.getName().equals("process")) {
                return "process " + arguments[0];
              }
              try {
                return method.invoke(transport, arguments);
              } catch (InvocationTargetException e) {
                throw Objects.requireNonNull(e.getCause());
              }
            });
  }

  @Test
  void communicatorsOfOneSplitHaveOneNumberAndNoTwoOfARankTheSame() {
    long[] wishes = {1, 5, 3, 0, 0, 2, 1, 5, 9, 1, -7, 1, -2, 0, 1};
    assertArrayEquals(new int[] {3, 0, 2}, Split.of(wishes, 1).members());
    assertArrayEquals(new int[] {1}, Split.of(wishes, 0).members());
    assertArrayEquals(new int[0], Split.of(wishes, -2).members());
    assertEquals(9, Split.of(wishes, 1).number());
    assertEquals(9, Split.of(wishes, -2).number());
    long last = Operation.LAST_COMMUNICATOR;
    assertEquals(last, Split.of(new long[] {0, 0, last}, 0).number());
    assertEquals(1, Split.of(new long[] {0, 0, last + 1}, 0).number());
  }

  @Test
  void aRankThatWasLongInNoSplitBringsNoNumberBack() {
    long last = Operation.LAST_COMMUNICATOR;
    Transport alone = MemoryMesh.create(1).get(0);
    try (Runner ahead = new Runner(alone, OPTIONS)) {
      assertNull(ahead.split(Split.of(new long[] {0, 0, last + 1}, -1)));
      long behind = last - 94;
      long[] wishes = {-1, 0, behind, -1, 0, ahead.nextNumber()};
      assertEquals(2, Split.of(wishes, -1).number());
    }
  }

  @Test
  void manySplitsOneAfterTheOther() {
    Group.threads(
        3,
        OPTIONS,
        c -> {
          for (int i = 0; i < Operation.LAST_COMMUNICATOR + 10; i++) {
            try (Communicator pair = c.split(c.rank() == i % 3 ? -1 : 0, 0)) {
              if (pair != null) {
                assertEquals(2, pair.allReduce(new int[] {1}, ReduceOp.SUM)[0]);
              }
            }
          }
          return null;
        });
  }

  @Test
  void ranksThatTakeTwoCommunicatorsForEachOtherAreTold() {
    CollectiveException e =
        fails(
            2,
            c -> {
              Communicator twin = c.dup();
              c.barrier();
              return (c.rank() == 0 ? c : twin).allReduce(new long[] {1}, ReduceOp.SUM);
            });
    assertInstanceOf(InvalidInputException.class, e);
    assertTrue(e.getMessage().contains("do different operations"), e.getMessage());
    assertTrue(e.getMessage().contains("allreduce #1 of 1 long in communicator 1"), e.getMessage());
    assertTrue(e.getMessage().contains("allreduce #3 of 1 long"), e.getMessage());
  }

  @Test
  void twoCommunicatorsThatShareRanksAreToldApartByNumberAlone() {
    CollectiveException e =
        fails(
            3,
            c -> {
              Communicator first = c.split(0, 0);
              Communicator second = c.split(0, 0);
              assertNotNull(first);
              assertNotNull(second);
              return (c.rank() == 1 ? first : second).allReduce(new long[] {1}, ReduceOp.SUM);
            });
    assertTrue(e.getMessage().contains("#1 of 1 long in communicator 1"), e.getMessage());
    assertTrue(e.getMessage().contains("#1 of 1 long in communicator 2"), e.getMessage());
    assertTrue(e.getMessage().contains("of communicator "), e.getMessage());
  }

  @Test
  void closingACommunicatorLeavesTheOthersAlone() {
    Group.threads(
        4,
        OPTIONS,
        c -> {
          Communicator half = c.split(c.rank() / 2, 0);
          assertNotNull(half);
          Communicator twin = half.dup();
          half.close();
          half.close();
          assertEnded(half, "the communicator is closed");
          assertEquals(2, twin.allReduce(new int[] {1}, ReduceOp.SUM)[0]);
          assertEquals(4, c.allReduce(new int[] {1}, ReduceOp.SUM)[0]);
          c.by("ring").close();
          assertEnded(c, "the communicator is closed");
          assertEnded(twin, "the communicator is closed");
          twin.close();
          return null;
        });
  }

  private static void assertEnded(Communicator communicator, String reason) {
    CollectiveException e =
        assertThrows(
            CollectiveException.class, () -> communicator.allReduce(new int[1], ReduceOp.SUM));
    assertTrue(e.getMessage().contains(reason), e.getMessage());
    assertThrows(CollectiveException.class, () -> communicator.split(0, 0));
  }

  @Test
  void aCommunicatorThatFailsBreaksAllThatShareItsConnections() {
    ReduceOp<Object> throwing =
        ReduceOp.ofInt(
            "throwing",
            true,
            (a, b) -> {
              throw new ArithmeticException("no such sum");
            });
    CollectiveException e =
        fails(
            4,
            c -> {
              Communicator half = c.split(c.rank() % 2, 0);
              assertNotNull(half);
              Communicator twin = half.dup();
              if (c.rank() % 2 == 0) {
                half.allReduce(new int[1], c.rank() == 0 ? throwing : ReduceOp.SUM);
              }
              twin.barrier();
              return c.allReduce(new int[1], ReduceOp.SUM);
            });
    assertTrue(e.getMessage().contains("in communicator 1"), e.getMessage());

    List<String> seen =
        Group.threads(
            1,
            OPTIONS,
            c -> {
              Communicator twin = c.dup();
              Communicator another = c.dup();
              twin.by("ring").abort(new IllegalStateException("enough"));
              assertEnded(c, "enough");
              assertEnded(another, "broke in an earlier operation");
              return "ended";
            });
    assertEquals(List.of("ended"), seen);
  }

  @Test
  void anOperationInsideAnotherOneIsRefused() {
    CollectiveException e =
        fails(
            2,
            c -> {
              Communicator twin = c.dup();
              ReduceOp<Object> nested =
                  ReduceOp.ofLong(
                      "nested",
                      true,
                      (a, b) -> twin.allReduce(new long[] {a + b}, ReduceOp.SUM)[0]);
              return c.allReduce(new long[1], nested);
            });
    assertInstanceOf(InvalidInputException.class, e);
    assertTrue(e.getMessage().contains("another operation of this rank"), e.getMessage());
  }

  @Test
  void aViewsAlgorithmIsNotThatOfItsSplits() {
    Group.threads(
        3,
        OPTIONS,
        c -> {
          Communicator none = c.by("no such algorithm");
          Communicator group = none.split(c.rank() == 0 ? -1 : 1, 0);
          if (c.rank() == 0) {
            assertNull(group);
          } else {
            assertNotNull(group);
            assertEquals(2, group.allReduce(new int[] {1}, ReduceOp.SUM)[0]);
          }
          assertEquals(3, none.dup().allReduce(new int[] {1}, ReduceOp.SUM)[0]);
          assertEquals(3, none.by(null).allReduce(new int[] {1}, ReduceOp.SUM)[0]);
          return assertThrows(
              InvalidInputException.class, () -> none.allReduce(new int[] {1}, ReduceOp.SUM));
        });
  }

  /** Runs ranks of which one must throw; returns what it threw. */
  private static CollectiveException fails(int size, Group.RankFunction<?> function) {
    RankFailedException e =
        assertThrows(RankFailedException.class, () -> Group.threads(size, OPTIONS, function));
    return assertInstanceOf(CollectiveException.class, e.getCause());
  }
}
