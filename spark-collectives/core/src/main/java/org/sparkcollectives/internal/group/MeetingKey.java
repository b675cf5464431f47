package org.sparkcollectives.internal.group;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.MessageDigest;
import java.security.SecureRandom;
import java.util.List;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;

/** What a group derives from its secret: codes that prove its knowledge, and tokens of groups. */
final class MeetingKey {
  /** The size of codes and tokens. */
  static final int CODE_BYTES = 32;

  private static final String ALGORITHM = "HmacSHA256";
  private static final SecureRandom RANDOM = new SecureRandom();

  private final byte[] key;

  /** Derives the key of meetings from a secret of any length. */
  MeetingKey(byte[] secret) {
    this.key = code(secret, "spark-collectives meeting");
  }

  /**
   * The code over something.
   *
   * @param label what it proves; codes with different labels never stand for each other
   * @param parts what it covers, from 0 to the limit of each
   * @return {@link #CODE_BYTES} bytes
   */
  byte[] code(String label, ByteBuffer... parts) {
    return code(key, label, parts);
  }

  /**
   * The secret of a group's links.
   *
   * @param nonce what rank 0 has drawn for the group
   * @return the token of the group's rosters
   */
  byte[] token(byte[] nonce) {
    return code(key, "token", ByteBuffer.wrap(nonce));
  }

  /** Fresh random bytes. */
  static byte[] random(int bytes) {
    byte[] random = new byte[bytes];
    RANDOM.nextBytes(random);
    return random;
  }

  /** A hash of addresses, by which ranks notice that they were given different ones. */
  static byte[] digest(List<Address> addresses) {
    try {
      MessageDigest digest = MessageDigest.getInstance("SHA-256");
      for (Address address : addresses) {
        digest.update((address + "\n").getBytes(StandardCharsets.UTF_8));
      }
      return digest.digest();
    } catch (GeneralSecurityException impossible) {
      throw new IllegalStateException("every Java platform has SHA-256", impossible);
    }
  }

  private static byte[] code(byte[] key, String label, ByteBuffer... parts) {
    try {
      Mac mac = Mac.getInstance(ALGORITHM);
      mac.init(new SecretKeySpec(key, ALGORITHM));
      mac.update(label.getBytes(StandardCharsets.US_ASCII));
      mac.update((byte) 0);
      for (ByteBuffer part : parts) {
        mac.update(part.duplicate().rewind());
      }
      return mac.doFinal();
    } catch (GeneralSecurityException impossible) {
      throw new IllegalStateException("every Java platform has " + ALGORITHM, impossible);
    }
  }
}
