package org.sparkcollectives;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.RepeatedTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.sparkcollectives.error.CollectiveException;
import org.sparkcollectives.error.InvalidInputException;
import org.sparkcollectives.error.RankFailedException;
import org.sparkcollectives.internal.transport.ring.MemoryMesh;
import org.sparkcollectives.transport.Transport;
import org.sparkcollectives.vector.ReduceOp;

/** Ranks that call something else than others learn both calls long before the timeout. */
@Timeout(120)
class DisagreementTest {
  private static final CommunicatorOptions OPTIONS =
      CommunicatorOptions.DEFAULT.withTimeout(Duration.ofMinutes(10));

  private static String message(int size, Group.RankFunction<?> function) {
    String message = refusal(size, function);
    assertTrue(message.contains("do different operations"), message);
    return message;
  }

  private static String refusal(int size, Group.RankFunction<?> function) {
    RankFailedException failed =
        assertThrows(RankFailedException.class, () -> Group.threads(size, OPTIONS, function::run));
    InvalidInputException e = assertInstanceOf(InvalidInputException.class, failed.getCause());
    String told = String.valueOf(failed.getMessage());
    assertTrue(told.matches("rank \\d+ failed: \\Q" + e.getMessage() + "\\E"), told);
    return String.valueOf(e.getMessage());
  }

  private static void names(String message, String... parts) {
    for (String part : parts) {
      assertTrue(message.contains(part), message);
    }
  }

  @Test
  void twoRootsThatWaitForEachOther() {
    String message = message(2, c -> c.reduce(new double[] {1, 2}, ReduceOp.SUM, c.rank()));
    names(message, "rank 0", "rank 1", "reduce #1 of 2 double, root 0", "root 1");
  }

  /** Both send what fits into memory, and neither waits. */
  @Test
  void ranksThatAreThroughAreCompared() {
    String message = message(2, c -> c.by("binomial").broadcast(new int[1], c.rank()));
    names(message, "rank 0", "rank 1", "root 0", "root 1");
  }

  @RepeatedTest(10) // ranks that are through leave, sooner or later than others find them gone
  void oneRankOfManyWithAnotherRoot() {
    String message = message(5, c -> c.reduce(new double[3], ReduceOp.SUM, c.rank() == 3 ? 3 : 0));
    names(message, "rank 3", "root 3", "root 0", "of 3 double");
  }

  /** Nobody is told by its messages, as it has none for those that wait. */
  @ParameterizedTest
  @ValueSource(longs = {0, 1500}) // through before the others tell what they wait in, and after
  void aRankThatReturnsBeforeTheOthers(long millis) {
    String message =
        refusal(
            3,
            c -> {
              c.barrier();
              if (c.rank() != 2) {
                return c.broadcast(new double[4], 2);
              }
              Thread.sleep(millis);
              return null;
            });
    names(
        message, "rank 2", "has returned without what others have called: it was in 1 operation,");
    names(message, "has called number 2, broadcast #2 of 4 double", "Let every rank call the same");
  }

  @Test
  void partsOfOtherLengthsAreNamedByTheWhole() {
    String message = message(3, c -> c.allGather(new double[c.rank() == 1 ? 6 : 5]));
    names(message, "rank 1", "of 15 double in all", "of 18 double in all");
  }

  @Test
  void algorithmsWhoseLinksDiffer() {
    String message =
        message(
            6,
            c ->
                c.by(c.rank() == 4 ? "ring" : "recursive-doubling")
                    .allReduce(new double[12], ReduceOp.SUM));
    names(message, "rank 4", "ring", "recursive-doubling");
  }

  @Test
  void algorithmsWhoseMessagesArriveAreNamed() {
    String message =
        message(
            2,
            c ->
                c.by(c.rank() == 0 ? "ring" : "recursive-doubling")
                    .allReduce(new double[12], ReduceOp.SUM));
    names(message, "rank 0", "rank 1", "(ring", "(recursive-doubling", "operator 'sum'");
  }

  @Test
  void operatorsAreNamed() {
    String message =
        message(3, c -> c.allReduce(new long[2], c.rank() == 2 ? ReduceOp.MAX : ReduceOp.SUM));
    names(message, "operator 'sum'", "operator 'maximum'", "rank 2");
  }

  @Test
  void aCallThatOthersHaveLongLeftBehind() {
    // rank 2 waits for rank 1 in the first operation, rank 1 for rank 2 in the second
    String message =
        message(
            3,
            c -> {
              c.by("binomial").broadcast(new int[1], c.rank() == 2 ? 1 : 0);
              return c.by("linear-pipeline").reduce(new int[1], ReduceOp.SUM, 0);
            });
    names(message, "broadcast #1", "root 1", "root 0");
  }

