package org.sparkcollectives.spark.internal.rendezvous;

import java.io.IOException;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.apache.spark.SparkEnv;
import org.apache.spark.TaskContext;
import org.apache.spark.util.TaskCompletionListener;
import org.jspecify.annotations.Nullable;
import org.sparkcollectives.Communicator;
import org.sparkcollectives.CommunicatorOptions;
import org.sparkcollectives.error.AbortedException;
import org.sparkcollectives.internal.observe.RankOperations;
import org.sparkcollectives.internal.transport.RankTransport;
import org.sparkcollectives.spark.internal.conf.Settings;
import org.sparkcollectives.transport.Cancellation;
import org.sparkcollectives.transport.Transport;

/**
 * A rank's side of one attempt: goes to the rendezvous, opens the communicator, hears when another
 * rank fails or Spark kills the task, and tells the driver when this one fails. For the task's
 * thread.
 */
public final class RankSession {
  private static final long POLL_MILLIS = 20;

  private final Attempt attempt;
  private final int partition;
  private final TaskContext task;
  private final DriverLine driver;
  private volatile @Nullable AbortedException abort;
  private volatile @Nullable Transport transport;

  private @Nullable Communicator communicator;
  private @Nullable Members members;
  private boolean sparse;
  private @Nullable RankOperations operations;
  private boolean leftResult;
  private RankReport.@Nullable Left left;

  /** When the task began, when the rank came to the rendezvous, and when it had met the others. */
  private final long begunNanos = System.nanoTime();

  private long cameNanos = begunNanos;
  private long metNanos = begunNanos;

  private RankSession(Attempt attempt, TaskContext task) {
    this.attempt = attempt;
    this.partition = task.partitionId();
    this.task = task;
    this.driver = new DriverLine(attempt, task, begunNanos);
    TaskCompletionListener atEnd = context -> closeLinks();
    task.addTaskCompletionListener(atEnd);
  }

  /**
   * The session of the task that runs in this thread.
   *
   * @param attempt the attempt that the task belongs to
   * @return the session, which has not met anybody yet
   */
  public static RankSession ofTask(Attempt attempt) {
    return new RankSession(attempt, TaskContext.get());
  }

  /**
   * What the driver told all ranks.
   *
   * @return the attempt
   */
  public Attempt attempt() {
    return attempt;
  }

  /**
   * The task's partition.
   *
   * @return its index
   */
  public int partition() {
    return partition;
  }

  /**
   * How many ranks are to arrive.
   *
   * @return the number of tasks
   */
  public int ranks() {
    return task.numPartitions();
  }

  /**
   * Notes which partition is computed from now on, for messages.
   *
   * @param next the partition, or -1 after the last
   */
  public void computing(int next) {
    driver.computing(next);
  }

  /**
   * Waits for all ranks of an attempt in which every rank takes part.
   *
   * @return the communicator
   */
  public Communicator joinAll() {
    if (join(null, null) instanceof RankRole.Member member) {
      return member.communicator();
    }
    throw RendezvousErrors.jobOver();
  }

  /**
   * Waits for all ranks of the attempt.
   *
   * @param shapes the vectors that this rank brings, or null where ranks bring none
   * @param operand the only one of them, serialized, if it is small and to be combined; else null
   * @return what the rank is to do
   */
  public RankRole join(@Nullable List<Shape> shapes, byte @Nullable [] operand) {
    Wire.Reply reply;
    try {
      Members known = driver.executor().known();
      reply = meet(shapes, operand, known);
      if (reply instanceof Wire.Listen) {
        reply = meet(shapes, null, known);
      }
      driver.executor().waited(metNanos - cameNanos);
      if (!(reply instanceof Wire.Joined joined)) {
        if (reply instanceof Wire.Idle) {
          return RankRole.NONE;
        } else if (reply instanceof Wire.Gathered gathered) {
          return new RankRole.Combine(gathered.operands());
        }
        throw RendezvousErrors.stopped(reply);
      }
      Members all = members(joined, known);
      RankTransport links = driver.executor().join(attempt, joined, all);
      transport = links;
      operations = links.operations();
      members = all;
      sparse = joined.sparse();
      watch(links);
      CommunicatorOptions options =
          new CommunicatorOptions(
              attempt.conf().get(Settings.TIMEOUT),
              attempt.conf().policy(),
              SparkCodec::new,
              new Stop(),
              this::report,
              driver::called);
      Communicator made = new Communicator(links, options);
      communicator = made;
      return new RankRole.Member(made);
    } catch (IOException e) {
      throw RendezvousErrors.notJoined(driver.executor().describe(partition), e);
    }
  }

