package org.sparkcollectives.internal.group;

import java.io.IOException;
import java.net.InetAddress;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.sparkcollectives.error.AbortedException;
import org.sparkcollectives.internal.transport.Lookup;
import org.sparkcollectives.transport.Deadline;

/** A rank at a meeting that is not the first: it dials rank 0 until it is told who takes part. */
final class OtherRank {
  private static final Duration STEP = Duration.ofSeconds(10);
  private static final long FIRST_PAUSE_MILLIS = 20;
  private static final long LAST_PAUSE_MILLIS = 500;

  /** What rank 0 may take longer, so that its answer tells the ranks that are missing. */
  private static final Duration GRACE = Duration.ofSeconds(2);

  private final GroupPlan plan;
  private final Deadline deadline;
  private final Lookup lookup;
  private final MeetingKey key;
  private final CardMaker cards;
  private @Nullable Card card;
  private boolean reached;

  /** Makes the card of this process when it is known how rank 0 is reached from it. */
  interface CardMaker {
    /**
     * Makes the card.
     *
     * @param own this process's address on the way to rank 0
     * @return the card
     */
    Card make(InetAddress own);
  }

  OtherRank(GroupPlan plan, Deadline deadline, Lookup lookup, CardMaker cards) {
    this.plan = plan;
    this.deadline = deadline;
    this.lookup = lookup;
    this.key = new MeetingKey(plan.secret());
    this.cards = cards;
  }

  /**
   * Meets the others.
   *
   * @return who takes part, and this process's rank
   * @throws org.sparkcollectives.error.CollectiveException if the group does not come about
   */
  MeetingFrames.Roster meet() {
    long pause = FIRST_PAUSE_MILLIS;
    while (true) {
      IOException last;
      try {
        return meetOnce();
      } catch (MeetingFrames.OtherSecret e) {
        throw GroupErrors.wrongSecret(plan.first(), e);
      } catch (MeetingFrames.BadFrame e) {
        throw GroupErrors.noFirst(plan.first(), e);
      } catch (IOException e) {
        last = e; // rank 0 has not started yet, or starts again
      }
      if (TimeUnit.MILLISECONDS.toNanos(pause) >= deadline.remainingNanos()) {
        throw reached
            ? GroupErrors.firstLost(plan.first(), deadline.timeout(), last)
            : GroupErrors.firstNotReached(plan.first(), deadline.timeout(), last);
      }
      sleep(pause);
      pause = Math.min(2 * pause, LAST_PAUSE_MILLIS);
    }
  }

  private static void sleep(long millis) {
    try {
      Thread.sleep(millis);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw AbortedException.interrupted(e);
    }
  }

  /** Rank 0, which has proved that it is. */
  private record Found(DialedConnection connection, Greeting greeting) {}

  private Found found(DialedConnection connection, Deadline step) throws IOException {
    ByteBuffer hello = MeetingFrames.hello();
    connection.write(hello.duplicate(), step);
    return new Found(connection, challenged(connection, hello, step));
  }

  private MeetingFrames.Roster meetOnce() throws IOException {
    long left = Math.max(1, Math.min(STEP.toNanos(), deadline.remainingNanos()));
    Deadline step = Deadline.after(Duration.ofNanos(left));
    Address first = plan.first();
    Found found =
        DialedConnection.open(first.resolve(lookup, step), first.port(), step, this::found);
    try (DialedConnection connection = found.connection()) {
      Greeting greeting = found.greeting();
      Card mine = card;
      if (mine == null) {
        mine = cards.make(connection.ownAddress());
        card = mine;
      }
      long millis = Math.max(1, TimeUnit.NANOSECONDS.toMillis(deadline.remainingNanos()));
      MeetingFrames.Join join =
          new MeetingFrames.Join(
              plan.size(), plan.rank(), millis, plan.addressesDigest(), plan.encrypted(), mine);
      connection.write(greeting.join(MeetingFrames.join(join)), step);
      reached = true;
      return answer(connection, greeting, Duration.ofMillis(millis).plus(GRACE));
    }
  }

  private Greeting challenged(DialedConnection connection, ByteBuffer hello, Deadline step)
      throws IOException {
    ByteBuffer frame = connection.read(ByteBuffer.allocate(MeetingFrames.HEADER_BYTES), step);
    MeetingFrames.type(frame, MeetingFrames.CHALLENGE);
    frame = connection.read(ByteBuffer.allocate(MeetingFrames.CHALLENGE_BYTES).put(frame), step);
    Greeting greeting = new Greeting(key, hello, Greeting.withoutCode(frame));
    byte[] code = new byte[MeetingKey.CODE_BYTES];
    frame.get(MeetingFrames.CHALLENGE_CODE_OFFSET, code);
    if (!greeting.provesFirst(code)) {
      throw new MeetingFrames.OtherSecret();
    }
    return greeting;
  }

  private MeetingFrames.Roster answer(
      DialedConnection connection, Greeting greeting, Duration patience) throws IOException {
    Deadline until = Deadline.after(patience);
    ByteBuffer frame = connection.read(ByteBuffer.allocate(MeetingFrames.PREFIX_BYTES), until);
    byte type = MeetingFrames.type(frame, MeetingFrames.ROSTER, MeetingFrames.REFUSAL);
    int length = MeetingFrames.length(frame, MeetingFrames.mostAnswerBytes(plan.size()));
    frame = connection.read(ByteBuffer.allocate(length).put(frame), until);
    if (!greeting.provesAnswer(frame)) {
      throw new MeetingFrames.BadFrame("its answer does not prove that it knows the secret", null);
    }
    ByteBuffer content = Greeting.withoutCode(frame);
    if (type == MeetingFrames.REFUSAL) {
      throw MeetingFrames.readRefusal(content);
    }
    return MeetingFrames.readRoster(content, plan.size());
  }
}
