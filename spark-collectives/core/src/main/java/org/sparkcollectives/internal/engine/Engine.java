package org.sparkcollectives.internal.engine;

import java.io.EOFException;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.nio.ByteBuffer;
import java.util.function.Consumer;
import java.util.function.IntFunction;
import org.jspecify.annotations.Nullable;
import org.sparkcollectives.error.AbortedException;
import org.sparkcollectives.error.CollectiveException;
import org.sparkcollectives.error.DeadlineException;
import org.sparkcollectives.error.RankFailedException;
import org.sparkcollectives.internal.error.CauseChain;
import org.sparkcollectives.transport.Link;
import org.sparkcollectives.transport.Transport;

/**
 * Runs operations of one rank, one after the other, in the caller's thread. Sends and receives go
 * on side by side; when neither can, the thread waits for the link that either is waiting for, and
 * at every wake-up and at least every 20 ms looks at the deadline and at the cancellation. What a
 * user's operator or serializer takes comes on top. An operation that has come to its end has ended
 * well, however late: its thread may have stood still, with the process or for want of a processor.
 *
 * <p>A thread that waits for a short message first looks for it some more times and yields its
 * processor in between: putting a thread to sleep and waking it takes longer than such a message.
 * An operation has {@value #LOOKS} such looks, about a microsecond of processor time each, so that
 * waiting long costs no more than that. Where bytes lie in memory, a look is no system call and the
 * next piece is microseconds away: there every wait has {@value #RING_LOOKS} before those.
 *
 * <p>Memory: two direct buffers of 128 KiB, or of one tuple where that is more, from the first link
 * on whose bytes do not lie in memory, and one from the first operation on objects on; staging of
 * 16 KiB per element type, or as much as a vector of up to 1 MiB; and the scratch blocks that the
 * schedule keeps alive. Nothing is allocated per block.
 */
public final class Engine {
  private static final long LONGEST_WAIT_NANOS = 20_000_000;
  private static final int LOOKS = 250;
  private static final int RING_LOOKS = 50;
  private static final int LEAST_EAGER_BYTES = 1 << 14;
  private static final int MOST_EAGER_BYTES = 1 << 20;

  /** Kept for the thread: what else its processor does outlives a communicator. */
  private static final ThreadLocal<IdleStrategy> IDLE_STRATEGY =
      ThreadLocal.withInitial(IdleStrategy::new);

  private final Memory memory;
  private final int eagerBytes;
  private long sentBytes;
  private long receivedBytes;
  private long waitedNanos;

  /**
   * Makes an engine. It takes buffers when it first needs them, and keeps them.
   *
   * @param eagerBytes the eager limit: what of a long message may go to a rank that may still be
   *     busy with a round before, enough to keep the network busy until that rank is heard of
   * @param buffers gives direct little-endian buffers of so many bytes, always the same number
   */
  public Engine(int eagerBytes, IntFunction<ByteBuffer> buffers) {
    this(Memory.BUFFER_BYTES, eagerBytes, buffers);
  }

  /** An engine with buffers of another size. */
  Engine(int bufferBytes, int eagerBytes, IntFunction<ByteBuffer> buffers) {
    this.memory = new Memory(bufferBytes, buffers);
    this.eagerBytes = eagerBytes;
  }

  /**
   * The eager limit that keeps a network busy for two latencies.
   *
   * @param alphaNanos α, the time of an empty message
   * @param betaNanosPerByte β, the time per byte
   * @return 2α/β, at least 16 KiB and at most 1 MiB
   */
  public static int eagerBytes(double alphaNanos, double betaNanosPerByte) {
    double bytes = 2 * alphaNanos / betaNanosPerByte;
    return (int) Math.min(MOST_EAGER_BYTES, Math.max(LEAST_EAGER_BYTES, bytes));
  }

