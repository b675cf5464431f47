package org.sparkcollectives.benchmarks.spark;

import java.nio.ByteBuffer;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;

/** A short name for the exact bits of a vector. */
public final class Fingerprint {
  private static final int CHUNK_ELEMENTS = 8192;
  private static final int SHOWN_BYTES = 8;

  private Fingerprint() {}

  /**
   * The beginning of the SHA-256 of a vector's bits.
   *
   * @param vector any values
   * @return 16 hexadecimal digits
   */
  public static String of(double[] vector) {
    try {
      MessageDigest digest = MessageDigest.getInstance("SHA-256");
      ByteBuffer chunk = ByteBuffer.allocate(CHUNK_ELEMENTS * Double.BYTES);
      for (int from = 0; from < vector.length; from += CHUNK_ELEMENTS) {
        int count = Math.min(CHUNK_ELEMENTS, vector.length - from);
        chunk.asDoubleBuffer().put(vector, from, count);
        digest.update(chunk.array(), 0, count * Double.BYTES);
      }
      return HexFormat.of().formatHex(digest.digest(), 0, SHOWN_BYTES);
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("every Java platform has SHA-256", e);
    }
  }
}
