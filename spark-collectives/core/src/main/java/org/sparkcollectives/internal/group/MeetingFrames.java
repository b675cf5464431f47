package org.sparkcollectives.internal.group;

import java.io.IOException;
import java.io.Serial;
import java.nio.BufferUnderflowException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The layout of what is said at a meeting; numbers are big-endian. */
final class MeetingFrames {
  /** The first bytes of every frame: "SCOG". */
  static final int MAGIC = 0x53434F47;

  /** The version of the protocol. */
  static final short VERSION = 3;

  /** The first frame of a rank that dials. */
  static final byte HELLO = 1;

  /** Rank 0's answer, with its code. */
  static final byte CHALLENGE = 2;

  /** Who dials, with its code. */
  static final byte JOIN = 3;

  /** All members. */
  static final byte ROSTER = 4;

  /** Why there will be no roster. */
  static final byte REFUSAL = 5;

  /** Magic, version, type, and one byte of 0. */
  static final int HEADER_BYTES = 8;

  static final int NONCE_BYTES = 32;
  static final int HELLO_BYTES = HEADER_BYTES + NONCE_BYTES;
  static final int CHALLENGE_CODE_OFFSET = HEADER_BYTES + NONCE_BYTES;
  static final int CHALLENGE_BYTES = CHALLENGE_CODE_OFFSET + MeetingKey.CODE_BYTES;

  /** The header, then the length of the whole frame: the start of those that differ in length. */
  static final int PREFIX_BYTES = HEADER_BYTES + Integer.BYTES;

  static final int DIGEST_BYTES = 32;
  private static final int JOIN_CARD_OFFSET = PREFIX_BYTES + 4 + 4 + 8 + DIGEST_BYTES + 1;
  static final int MOST_JOIN_BYTES = JOIN_CARD_OFFSET + Card.MOST_BYTES + MeetingKey.CODE_BYTES;

  static final int GROUP_NONCE_BYTES = 16;
  private static final int ROSTER_CARDS_OFFSET = PREFIX_BYTES + 4 + GROUP_NONCE_BYTES;
  private static final int REFUSAL_TEXT_OFFSET = PREFIX_BYTES + 4;
  private static final int MOST_REFUSAL_TEXT = 8192;

  private MeetingFrames() {}

  /** Bytes that are no frame of this protocol, or not the one that is due. */
  static class BadFrame extends IOException {
    @Serial private static final long serialVersionUID = 1L;

    BadFrame(String message, @Nullable Throwable cause) {
      super(message, cause);
    }
  }

  /** A frame of this protocol in another version. */
  static final class OtherVersion extends BadFrame {
    @Serial private static final long serialVersionUID = 1L;

    OtherVersion(short version) {
      super("it speaks another version, " + version, null);
    }
  }

  /** A frame that does not prove that its sender knows the secret. */
  static final class OtherSecret extends BadFrame {
    @Serial private static final long serialVersionUID = 1L;

    OtherSecret() {
      super("it has another secret", null);
    }
  }

  /**
   * What a rank says that dials.
   *
   * @param size how many ranks it was told there are
   * @param rank its rank, -1 if any will do
   * @param millis how long it waits
   * @param addresses the hash of the addresses it was given
   * @param encrypted whether it seals its links
   * @param card how it is reached
   */
  @SuppressWarnings("ArrayRecordComponent") // never compared
  record Join(int size, int rank, long millis, byte[] addresses, boolean encrypted, Card card) {}

  /**
   * What rank 0 says when all have come.
   *
   * @param rank the rank of the one it is said to
   * @param nonce what the token is derived from
   * @param cards all members, in rank order
   */
  @SuppressWarnings("ArrayRecordComponent") // never compared
  record Roster(int rank, byte[] nonce, List<Card> cards) {}

  /** A frame with its header, positioned behind it. */
  private static ByteBuffer start(byte type, int bytes) {
    return ByteBuffer.allocate(bytes).putInt(MAGIC).putShort(VERSION).put(type).put((byte) 0);
  }

  static ByteBuffer hello() {
    return start(HELLO, HELLO_BYTES).put(MeetingKey.random(NONCE_BYTES)).flip();
  }

  /** A challenge without its code. */
  static ByteBuffer challenge() {
    return start(CHALLENGE, CHALLENGE_CODE_OFFSET).put(MeetingKey.random(NONCE_BYTES)).flip();
  }

  /** What rank 0 says to one of another version, and nothing after it: the version it has. */
  static ByteBuffer ownVersion() {
    return start(REFUSAL, HEADER_BYTES).flip();
  }

  /** A join without its code. */
  static ByteBuffer join(Join join) {
    ByteBuffer frame = start(JOIN, MOST_JOIN_BYTES);
    frame.putInt(0).putInt(join.size()).putInt(join.rank()).putLong(join.millis());
    frame.put(join.addresses()).put((byte) (join.encrypted() ? 1 : 0));
    join.card().write(frame);
    return finish(frame);
  }