  /**
   * Runs an operation to its end.
   *
   * @param operation what to do
   * @throws CollectiveException if it fails, is cancelled or does not end by its deadline; the
   *     links are then in an undefined state and must be closed
   */
  public void run(Operation operation) {
    Streams streams = new Streams(operation, memory);
    Sender sender = null;
    Receiver receiver = null;
    waitedNanos = 0;
    try {
      Link[] links = opened(operation);
      boolean copying = copying(links);
      sender = new Sender(streams, links, copying, eagerBytes);
      receiver = new Receiver(streams, links, copying);
      drive(operation, sender, receiver);
    } catch (InterruptedIOException e) {
      throw AbortedException.interrupted(e);
    } catch (IOException e) {
      throw EngineErrors.operationBroken(
          operation.describe(), operation.where(), during(operation, sender, receiver), e);
    } catch (MessageHeader.MismatchException e) {
      Program.Stage stage = receiver == null ? null : receiver.stage();
      throw EngineErrors.differentOperation(
          operation.where(),
          operation.called().describe(),
          stage == null ? "a peer" : operation.transport().describe(stage.peer()),
          String.valueOf(e.getMessage()),
          e.named() ? null : e);
    } finally {
      sentBytes = streams.sentBytes;
      receivedBytes = streams.receivedBytes;
      memory.endOperation();
    }
  }

  /**
   * Gives back the buffers that were taken. Only between operations, if none has failed, and with
   * no thread in {@link #run}: bytes may then be on their way through them no more.
   *
   * @param target gets each of them
   */
  public void giveBack(Consumer<ByteBuffer> target) {
    memory.giveBack(target);
  }

  /**
   * What the latest operation has sent to other ranks, also if it failed.
   *
   * @return payload bytes
   */
  public long sentBytes() {
    return sentBytes;
  }

  /**
   * What the latest operation has got from other ranks, also if it failed.
   *
   * @return payload bytes
   */
  public long receivedBytes() {
    return receivedBytes;
  }

  /**
   * How long the thread has slept in the latest operation, waiting for other ranks, and been at
   * opening links to them.
   *
   * @return nanoseconds
   */
  public long waitedNanos() {
    return waitedNanos;
  }

  /**
   * Whether an operation failed because a peer does it in another way that messages do not name.
   *
   * @param failure what {@link #run} threw
   * @return true if the peer's own words would tell more
   */
  public static boolean peerUnnamed(Throwable failure) {
    return failure.getCause() instanceof MessageHeader.MismatchException;
  }

  /**
   * Whether an operation failed because a link to a peer broke or ended.
   *
   * @param failure what {@link #run} threw
   * @return true if the peer may have left
   */
  public static boolean linkBroke(Throwable failure) {
    return failure instanceof RankFailedException && failure.getCause() instanceof IOException;
  }

  /** Opens the links of an operation, for which peers may have to be waited for. */
  private Link[] opened(Operation operation) throws IOException {
    long start = System.nanoTime();
    try {
      return open(operation);
    } finally {
      waitedNanos += System.nanoTime() - start;
    }
  }

  private static Link[] open(Operation operation) throws IOException {
    Transport transport = operation.transport();
    Link[] links = new Link[transport.size()];
    for (Program.Out message : operation.program().sends()) {
      open(operation, links, message.peer(), message.round());
    }
    for (Program.Stage stage : operation.program().stages()) {
      if (stage.peer() >= 0) {
        open(operation, links, stage.peer(), stage.round());
      }
    }
    return links;
  }

  private static void open(Operation operation, @Nullable Link[] links, int peer, int round)
      throws IOException {
    if (links[peer] != null) {
      return;
    }
    Transport transport = operation.transport();
    try {
      links[peer] = transport.link(peer, operation.deadline(), operation.cancellation());
    } catch (DeadlineException late) {
      check(operation); // whose reason may be a deadline of its own
      String during = "for a link to " + transport.describe(peer) + ", needed in round " + round;
      throw deadline(operation, during, late);
    }
  }

  /** Whether the bytes of a link do not lie in memory. */
  private static boolean copying(@Nullable Link[] links) {
    for (Link link : links) {
      if (link != null && !link.inPlace()) {
        return true;
      }
    }
    return false;
  }