  /**
   * Lets this thread tell the driver how far its function is, which those of other ranks do not.
   *
   * @return what takes it, until it is closed
   */
  public RankProgress progress() {
    Communicator open = communicator;
    return RankProgress.begin(open != null && open.rank() == 0 ? driver::progress : null);
  }

  /**
   * Ends without having met the others, of which the driver hears by the task's result: the rank
   * brings nothing, or an operand so small that it goes along, of which it is certain that the
   * others' are as small or do not go together with it.
   *
   * @param shapes what this rank brings: nothing, or one vector
   * @param operand the vector, serialized, or null
   */
  public void leave(List<Shape> shapes, byte @Nullable [] operand) {
    cameNanos = System.nanoTime();
    metNanos = cameNanos;
    SparkEnv env = SparkEnv.get();
    left =
        new RankReport.Left(
            env.blockManager().blockManagerId().host(),
            ExecutorEndpoint.label(env.executorId()),
            task.stageId(),
            shapes,
            operand);
  }

  /** Notes that the result is stored for the driver, under the attempt's number. */
  public void leftResult() {
    leftResult = true;
  }

  /** Goes to the rendezvous and waits for all others; without links if its operand may suffice. */
  private Wire.Reply meet(
      @Nullable List<Shape> shapes, byte @Nullable [] operand, @Nullable Members known)
      throws IOException {
    driver.hears();
    Wire.Member member = driver.executor().member(operand == null);
    cameNanos = cameNanos == begunNanos ? System.nanoTime() : cameNanos; // it may come again
    Wire.Reply reply =
        answer(driver.join(member, shapes, operand, known), "the driver did not answer");
    metNanos = System.nanoTime();
    return reply;
  }

  /**
   * Whether this rank is the lowest of its executor among those that take part.
   *
   * @return true for one rank of each executor
   */
  public boolean firstOfExecutor() {
    Communicator open = communicator;
    Members all = members;
    return open != null && all != null && all.lowestOfProcess(open.rank());
  }

  /**
   * Whether all ranks that take part are in one executor.
   *
   * @return true where no other executor holds what ranks store
   */
  public boolean onOneExecutor() {
    Members all = members;
    return all != null && all.inOneProcess();
  }

  /**
   * Whether some operands are sparse, and so few elements that all are to be combined as objects.
   *
   * @return the same on all ranks
   */
  public boolean sparse() {
    return sparse;
  }

  /**
   * Whether every executor has one rank only, of those that take part.
   *
   * @return false where ranks share an executor
   */
  public boolean onePerExecutor() {
    Members all = members;
    return all != null && all.onePerProcess();
  }

  /**
   * Whether the ranks of every executor follow each other in rank order, of those that take part.
   *
   * @return true where no rank of another executor is between two of one
   */
  public boolean executorsInOrder() {
    Members all = members;
    return all != null && all.processesInOrder();
  }

  /**
   * Waits for another rank of this process as long as neither the attempt nor this task is ended;
   * what this rank had to compute is done by then.
   *
   * @param other what the other rank completes
   * @param <T> its class
   * @return what it has completed it with
   */
  public <T> T await(CompletableFuture<T> other) {
    if (!other.isDone()) {
      driver.waits();
    }
    try {
      return poll(other);
    } catch (ExecutionException e) {
      throw new IllegalStateException(e.getCause()); // nobody completes it so
    }
  }