  /** Numbers that are taken for what is said of an object, as those of a rank that lies. */
  @ParameterizedTest
  @CsvSource({
    "0, -1",
    "0, 2147483640", // one more than an array can have
    "0, 9223372036854775807",
    "0, 4294967296",
    "1, -9223372036854775808",
    "6, 1", // objects lie in no array
    "7, 1",
    "-1, 1",
    "4294967296, 1"
  })
  void numbersThatAreNoShapeOfAnObject(long kind, long length) {
    String message =
        refusal(
            2,
            c ->
                c.rank() == 0
                    ? c.broadcast(new long[] {kind, length}, 0)
                    : c.objects().broadcast(null, 0));
    names(message, "what root 0 broadcasts is no object", "kind " + kind, length + " elements");
  }

  @Test
  void groupsOfOneSplitAreNotCompared() {
    List<Integer> sizes =
        Group.threads(
            4,
            OPTIONS,
            c -> {
              Communicator half = Objects.requireNonNull(c.split(c.rank() % 2, 0));
              if (half.rank() == 0) {
                Thread.sleep(1_500); // the others tell what they called
              }
              return half.allReduce(new int[1 + c.rank() % 2], ReduceOp.SUM).length;
            });
    assertEquals(List.of(1, 2, 1, 2), sizes);
  }

  /** Groups whose members have one hash by Java's rule for lists. */
  @Test
  void norAreThoseWithMembersThatHashAlike() {
    List<Integer> sizes =
        Group.threads(
            34,
            OPTIONS,
            c -> {
              int group = c.rank() == 0 || c.rank() == 33 ? 0 : c.rank() <= 2 ? 1 : 2;
              Communicator pair = Objects.requireNonNull(c.split(group, 0));
              if (group < 2 && pair.rank() == 0) {
                Thread.sleep(1_500); // the others tell what they called
              }
              return pair.allReduce(new int[10 + group], ReduceOp.SUM).length;
            });
    assertEquals(List.of(10, 11, 11), sizes.subList(0, 3));
    assertEquals(10, sizes.get(33));
  }

  /** As listeners in Scala may, which declare no exceptions. */
  private static List<Throwable> failures() {
    return List.of(
        new IllegalStateException("the listener's own"),
        new AssertionError("the listener's own"),
        new IOException("the listener's own"));
  }

  @SuppressWarnings("unchecked")
  private static <E extends Throwable> void fail(Throwable failure) throws E {
    throw (E) failure;
  }

  @ParameterizedTest
  @MethodSource("failures")
  void aListenerThatFailsEndsNoOperation(Throwable failure) {
    List<double[]> sums =
        Group.threads(
            2,
            OPTIONS.withWaitListener(calls -> DisagreementTest.<RuntimeException>fail(failure)),
            c -> {
              if (c.rank() == 1) {
                Thread.sleep(1_500);
              }
              return c.allReduce(new double[] {1}, ReduceOp.SUM);
            });
    assertEquals(2, sums.get(0)[0]);
  }

  @ParameterizedTest
  @MethodSource("failures")
  void aListenerThatFailsHidesNoFailureAndTheCommunicatorIsBroken(Throwable failure) {
    List<Transport> mesh = MemoryMesh.create(2);
    Communicator left =
        new Communicator(
            mesh.get(0),
            OPTIONS.withWaitListener(calls -> DisagreementTest.<RuntimeException>fail(failure)));
    mesh.get(1).close();
    RankFailedException gone =
        assertThrows(RankFailedException.class, () -> left.allReduce(new double[4], ReduceOp.SUM));
    names(String.valueOf(gone.getMessage()), "allreduce #1 of 4 double", "rank 1");
    CollectiveException again = assertThrows(CollectiveException.class, left::barrier);
    names(String.valueOf(again.getMessage()), "broke in an earlier");
  }

  @Test
  void aSlowRankIsNoFaultAndTheOthersTellOnce() {
    List<List<CommunicatorOptions.Call>> heard = Collections.synchronizedList(new ArrayList<>());
    Group.threads(
        3,
        OPTIONS.withWaitListener(heard::add),
        c -> {
          c.barrier();
          if (c.rank() == 1) {
            while (ofReduce(heard).size() < 2) {
              Thread.sleep(10);
            }
            Thread.sleep(600);
          }
          return c.allReduce(new double[4], ReduceOp.SUM);
        });
    assertEquals(2, ofReduce(heard).size(), heard.toString());
    for (List<CommunicatorOptions.Call> calls : ofReduce(heard)) {
      assertEquals(2, calls.size(), calls.toString());
      assertTrue(calls.get(0).what().startsWith("barrier #1"), calls.toString());
      assertTrue(calls.get(1).what().startsWith("allreduce #2 of 4 double"), calls.toString());
    }
  }

  /** What was told in an allreduce, and not because the barrier before it took its time. */
  private static List<List<CommunicatorOptions.Call>> ofReduce(
      List<List<CommunicatorOptions.Call>> heard) {
    synchronized (heard) {
      return heard.stream()
          .filter(calls -> calls.get(calls.size() - 1).what().startsWith("allreduce"))
          .toList();
    }
  }
}