  private void drive(Operation operation, Sender sender, Receiver receiver)
      throws IOException, MessageHeader.MismatchException {
    IdleStrategy idle = IDLE_STRATEGY.get();
    long lastCheck = System.nanoTime();
    boolean late = false;
    int looksLeft = LOOKS;
    int ringLooksLeft = RING_LOOKS;
    while (!done(sender, receiver)) {
      boolean progress = advance(operation, sender, receiver);
      progress |= receiver.advance();
      if (progress) {
        ringLooksLeft = RING_LOOKS;
      }
      if (progress && (done(sender, receiver) || isRecent(lastCheck))) {
        continue;
      }
      check(operation);
      lastCheck = System.nanoTime();
      if (operation.deadline().expired(lastCheck)) {
        // A thread that has stood still first takes what has come in the meantime.
        if (late || !progress) {
          throw deadline(operation, during(operation, sender, receiver), null);
        }
        late = true;
      }
      if (progress) {
        continue;
      }
      Link blocked = sender.blocked();
      Link waiting = receiver.waiting();
      boolean looksAgain;
      if (inMemory(blocked) && inMemory(waiting) && ringLooksLeft > 0) {
        ringLooksLeft--;
        looksAgain = idle.idle(lastCheck);
      } else if (blocked == null && receiver.waitsForShortMessage() && looksLeft > 0) {
        looksLeft--;
        looksAgain = idle.idle(lastCheck);
      } else {
        looksAgain = false;
      }
      if (!looksAgain) {
        long nanos = Math.min(operation.deadline().remainingNanos(), LONGEST_WAIT_NANOS);
        operation.transport().await(waiting, blocked, nanos);
        waitedNanos += System.nanoTime() - lastCheck;
      }
    }
  }

  private static boolean inMemory(@Nullable Link link) {
    return link == null || link.inPlace();
  }

  /**
   * Sends on; if the link is broken, what has arrived may tell why: the peer does something else,
   * or has left.
   */
  private static boolean advance(Operation operation, Sender sender, Receiver receiver)
      throws IOException, MessageHeader.MismatchException {
    try {
      return sender.advance();
    } catch (IOException broken) {
      try {
        boolean more = true;
        while (more) {
          more = receiver.advance();
          check(operation);
        }
      } catch (EOFException left) {
        CauseChain.suppress(left, broken);
        throw left;
      } catch (IOException alsoBroken) {
        CauseChain.suppress(broken, alsoBroken);
      }
      throw broken;
    }
  }

  private static boolean isRecent(long check) {
    return System.nanoTime() - check < LONGEST_WAIT_NANOS;
  }

  private static boolean done(Sender sender, Receiver receiver) {
    return sender.done() && receiver.done();
  }

  private static void check(Operation operation) {
    RuntimeException reason = operation.cancellation().reason();
    if (reason != null) {
      throw reason;
    }
  }

  private static RuntimeException deadline(
      Operation operation, String during, @Nullable Throwable original) {
    return EngineErrors.deadline(
        operation.describe(), operation.where(), during, operation.deadline().timeout(), original);
  }

  private static String during(
      Operation operation, @Nullable Sender sender, @Nullable Receiver receiver) {
    if (sender == null || receiver == null) {
      return "opening connections";
    }
    Program.Stage stage = receiver.stage();
    Program.Out message = sender.message();
    Transport transport = operation.transport();
    StringBuilder text = new StringBuilder();
    if (stage != null && stage.peer() >= 0) {
      text.append("in round ").append(stage.round());
      text.append(" receiving from ").append(transport.describe(stage.peer()));
    }
    if (message != null) {
      text.append(text.length() == 0 ? "" : " and ");
      text.append("in round ").append(message.round());
      text.append(" sending to ").append(transport.describe(message.peer()));
    }
    return text.length() == 0 ? "at its end" : text.toString();
  }
}