  /**
   * What the driver is to know of this rank's work, which has ended.
   *
   * @return the report
   */
  public RankReport report() {
    RankOperations counted = operations;
    return new RankReport(
        cameNanos - begunNanos,
        metNanos - cameNanos,
        System.nanoTime() - metNanos,
        counted == null ? 0 : counted.waitedNanos(),
        counted == null ? 0 : counted.sentBytes(),
        counted == null ? 0 : counted.receivedBytes(),
        counted == null ? List.of() : counted.sums(),
        leftResult,
        left);
  }

  /**
   * Stops the rank where its attempt has ended or its task was killed, as operations do.
   *
   * @throws RuntimeException the reason
   */
  public void requireRunning() {
    RuntimeException reason = reasonToStop();
    if (reason != null) {
      throw reason;
    }
  }

  /** Ends in good order. */
  public void finish() {
    Communicator open = communicator;
    if (open != null) {
      driver.returned(open.operationsCalled());
      open.close();
    }
    transport = null;
  }

  /**
   * Tells the driver that this rank has failed, before its links close and others notice.
   *
   * @param failure why
   */
  public void fail(Throwable failure) {
    report(failure);
    Communicator open = communicator;
    if (open != null) {
      open.abort(failure);
    }
    closeLinks();
  }

  /** Tells the driver, unless it has told this rank: from any thread. */
  private void report(Throwable failure) {
    boolean consequence =
        abort != null || task.isInterrupted() || failure instanceof AbortedException;
    if (!consequence) {
      driver.failed(failure);
    }
  }

  private void watch(Transport links) {
    RankOperations own = operations;
    long computing = own == null ? -1 : own.computingNanos();
    var unused =
        driver
            .watch(computing)
            .handle(
                (reply, lost) -> {
                  if (lost == null && reply instanceof Wire.Report) {
                    watch(links);
                  } else {
                    abort =
                        lost == null ? RendezvousErrors.stopped(reply) : RendezvousErrors.jobOver();
                    links.wakeup();
                  }
                  return true;
                });
  }

  /** When the rank stops waiting: the attempt has ended, or those it waits for do not compute. */
  private final class Stop implements Cancellation {
    @Override
    public @Nullable RuntimeException reason() {
      return reasonToStop();
    }

    @Override
    public boolean waitsOn() {
      try {
        return poll(driver.late()) instanceof Wire.Wait;
      } catch (ExecutionException unanswered) {
        return false;
      }
    }
  }

  private @Nullable RuntimeException reasonToStop() {
    if (abort != null) {
      return abort;
    }
    return task.isInterrupted() ? RendezvousErrors.taskKilled(killReason()) : null;
  }

  private @Nullable String killReason() {
    return task.getKillReason().isDefined() ? task.getKillReason().get() : null;
  }

  /** Who takes part; what another rank of this process is told comes on the same connection. */
  private Members members(Wire.Joined joined, @Nullable Members known) throws IOException {
    if (known != null && known.version() == joined.version()) {
      return known;
    }
    long millis = attempt.conf().get(Settings.TIMEOUT).toMillis();
    return answer(
        driver.executor().told(attempt).copy().orTimeout(millis, TimeUnit.MILLISECONDS),
        "who takes part did not come");
  }

  private <T> T answer(CompletableFuture<T> future, String otherwise) throws IOException {
    try {
      return poll(future);
    } catch (ExecutionException e) {
      throw new IOException(otherwise, e.getCause());
    }
  }

  private <T> T poll(CompletableFuture<T> future) throws ExecutionException {
    while (true) {
      try {
        return future.get(POLL_MILLIS, TimeUnit.MILLISECONDS);
      } catch (TimeoutException e) {
        requireRunning();
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
        throw AbortedException.interrupted(e);
      }
    }
  }

  private void closeLinks() {
    driver.hears();
    Transport open = transport;
    transport = null;
    if (open != null) {
      open.close();
    }
  }
}
