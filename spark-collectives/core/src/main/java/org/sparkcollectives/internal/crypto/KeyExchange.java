package org.sparkcollectives.internal.crypto;

import java.math.BigInteger;
import java.security.GeneralSecurityException;
import java.security.KeyFactory;
import java.security.KeyPair;
import java.security.KeyPairGenerator;
import java.security.PrivateKey;
import java.security.interfaces.XECPublicKey;
import java.security.spec.NamedParameterSpec;
import java.security.spec.XECPublicKeySpec;
import javax.crypto.KeyAgreement;

/**
 * One end of an agreement on a secret by X25519 (RFC 7748), with a key pair that is made for it and
 * forgotten after it.
 */
public final class KeyExchange {
  /** The bytes of a public key, and of the secret. */
  public static final int KEY_BYTES = 32;

  private static final String ALGORITHM = "X25519";

  private final PrivateKey own;
  private final byte[] told;

  private KeyExchange(PrivateKey own, byte[] told) {
    this.own = own;
    this.told = told;
  }

  /**
   * Begins with a fresh key pair.
   *
   * @return this end
   */
  public static KeyExchange begin() {
    try {
      KeyPair pair = KeyPairGenerator.getInstance(ALGORITHM).generateKeyPair();
      BigInteger u = ((XECPublicKey) pair.getPublic()).getU();
      return new KeyExchange(pair.getPrivate(), littleEndian(u));
    } catch (GeneralSecurityException e) {
      throw missing(e);
    }
  }

  /** An end whose private key is given; for vectors of tests. */
  static KeyExchange of(PrivateKey own) {
    return new KeyExchange(own, new byte[KEY_BYTES]);
  }

  /**
   * What the other end is told.
   *
   * @return the public key, as RFC 7748 encodes it
   */
  public byte[] told() {
    return told.clone();
  }

  /**
   * The secret of both ends.
   *
   * @param heard what the other end told
   * @return {@link #KEY_BYTES} bytes
   * @throws GeneralSecurityException if what was told is no public key that an honest end has
   */
  public byte[] agree(byte[] heard) throws GeneralSecurityException {
    NamedParameterSpec curve = NamedParameterSpec.X25519;
    byte[] reversed = reversed(heard);
    reversed[0] &= 0x7f; // the highest bit does not count
    XECPublicKeySpec peer = new XECPublicKeySpec(curve, new BigInteger(1, reversed));
    KeyAgreement agreement = KeyAgreement.getInstance(ALGORITHM);
    agreement.init(own);
    agreement.doPhase(KeyFactory.getInstance(ALGORITHM).generatePublic(peer), true);
    return agreement.generateSecret();
  }

  private static byte[] littleEndian(BigInteger number) {
    byte[] big = number.toByteArray(); // most significant first, perhaps with a sign
    byte[] little = new byte[KEY_BYTES];
    for (int i = 0; i < Math.min(KEY_BYTES, big.length); i++) {
      little[i] = big[big.length - 1 - i];
    }
    return little;
  }

  private static byte[] reversed(byte[] bytes) {
    if (bytes.length != KEY_BYTES) {
      throw new IllegalArgumentException("a key has 32 bytes, not " + bytes.length);
    }
    byte[] reversed = new byte[bytes.length];
    for (int i = 0; i < bytes.length; i++) {
      reversed[i] = bytes[bytes.length - 1 - i];
    }
    return reversed;
  }

  private static IllegalStateException missing(GeneralSecurityException cause) {
    return new IllegalStateException(
        "this Java has no "
            + ALGORITHM
            + ": its security providers were reduced. Use a JDK with the provider SunEC.",
        cause);
  }
}
