package org.sparkcollectives.internal.crypto;

import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.util.Arrays;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;

/**
 * The key derivation function HKDF of RFC 5869 with SHA-256, over the JDK's HMAC: what is extracted
 * from a secret is expanded into keys for named purposes, none of which tells anything of another.
 */
public final class Hkdf {
  /** The bytes of a SHA-256 digest, and so of an extracted key. */
  public static final int HASH_BYTES = 32;

  private static final String ALGORITHM = "HmacSHA256";

  private Hkdf() {}

  /**
   * Concentrates a secret into a key.
   *
   * @param salt what need not be secret, and makes keys of the same secret differ
   * @param secrets the secret, in parts that are taken one after the other
   * @return {@link #HASH_BYTES} bytes
   */
  public static byte[] extract(byte[] salt, byte[]... secrets) {
    // An absent salt is as many zeros as a digest has; HMAC pads a key with zeros anyway.
    Mac mac = mac(salt.length == 0 ? new byte[HASH_BYTES] : salt);
    for (byte[] part : secrets) {
      mac.update(part);
    }
    return mac.doFinal();
  }

  /**
   * Makes a key for a purpose.
   *
   * @param key what {@link #extract} or this method made
   * @param purpose its name, in ASCII
   * @param bytes how many bytes, at most 255 digests
   * @return the key
   */
  public static byte[] expand(byte[] key, String purpose, int bytes) {
    return expand(key, purpose.getBytes(StandardCharsets.US_ASCII), bytes);
  }

  /**
   * Makes a key for a purpose.
   *
   * @param key what {@link #extract} or this method made
   * @param purpose its name
   * @param bytes how many bytes, at most 255 digests
   * @return the key
   */
  public static byte[] expand(byte[] key, byte[] purpose, int bytes) {
    if (bytes < 1 || bytes > 255 * HASH_BYTES) {
      throw new IllegalArgumentException("a key has 1 to 8160 bytes, not " + bytes);
    }
    Mac mac = mac(key);
    byte[] made = new byte[bytes];
    byte[] block = new byte[0];
    int counter = 1;
    for (int at = 0; at < bytes; at += HASH_BYTES) {
      mac.update(block);
      mac.update(purpose);
      mac.update((byte) counter++);
      block = mac.doFinal();
      System.arraycopy(block, 0, made, at, Math.min(HASH_BYTES, bytes - at));
    }
    Arrays.fill(block, (byte) 0);
    return made;
  }

  private static Mac mac(byte[] key) {
    try {
      Mac mac = Mac.getInstance(ALGORITHM);
      mac.init(new SecretKeySpec(key, ALGORITHM));
      return mac;
    } catch (GeneralSecurityException impossible) {
      throw new IllegalStateException("every Java platform has " + ALGORITHM, impossible);
    }
  }
}
