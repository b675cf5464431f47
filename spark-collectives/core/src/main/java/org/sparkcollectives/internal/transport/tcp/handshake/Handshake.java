package org.sparkcollectives.internal.transport.tcp.handshake;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.MessageDigest;
import java.security.SecureRandom;
import java.util.Arrays;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;
import org.sparkcollectives.internal.crypto.Hkdf;
import org.sparkcollectives.internal.transport.tcp.channel.Sealing;

/**
 * The cryptography of the handshake: each side proves that it holds the token by a code over both
 * nonces, its role, the called endpoint, the protocol version, the byte order and what is to seal
 * the connection. A code made in one role never serves in the other, and no code serves twice.
 */
public final class Handshake {
  /** The size of a token: 256 bits. */
  public static final int TOKEN_BYTES = 32;

  private static final String ALGORITHM = "HmacSHA256";
  private static final SecureRandom RANDOM = new SecureRandom();

  /** What the name of every secret begins with. */
  private static final String SECRET = "spark-collectives ";

  private static final String DIALER = "dialer";
  private static final String ACCEPTOR = "acceptor";

  private Handshake() {}

  /**
   * The first frame of a dialer.
   *
   * @param endpoint identity of the endpoint that is called
   * @param seal the code of what is to seal the connection
   * @param share the dialer's share in it
   * @return the frame, with a fresh nonce
   */
  public static ByteBuffer hello(String endpoint, int seal, byte[] share) {
    return WireFormat.frame(WireFormat.HELLO)
        .put(WireFormat.HELLO_ENDPOINT_OFFSET, identity(endpoint))
        .put(WireFormat.HELLO_NONCE_OFFSET, nonce())
        .putInt(WireFormat.HELLO_SEAL_OFFSET, seal)
        .put(WireFormat.HELLO_SHARE_OFFSET, share);
  }

  /**
   * Whether a HELLO calls an endpoint.
   *
   * @param hello the frame
   * @param endpoint the endpoint's identity
   * @return true if it does
   */
  public static boolean calls(ByteBuffer hello, String endpoint) {
    byte[] called = new byte[WireFormat.IDENTITY_BYTES];
    hello.get(WireFormat.HELLO_ENDPOINT_OFFSET, called);
    return MessageDigest.isEqual(called, identity(endpoint));
  }

  /**
   * The acceptor's answer to a HELLO.
   *
   * @param token the secret
   * @param hello the dialer's frame
   * @param share the acceptor's share in what is to seal the connection
   * @return the frame, with a fresh nonce and the acceptor's code
   */
  public static ByteBuffer challenge(byte[] token, ByteBuffer hello, byte[] share) {
    ByteBuffer challenge =
        WireFormat.frame(WireFormat.CHALLENGE)
            .put(WireFormat.CHALLENGE_NONCE_OFFSET, nonce())
            .put(WireFormat.CHALLENGE_SHARE_OFFSET, share);
    return challenge.put(WireFormat.CHALLENGE_MAC_OFFSET, code(token, ACCEPTOR, hello, challenge));
  }

  /**
   * The dialer's proof.
   *
   * @param token the secret
   * @param hello the dialer's own frame
   * @param challenge the acceptor's frame
   * @return the frame
   */
  public static ByteBuffer proof(byte[] token, ByteBuffer hello, ByteBuffer challenge) {
    return WireFormat.frame(WireFormat.PROOF)
        .put(WireFormat.PROOF_MAC_OFFSET, code(token, DIALER, hello, challenge));
  }

  /**
   * Whether a CHALLENGE comes from a holder of the token; takes the same time for every answer.
   *
   * @param token the secret
   * @param hello the frame it answers
   * @param challenge the frame
   * @return true if its code is right
   */
  public static boolean provesAcceptor(byte[] token, ByteBuffer hello, ByteBuffer challenge) {
    byte[] given = new byte[WireFormat.MAC_BYTES];
    challenge.get(WireFormat.CHALLENGE_MAC_OFFSET, given);
    return MessageDigest.isEqual(given, code(token, ACCEPTOR, hello, challenge));
  }

  /**
   * Whether a PROOF comes from a holder of the token; takes the same time for every answer.
   *
   * @param token the secret
   * @param hello the dialer's first frame
   * @param challenge the frame it answers
   * @param proof the frame
   * @return true if its code is right
   */
  public static boolean provesDialer(
      byte[] token, ByteBuffer hello, ByteBuffer challenge, ByteBuffer proof) {
    byte[] given = new byte[WireFormat.MAC_BYTES];
    proof.get(WireFormat.PROOF_MAC_OFFSET, given);
    return MessageDigest.isEqual(given, code(token, DIALER, hello, challenge));
  }

  /**
   * Secrets of one connection, which both ends make from the token, what they have agreed upon, and
   * all that was said before the proof. No secret is a code of a proof.
   *
   * @param token the secret that both hold
   * @param hello the dialer's first frame
   * @param challenge the frame that answers it
   * @return 32 bytes by purpose
   */
  public static Sealing.Secrets secrets(byte[] token, ByteBuffer hello, ByteBuffer challenge) {
    byte[] transcript =
        digest(
            hello.duplicate().clear().limit(WireFormat.HELLO_BYTES),
            challenge.duplicate().clear().limit(WireFormat.CHALLENGE_BYTES));
    return (agreed, purpose) ->
        Hkdf.expand(Hkdf.extract(transcript, token, agreed), SECRET + purpose, Hkdf.HASH_BYTES);
  }

  private static byte[] code(byte[] token, String label, ByteBuffer hello, ByteBuffer challenge) {
    try {
      Mac mac = Mac.getInstance(ALGORITHM);
      mac.init(new SecretKeySpec(token, ALGORITHM));
      mac.update(label.getBytes(StandardCharsets.US_ASCII));
      mac.update(hello.duplicate().clear().limit(WireFormat.HELLO_BYTES));
      mac.update(challenge.duplicate().clear().limit(WireFormat.CHALLENGE_MAC_OFFSET));
      return mac.doFinal();
    } catch (GeneralSecurityException impossible) {
      throw new IllegalStateException("every Java platform has " + ALGORITHM, impossible);
    }
  }

  private static byte[] identity(String endpoint) {
    byte[] digest = digest(ByteBuffer.wrap(endpoint.getBytes(StandardCharsets.UTF_8)));
    return Arrays.copyOf(digest, WireFormat.IDENTITY_BYTES);
  }

  private static byte[] digest(ByteBuffer... parts) {
    try {
      MessageDigest digest = MessageDigest.getInstance("SHA-256");
      for (ByteBuffer part : parts) {
        digest.update(part);
      }
      return digest.digest();
    } catch (GeneralSecurityException impossible) {
      throw new IllegalStateException("every Java platform has SHA-256", impossible);
    }
  }

  private static byte[] nonce() {
    byte[] nonce = new byte[WireFormat.NONCE_BYTES];
    RANDOM.nextBytes(nonce);
    return nonce;
  }
}
