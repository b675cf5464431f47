package org.sparkcollectives.internal.transport.tcp.channel;

import java.nio.ByteBuffer;
import java.security.GeneralSecurityException;
import java.util.Arrays;
import javax.crypto.Cipher;
import javax.crypto.spec.GCMParameterSpec;
import javax.crypto.spec.SecretKeySpec;
import org.sparkcollectives.internal.crypto.Hkdf;

/**
 * The records of one direction of a connection, sealed at one end or opened at the other. The n-th
 * record under a key has the nonce n; after {@link #RECORDS_PER_KEY} records both ends go on to the
 * next key, which is made of the one before, and forget that.
 */
final class RecordCipher {
  /** The most bytes of a record before it is sealed. */
  static final int MOST_BYTES = 1 << 16;

  /** What sealing adds to the bytes. */
  static final int TAG_BYTES = 16;

  /** How many records, of 64 GiB at most, one key seals. */
  static final int RECORDS_PER_KEY = 1 << 20;

  private static final int NONCE_BYTES = 12;
  private static final String KEY = "key";
  private static final String NEXT = "next";

  private final int mode;
  private final int recordsPerKey;
  private final Cipher cipher;
  private final byte[] nonce = new byte[NONCE_BYTES];
  private final ByteBuffer counter = ByteBuffer.wrap(nonce);
  private byte[] secret;
  private SecretKeySpec key;
  private long records;

  private RecordCipher(int mode, byte[] secret, int recordsPerKey) {
    this.mode = mode;
    this.recordsPerKey = recordsPerKey;
    this.secret = secret;
    this.key = key(secret);
    try {
      this.cipher = Cipher.getInstance("AES/GCM/NoPadding");
    } catch (GeneralSecurityException impossible) {
      throw new IllegalStateException("every Java platform has AES/GCM/NoPadding", impossible);
    }
  }

  /** Seals what one end sends; the secret is that of the direction. */
  static RecordCipher sealing(byte[] secret, int recordsPerKey) {
    return new RecordCipher(Cipher.ENCRYPT_MODE, secret, recordsPerKey);
  }

  /** Opens what the other end receives. */
  static RecordCipher opening(byte[] secret, int recordsPerKey) {
    return new RecordCipher(Cipher.DECRYPT_MODE, secret, recordsPerKey);
  }

  private static SecretKeySpec key(byte[] secret) {
    return new SecretKeySpec(Hkdf.expand(secret, KEY, Hkdf.HASH_BYTES), "AES");
  }

  /**
   * Seals or opens the next record.
   *
   * @param source all of its bytes
   * @param target where they go
   * @throws GeneralSecurityException if it was not sealed by the other end as its next one
   */
  void next(ByteBuffer source, ByteBuffer target) throws GeneralSecurityException {
    begin();
    cipher.doFinal(source, target);
  }

  /**
   * Seals the next record.
   *
   * @param first its first bytes
   * @param second the others
   * @param target where they go
   * @throws GeneralSecurityException never
   */
  void next(ByteBuffer first, ByteBuffer second, ByteBuffer target)
      throws GeneralSecurityException {
    begin();
    cipher.update(first, target);
    cipher.doFinal(second, target);
  }

  private void begin() throws GeneralSecurityException {
    if (records == recordsPerKey) {
      byte[] last = secret;
      secret = Hkdf.expand(last, NEXT, Hkdf.HASH_BYTES);
      Arrays.fill(last, (byte) 0);
      key = key(secret);
      records = 0;
    }
    counter.putLong(NONCE_BYTES - Long.BYTES, records++);
    cipher.init(mode, key, new GCMParameterSpec(Byte.SIZE * TAG_BYTES, nonce));
  }
}