  static Join readJoin(ByteBuffer frame) throws IOException {
    try {
      ByteBuffer from = frame.duplicate().position(PREFIX_BYTES);
      int size = from.getInt();
      int rank = from.getInt();
      long millis = from.getLong();
      byte[] addresses = new byte[DIGEST_BYTES];
      from.get(addresses);
      boolean encrypted = from.get() != 0;
      return new Join(size, rank, millis, addresses, encrypted, Card.read(from));
    } catch (BufferUnderflowException e) {
      throw new BadFrame("a join ends too early", e);
    }
  }

  /**
   * A roster up to its cards.
   *
   * @param rank the rank of the one it is said to
   * @param nonce what the token is derived from
   * @param cards the cards' bytes, which follow
   */
  static ByteBuffer rosterHead(int rank, byte[] nonce, ByteBuffer cards) {
    ByteBuffer head = start(ROSTER, ROSTER_CARDS_OFFSET).putInt(0).putInt(rank).put(nonce).flip();
    return head.putInt(HEADER_BYTES, head.limit() + cards.limit() + MeetingKey.CODE_BYTES);
  }

  /** The cards of a roster. */
  static ByteBuffer cards(List<Card> cards) {
    ByteBuffer bytes = ByteBuffer.allocate(Math.multiplyExact(cards.size(), Card.MOST_BYTES));
    cards.forEach(card -> card.write(bytes));
    return bytes.flip();
  }

  static Roster readRoster(ByteBuffer frame, int size) throws IOException {
    try {
      ByteBuffer from = frame.duplicate().position(PREFIX_BYTES);
      int rank = from.getInt();
      byte[] nonce = new byte[GROUP_NONCE_BYTES];
      from.get(nonce);
      List<Card> cards = new ArrayList<>();
      while (cards.size() < size) {
        cards.add(Card.read(from));
      }
      if (rank < 0 || rank >= size) {
        throw new BadFrame("a roster for rank " + rank, null);
      }
      return new Roster(rank, nonce, cards);
    } catch (BufferUnderflowException e) {
      throw new BadFrame("a roster ends too early", e);
    }
  }

  /** A refusal without its code. */
  static ByteBuffer refusal(GroupErrors.Kind kind, String text) {
    byte[] utf8 = text.getBytes(StandardCharsets.UTF_8);
    int length = Math.min(utf8.length, MOST_REFUSAL_TEXT);
    ByteBuffer frame = start(REFUSAL, REFUSAL_TEXT_OFFSET + length + MeetingKey.CODE_BYTES);
    return finish(frame.putInt(0).putInt(kind.code()).put(utf8, 0, length));
  }

  /** What a refusal says, as an exception. */
  static RuntimeException readRefusal(ByteBuffer frame) throws IOException {
    try {
      ByteBuffer from = frame.duplicate().position(PREFIX_BYTES);
      GroupErrors.Kind kind = GroupErrors.Kind.ofCode(from.getInt());
      if (kind == null) {
        throw new BadFrame("a refusal of an unknown kind", null);
      }
      return kind.exception(StandardCharsets.UTF_8.decode(from).toString());
    } catch (BufferUnderflowException e) {
      throw new BadFrame("a refusal ends too early", e);
    }
  }

  /** Notes the length with the code that is to follow. */
  private static ByteBuffer finish(ByteBuffer frame) {
    frame.putInt(HEADER_BYTES, frame.position() + MeetingKey.CODE_BYTES);
    return frame.flip();
  }

  /** The largest answer to a rank of a group. */
  static int mostAnswerBytes(int size) {
    long roster = ROSTER_CARDS_OFFSET + (long) size * Card.MOST_BYTES;
    long most = Math.max(roster, REFUSAL_TEXT_OFFSET + MOST_REFUSAL_TEXT) + MeetingKey.CODE_BYTES;
    return (int) Math.min(Integer.MAX_VALUE, most);
  }

  /**
   * Checks what a frame begins with.
   *
   * @param frame at least its header, at 0
   * @param types the types that are due
   * @return its type
   * @throws BadFrame if it is something else
   */
  static byte type(ByteBuffer frame, byte... types) throws BadFrame {
    if (frame.getInt(0) != MAGIC) {
      throw new BadFrame("it does not speak the protocol of groups", null);
    }
    if (frame.getShort(4) != VERSION) {
      throw new OtherVersion(frame.getShort(4));
    }
    byte type = frame.get(6);
    for (byte due : types) {
      if (type == due) {
        return type;
      }
    }
    throw new BadFrame("it sent frame " + type + " instead of " + Arrays.toString(types), null);
  }

  /**
   * The length of a frame that tells it.
   *
   * @param prefix its first {@link #PREFIX_BYTES}
   * @param most the most that it may be
   * @return the length
   * @throws BadFrame if it is longer, or shorter than a frame can be
   */
  static int length(ByteBuffer prefix, int most) throws BadFrame {
    int length = prefix.getInt(HEADER_BYTES);
    if (length < PREFIX_BYTES + MeetingKey.CODE_BYTES || length > most) {
      throw new BadFrame("it announced a frame of " + length + " bytes", null);
    }
    return length;
  }
}
