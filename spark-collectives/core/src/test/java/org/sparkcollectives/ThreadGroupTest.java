package org.sparkcollectives;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.time.Duration;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.sparkcollectives.error.CollectiveException;
import org.sparkcollectives.error.InvalidInputException;
import org.sparkcollectives.vector.ReduceOp;

/** Groups whose ranks are threads of one process: how they begin, fail and end. */
class ThreadGroupTest {
  private static CollectiveException fails(
      int size, CommunicatorOptions options, Group.RankFunction<?> function) {
    return assertThrows(CollectiveException.class, () -> Group.threads(size, options, function));
  }

  private static Throwable rootCause(Throwable failure) {
    Throwable cause = failure;
    while (cause.getCause() != null) {
      cause = cause.getCause();
    }
    return cause;
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 2, 3, 5})
  void threadsAreRanksInOrder(int size) {
    List<Long> sums =
        Group.threads(
            size,
            CommunicatorOptions.DEFAULT,
            c -> c.allReduce(new long[] {c.rank()}, ReduceOp.SUM)[0] * 100 + c.rank());
    for (int rank = 0; rank < size; rank++) {
      assertEquals(size * (size - 1L) / 2 * 100 + rank, sums.get(rank));
    }
  }

  @Test
  void aCommunicatorThatCannotBeMadeEndsAllRanksAtOnce() {
    AtomicInteger made = new AtomicInteger();
    CommunicatorOptions options =
        CommunicatorOptions.DEFAULT
            .withTimeout(Duration.ofHours(1))
            .withCodec(
                () -> {
                  if (made.incrementAndGet() == 2) {
                    throw new IllegalStateException("no codec");
                  }
                  return CommunicatorOptions.DEFAULT.codec().get();
                });
    CollectiveException failure =
        fails(
            3,
            options,
            communicator -> {
              communicator.barrier();
              return 0;
            });
    assertEquals("no codec", rootCause(failure).getMessage());
  }

  @Test
  void noRankRunsAnyMoreWhenAGroupHasFailed() {
    CountDownLatch working = new CountDownLatch(2);
    CountDownLatch never = new CountDownLatch(1);
    AtomicInteger ended = new AtomicInteger();
    CollectiveException failure =
        fails(
            3,
            CommunicatorOptions.DEFAULT,
            communicator -> {
              if (communicator.rank() == 1) {
                working.await();
                throw new IllegalStateException("the second");
              }
              try {
                working.countDown();
                return never.await(1, TimeUnit.HOURS);
              } finally {
                ended.incrementAndGet();
              }
            });
    assertEquals("the second", rootCause(failure).getMessage());
    assertTrue(failure.getMessage().contains("rank 1"), failure.getMessage());
    assertEquals(2, ended.get());
  }

  @Test
  void aGroupHasARank() {
    InvalidInputException e =
        assertThrows(
            InvalidInputException.class,
            () -> Group.threads(0, CommunicatorOptions.DEFAULT, communicator -> 0));
    assertTrue(e.getMessage().contains("a group of 0 ranks"), e.getMessage());
  }

  @Test
  @SuppressWarnings("NullAway") // what a user's Java code can do
  void nullIsRefusedBeforeAnyThreadBegins() {
    String noOptions = fails(2, null, communicator -> 0).getMessage();
    assertTrue(noOptions.contains("the argument options is null"), noOptions);
    String noFunction = fails(2, CommunicatorOptions.DEFAULT, null).getMessage();
    assertTrue(noFunction.contains("the function is null"), noFunction);
  }

  @Test
  void anOperationSaysWhyAnotherThreadBrokeItOff() {
    CountDownLatch never = new CountDownLatch(1);
    AtomicReference<String> heard = new AtomicReference<>();
    fails(
        2,
        CommunicatorOptions.DEFAULT,
        communicator -> {
          if (communicator.rank() == 1) {
            return never.await(1, TimeUnit.HOURS);
          }
          RuntimeException reason = new IllegalStateException("too slow");
          Thread watchdog = new Thread(() -> communicator.abort(reason));
          watchdog.start();
          CollectiveException e = assertThrows(CollectiveException.class, communicator::barrier);
          heard.set(e.getMessage());
          watchdog.join();
          throw e;
        });
    assertTrue(heard.get().contains("too slow"), heard::get);
    assertFalse(heard.get().contains("rank 1"), heard::get);
  }

  @Test
  void aListenerThatThrowsWhatItHearsHidesNothing() {
    CommunicatorOptions options =
        CommunicatorOptions.DEFAULT.withFailureListener(
            reason -> {
              throw (RuntimeException) reason;
            });
    ReduceOp<Object> broken =
        ReduceOp.ofDouble(
            "broken",
            true,
            (a, b) -> {
              throw new IllegalStateException("cannot add");
            });
    CollectiveException failure =
        fails(2, options, communicator -> communicator.allReduce(new double[] {1}, broken));
    assertEquals("cannot add", rootCause(failure).getMessage());
  }

  @Test
  void aListenerHearsOfAFailureOnce() {
    List<Throwable> heard = Collections.synchronizedList(new ArrayList<>());
    CommunicatorOptions options = CommunicatorOptions.DEFAULT.withFailureListener(heard::add);
    ReduceOp<Object> broken =
        ReduceOp.ofDouble(
            "broken",
            true,
            (a, b) -> {
              throw new IllegalStateException("cannot add");
            });
    fails(3, options, communicator -> communicator.allReduce(new double[] {1}, broken));
    assertEquals(3, heard.size(), heard::toString);
    heard.clear();
    fails(
        1,
        options,
        communicator -> {
          throw new IllegalStateException("no result");
        });
    assertEquals("no result", heard.get(0).getMessage());
    assertEquals(1, heard.size(), heard::toString);
  }

  @Test
  void aTimeoutMayBeLongerThanNanosecondsCanSay() {
    CommunicatorOptions options =
        CommunicatorOptions.DEFAULT.withTimeout(ChronoUnit.FOREVER.getDuration());
    List<Integer> ranks =
        Group.threads(
            2,
            options,
            communicator -> {
              communicator.barrier();
              return communicator.rank();
            });
    assertEquals(List.of(0, 1), ranks);
  }
}
