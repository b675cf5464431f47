package org.sparkcollectives;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.sparkcollectives.error.CollectiveException;
import org.sparkcollectives.error.InvalidInputException;
import org.sparkcollectives.internal.transport.ring.MemoryMesh;
import org.sparkcollectives.transport.Transport;

/** Communicators that are closed or broken off, or called, while a thread begins an operation. */
@Timeout(60)
class ClosingTest {
  private static final CommunicatorOptions OPTIONS =
      CommunicatorOptions.DEFAULT.withTimeout(Duration.ofSeconds(30));

  private final List<String> calls = Collections.synchronizedList(new ArrayList<>());
  private final CountDownLatch begun = new CountDownLatch(1);
  private final CountDownLatch goOn = new CountDownLatch(1);

  /** The thread that stops, once, where it calls this method of its transport. */
  private volatile @Nullable Thread stops;

  private volatile String stopsAt = "size"; // which an operation asks for when it begins

  /** One that tells what is called, and stops that thread. */
  private Transport watched(Transport transport) {
    return (Transport)
        Proxy.newProxyInstance(
            Transport.class.getClassLoader(),
            new Class<?>[] {Transport.class},
            (proxy, method, arguments) -> {
              calls.add(method.getName());
              if (method.getName().equals(stopsAt) && Thread.currentThread().equals(stops)) {
                stops = null;
                begun.countDown();
                assertTrue(goOn.await(30, TimeUnit.SECONDS));
              }
              try {
                return method.invoke(transport, arguments);
              } catch (InvocationTargetException e) {
                throw Objects.requireNonNull(e.getCause());
              }
            });
  }

  /** An operation in a thread of its own that has begun and does not go on before it is told to. */
  private FutureTask<@Nullable CollectiveException> begin(Runnable operation) throws Exception {
    FutureTask<@Nullable CollectiveException> other =
        new FutureTask<>(
            () -> {
              try {
                operation.run();
                return null;
              } catch (CollectiveException e) {
                return e;
              }
            });
    Thread thread = new Thread(other, "other");
    stops = thread;
    thread.start();
    assertTrue(begun.await(30, TimeUnit.SECONDS));
    return other;
  }

  private @Nullable CollectiveException end(FutureTask<@Nullable CollectiveException> other)
      throws Exception {
    goOn.countDown();
    return other.get(30, TimeUnit.SECONDS);
  }

  @Test
  void linksOfAnOperationThatHasBegunAreNotGivenBack() throws Exception {
    Communicator own = new Communicator(watched(MemoryMesh.create(2).get(0)), OPTIONS);
    FutureTask<@Nullable CollectiveException> other = begin(own::barrier);
    own.close();
    assertInstanceOf(CollectiveException.class, end(other));
    assertTrue(calls.contains("close") && !calls.contains("release"), calls.toString());
  }

  /** A part of 32 MiB is copied between the choice of an algorithm and the first message. */
  @Test
  void norBetweenTheStepsOfACall() throws Exception {
    Communicator own = new Communicator(watched(MemoryMesh.create(2).get(0)), OPTIONS);
    FutureTask<@Nullable CollectiveException> other =
        begin(() -> own.allGather(new double[1 << 22]));
    goOn.countDown();
    own.close();
    assertInstanceOf(CollectiveException.class, end(other));
    assertTrue(calls.contains("close") && !calls.contains("release"), calls.toString());
  }

  @Test
  void aGroupThatIsClosedInItsOperationBreaksAllAndAnotherOneDoesNot() throws Exception {
    List<? extends Transport> mesh = MemoryMesh.create(2);
    FutureTask<List<Communicator>> peer =
        new FutureTask<>(() -> twins(new Communicator(mesh.get(1), OPTIONS)));
    new Thread(peer).start();
    List<Communicator> own = twins(new Communicator(watched(mesh.get(0)), OPTIONS));
    assertEquals(2, peer.get(30, TimeUnit.SECONDS).size());
    stopsAt = "link";
    FutureTask<@Nullable CollectiveException> other = begin(own.get(0)::barrier);
    own.get(1).close();
    assertTrue(!calls.contains("close"), calls.toString());
    own.get(0).close();
    assertTrue(calls.contains("close"), calls.toString());
    assertInstanceOf(CollectiveException.class, end(other));
  }

