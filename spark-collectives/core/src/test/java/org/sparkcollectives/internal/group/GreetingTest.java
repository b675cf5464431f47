package org.sparkcollectives.internal.group;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.sparkcollectives.error.CollectiveException;
import org.sparkcollectives.error.DeadlineException;

/** Codes of a meeting: what they cover, and where they are worth nothing. */
class GreetingTest {
  private static final MeetingKey KEY = new MeetingKey(MeetingKey.random(32));

  private static final Card CARD =
      new Card("an-endpoint", "fd00::1", 7401, "a node", "process 1", "rack α");

  private static Greeting greeting(MeetingKey key) {
    return new Greeting(key, MeetingFrames.hello(), MeetingFrames.challenge());
  }

  private static MeetingFrames.Join join(int rank) {
    byte[] addresses = MeetingKey.digest(List.of(new Address("fd00::1", 7400)));
    return new MeetingFrames.Join(3, rank, 60_000, addresses, true, CARD);
  }

  @Test
  void aJoinIsReadAsItWasWritten() throws IOException {
    Greeting greeting = greeting(KEY);
    ByteBuffer frame = greeting.join(MeetingFrames.join(join(2)));
    assertEquals(frame.limit(), MeetingFrames.length(frame, MeetingFrames.MOST_JOIN_BYTES));
    assertTrue(greeting.provesOther(frame));
    MeetingFrames.Join read = MeetingFrames.readJoin(Greeting.withoutCode(frame));
    assertEquals(
        List.of(3, 2, 60_000L, CARD),
        List.of(read.size(), read.rank(), read.millis(), read.card()));
    assertArrayEquals(join(2).addresses(), read.addresses());
  }

  @Test
  void aRosterIsReadAsItWasWritten() throws IOException {
    List<Card> cards = List.of(CARD, new Card("other", "::1", 1, "", "", ""), CARD);
    byte[] nonce = MeetingKey.random(MeetingFrames.GROUP_NONCE_BYTES);
    ByteBuffer all = MeetingFrames.cards(cards);
    ByteBuffer head = MeetingFrames.rosterHead(1, nonce, all);
    ByteBuffer frame = ByteBuffer.allocate(head.limit() + all.limit()).put(head).put(all).flip();
    MeetingFrames.Roster read = MeetingFrames.readRoster(frame, cards.size());
    assertEquals(1, read.rank());
    assertEquals(cards, read.cards());
    assertArrayEquals(nonce, read.nonce());
    assertThrows(IOException.class, () -> MeetingFrames.readRoster(frame, cards.size() + 1));
  }

  @Test
  void aRefusalIsReadAsItWasWritten() throws IOException {
    ByteBuffer frame = MeetingFrames.refusal(GroupErrors.Kind.DEADLINE, "too late: by α. Hurry.");
    RuntimeException read = MeetingFrames.readRefusal(frame);
    assertEquals(DeadlineException.class, read.getClass());
    assertEquals("too late: by α. Hurry.", read.getMessage());
    assertTrue(read instanceof CollectiveException);
  }

  @Test
  void aCodeCoversEveryByteOfBothSides() {
    ByteBuffer hello = MeetingFrames.hello();
    ByteBuffer challenge = MeetingFrames.challenge();
    ByteBuffer join = new Greeting(KEY, hello, challenge).join(MeetingFrames.join(join(1)));
    for (ByteBuffer frame : List.of(hello, challenge, join)) {
      for (int i = 0; i < frame.limit(); i++) {
        frame.put(i, (byte) (frame.get(i) ^ 1));
        assertFalse(new Greeting(KEY, hello, challenge).provesOther(join), "byte " + i);
        frame.put(i, (byte) (frame.get(i) ^ 1));
      }
    }
    assertTrue(new Greeting(KEY, hello, challenge).provesOther(join));
  }

  @Test
  void aCodeIsWorthNothingElsewhere() {
    Greeting mine = greeting(KEY);
    ByteBuffer content = MeetingFrames.join(join(1));
    ByteBuffer join = mine.join(content);
    assertFalse(greeting(KEY).provesOther(join), "on another connection");
    assertFalse(mine.provesAnswer(join), "in the other's place");
    byte[] proof = new byte[MeetingKey.CODE_BYTES];
    join.get(content.limit(), proof);
    assertFalse(mine.provesFirst(proof), "as a challenge");
    ByteBuffer hello = MeetingFrames.hello();
    ByteBuffer challenge = MeetingFrames.challenge();
    ByteBuffer proved = new Greeting(KEY, hello, challenge).challenge();
    byte[] code = new byte[MeetingKey.CODE_BYTES];
    proved.get(MeetingFrames.CHALLENGE_CODE_OFFSET, code);
    assertTrue(new Greeting(KEY, hello, challenge).provesFirst(code));
    MeetingKey other = new MeetingKey(MeetingKey.random(32));
    assertFalse(new Greeting(other, hello, challenge).provesFirst(code), "with another secret");
  }

  @Test
  void everyGroupHasATokenOfItsOwn() {
    byte[] one = MeetingKey.random(16);
    assertArrayEquals(KEY.token(one), KEY.token(one));
    assertFalse(Arrays.equals(KEY.token(one), KEY.token(MeetingKey.random(16))));
    assertEquals(32, KEY.token(one).length);
  }

  @Test
  void whatIsNoFrameIsRefused() {
    List<ByteBuffer> bad = new ArrayList<>();
    bad.add(ByteBuffer.wrap("GET / HTTP/1.1\r\n\r\n".getBytes(StandardCharsets.US_ASCII)));
    bad.add(MeetingFrames.hello().putShort(4, (short) 7));
    bad.add(MeetingFrames.hello());
    for (ByteBuffer frame : bad) {
      assertThrows(
          MeetingFrames.BadFrame.class, () -> MeetingFrames.type(frame, MeetingFrames.JOIN));
    }
    ByteBuffer join = MeetingFrames.join(join(1));
    for (int length : new int[] {-1, 0, 43, MeetingFrames.MOST_JOIN_BYTES + 1}) {
      join.putInt(MeetingFrames.HEADER_BYTES, length);
      assertThrows(
          MeetingFrames.BadFrame.class,
          () -> MeetingFrames.length(join, MeetingFrames.MOST_JOIN_BYTES));
    }
    for (int end = MeetingFrames.PREFIX_BYTES; end < join.limit(); end++) {
      ByteBuffer cut = join.duplicate().limit(Math.min(end, join.limit() - 1));
      assertThrows(IOException.class, () -> MeetingFrames.readJoin(cut), "cut at " + end);
    }
  }
}
