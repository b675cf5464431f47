package org.sparkcollectives.internal.group;

import java.nio.ByteBuffer;
import java.security.MessageDigest;

/**
 * The two nonces of a connection with the key: every code on the connection covers them, so that
 * none serves on another one, and none of one side in the other's place.
 */
final class Greeting {
  private static final String CHALLENGE = "challenge";
  private static final String JOIN = "join";
  private static final String ANSWER = "answer";

  private final MeetingKey key;
  private final ByteBuffer hello;
  private final ByteBuffer challenge;

  /**
   * Takes the two first frames.
   *
   * @param key the group's key
   * @param hello the dialer's frame
   * @param challenge rank 0's frame, without its code
   */
  Greeting(MeetingKey key, ByteBuffer hello, ByteBuffer challenge) {
    this.key = key;
    this.hello = hello;
    this.challenge = challenge;
  }

  /** The challenge with the code that proves rank 0. */
  ByteBuffer challenge() {
    return with(challenge, key.code(CHALLENGE, hello, challenge));
  }

  /** Whether a code proves rank 0. */
  boolean provesFirst(byte[] code) {
    return MessageDigest.isEqual(code, key.code(CHALLENGE, hello, challenge));
  }

  /** A join with the code that proves who dials. */
  ByteBuffer join(ByteBuffer frame) {
    return with(frame, code(JOIN, frame));
  }

  /** Whether the last bytes of a join are the code that proves who dials. */
  boolean provesOther(ByteBuffer frame) {
    return proves(JOIN, frame);
  }

  /** What follows a roster or a refusal and proves rank 0. */
  ByteBuffer answerCode(ByteBuffer... frame) {
    return ByteBuffer.wrap(code(ANSWER, frame));
  }

  /** Whether the last bytes of a roster or a refusal are the code that proves rank 0. */
  boolean provesAnswer(ByteBuffer frame) {
    return proves(ANSWER, frame);
  }

  /**
   * A frame without its code.
   *
   * @param frame the frame, from 0 to its limit
   * @return a view of it
   */
  static ByteBuffer withoutCode(ByteBuffer frame) {
    return frame.duplicate().rewind().limit(frame.limit() - MeetingKey.CODE_BYTES);
  }

  private boolean proves(String label, ByteBuffer frame) {
    ByteBuffer content = withoutCode(frame);
    byte[] code = new byte[MeetingKey.CODE_BYTES];
    frame.get(content.limit(), code);
    return MessageDigest.isEqual(code, code(label, content));
  }

  private byte[] code(String label, ByteBuffer... frame) {
    ByteBuffer[] parts = new ByteBuffer[2 + frame.length];
    parts[0] = hello;
    parts[1] = challenge;
    System.arraycopy(frame, 0, parts, 2, frame.length);
    return key.code(label, parts);
  }

  private static ByteBuffer with(ByteBuffer frame, byte[] code) {
    ByteBuffer content = frame.duplicate().rewind();
    return ByteBuffer.allocate(content.limit() + code.length).put(content).put(code).flip();
  }
}