  private static List<Communicator> twins(Communicator communicator) {
    return List.of(communicator.dup(), communicator.dup());
  }

  @Test
  void ofTwoThreadsThatBeginTheSecondIsRefused() throws Exception {
    Communicator own = new Communicator(watched(MemoryMesh.create(1).get(0)), OPTIONS);
    FutureTask<@Nullable CollectiveException> other = begin(own::barrier);
    for (Runnable call :
        List.<Runnable>of(own::barrier, own::dup, () -> own.gather(new int[1], 0))) {
      InvalidInputException e = assertThrows(InvalidInputException.class, call::run);
      assertTrue(e.getMessage().contains("thread 'other' is in an operation"), e.getMessage());
    }
    assertEquals(null, end(other));
    own.barrier();
    own.close();
    assertTrue(calls.contains("release"), calls.toString());
  }

  @Test
  void aCallThatIsRefusedLeavesTheLinksToOtherThreads() throws Exception {
    Communicator own = new Communicator(watched(MemoryMesh.create(1).get(0)), OPTIONS);
    for (Runnable call :
        List.<Runnable>of(
            () -> own.broadcast(new int[1], 1),
            () -> own.by("no such algorithm").gather(new int[1], 0),
            () -> own.by("no such algorithm").barrier())) {
      FutureTask<InvalidInputException> wrong =
          new FutureTask<>(() -> assertThrows(InvalidInputException.class, call::run));
      new Thread(wrong).start();
      wrong.get(30, TimeUnit.SECONDS);
      own.barrier();
    }
  }

  /** Notes when its listener is told, beside what is called. */
  private Communicator heard(Transport transport) {
    return new Communicator(
        watched(transport),
        OPTIONS.withFailureListener(reason -> calls.add("told " + reason.getMessage())));
  }

  private List<String> toldAndClosed() {
    return calls.stream().filter(call -> call.matches("told .*|close|release")).toList();
  }

  @Test
  void anAbortAfterAFailureTellsNothingAgain() {
    CommunicatorOptions stopped =
        OPTIONS
            .withFailureListener(reason -> calls.add("told " + reason.getMessage()))
            .withCancellation(() -> new IllegalStateException("enough"));
    Communicator own = new Communicator(watched(MemoryMesh.create(1).get(0)), stopped);
    RuntimeException e = assertThrows(IllegalStateException.class, own::barrier);
    own.abort(e);
    own.close();
    assertEquals(List.of("told enough", "close"), toldAndClosed());
  }

  @Test
  void anAbortIsToldOnceAndBeforeTheLinksClose() {
    Communicator own = heard(MemoryMesh.create(1).get(0));
    Communicator twin = own.dup();
    twin.close();
    twin.abort(new IllegalStateException("first"));
    own.abort(new IllegalStateException("second"));
    assertEquals(List.of("told first", "close"), toldAndClosed());
    CollectiveException e = assertThrows(CollectiveException.class, own::barrier);
    assertTrue(e.getMessage().contains("first"), e.getMessage());
  }

  @Test
  void anAbortAfterTheEndTellsNothing() {
    Communicator own = heard(MemoryMesh.create(1).get(0));
    own.close();
    own.abort(new IllegalStateException("late"));
    assertEquals(List.of("release"), toldAndClosed());
    CollectiveException e = assertThrows(CollectiveException.class, own::barrier);
    assertTrue(e.getMessage().contains("the communicator is closed"), e.getMessage());
  }

  @Test
  void aListenerMayBreakOffWhatItHears() {
    AtomicReference<@Nullable Communicator> own = new AtomicReference<>();
    CommunicatorOptions options =
        OPTIONS.withFailureListener(
            reason -> {
              calls.add("told " + reason.getMessage());
              Communicator broken = Objects.requireNonNull(own.get());
              broken.abort(reason);
              broken.close();
            });
    Communicator made = new Communicator(watched(MemoryMesh.create(1).get(0)), options);
    own.set(made);
    made.abort(new IllegalStateException("enough"));
    assertEquals(List.of("told enough", "close"), toldAndClosed());
  }
}
