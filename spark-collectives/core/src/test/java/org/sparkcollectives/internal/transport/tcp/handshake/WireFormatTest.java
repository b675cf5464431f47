package org.sparkcollectives.internal.transport.tcp.handshake;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.ByteArrayOutputStream;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;
import org.junit.jupiter.api.Test;
import org.sparkcollectives.internal.transport.CarrierProvider;
import org.sparkcollectives.internal.transport.EndpointOptions;

final class WireFormatTest {
  private static final Path DOCUMENT = Path.of("..", "..", "docs", "wire-format.md");
  private static final String ORDER = WireFormat.nativeOrder() == 'B' ? "42" : "4c";
  private static final byte[] TOKEN =
      "0123456789abcdef0123456789abcdef".getBytes(StandardCharsets.US_ASCII);

  private static final byte[] SHARE =
      "fedcba9876543210fedcba9876543210".getBytes(StandardCharsets.US_ASCII);

  @Test
  void framesAreLaidOutByteForByteAsDescribed() {
    Lease lease = new Lease(0x0102030405060708L, 9, 10, 11);
    assertEquals(
        "53434f4c000404"
            + ORDER
            + "0102030405060708"
            + "00000009"
            + "0000000a"
            + "0000000b00000001",
        hex(WireFormat.lease(lease, 1)));
    assertEquals(lease, WireFormat.lease(WireFormat.lease(lease, 1)));
    Lease third = new Lease(0x0102030405060708L, 9, 10, 11, 2);
    ByteBuffer striped = WireFormat.lease(third, 64);
    assertTrue(hex(striped).endsWith("0000000b00020040"), hex(striped));
    assertEquals(third, WireFormat.lease(striped));
    assertEquals(64, WireFormat.stripes(striped));
    for (int stripes : new int[] {0, 2, 65, -1}) { // the third of so many
      assertEquals(0, WireFormat.stripes(WireFormat.lease(third, stripes)));
    }
    assertEquals(
        "53434f4c000405" + ORDER + "0000000600000000", hex(WireFormat.answer(AnswerCode.ENDED)));
    assertEquals("53434f4c000405" + ORDER + "0000000000000001", hex(WireFormat.accepted(true)));
    assertTrue(WireFormat.isShared(WireFormat.accepted(true)));
    assertFalse(WireFormat.isShared(WireFormat.accepted(false)));
    assertEquals(hex(WireFormat.answer(AnswerCode.ACCEPTED)), hex(WireFormat.accepted(false)));
    assertEquals(
        "53434f4c000406" + ORDER + "0102030405060708" + "0000000900000000",
        hex(WireFormat.returned(lease)));
    assertTrue(WireFormat.isReturned(WireFormat.returned(lease), lease));
    assertFalse(WireFormat.isReturned(WireFormat.returned(lease), new Lease(1, 9, 10, 11)));
    assertFalse(
        WireFormat.isReturned(
            WireFormat.returned(lease), new Lease(lease.communicator(), 8, 10, 11)));
    byte[] name = HexFormat.of().parseHex("000102030405060708090a0b0c0d0e0f");
    assertEquals(
        "53434f4c000407" + ORDER + "000102030405060708090a0b0c0d0e0f", hex(WireFormat.share(name)));
    assertArrayEquals(name, WireFormat.share(WireFormat.share(name)));
    assertEquals(CarrierProvider.NAME_BYTES, name.length);
  }

  @Test
  void doorbellsAreDroppedBeforeAFrameAndNowhereElse() {
    ByteBuffer frame = ByteBuffer.allocate(8);
    assertFalse(FrameReader.dropDoorbells(frame));
    frame.put(new byte[] {0, 0, 0, 7, 0, 9});
    assertTrue(FrameReader.dropDoorbells(frame));
    assertEquals(3, frame.position());
    assertEquals(8, frame.limit());
    frame.put(new byte[] {0, 1});
    assertFalse(FrameReader.dropDoorbells(frame));
    assertEquals(ByteBuffer.wrap(new byte[] {7, 0, 9, 0, 1}), frame.flip());
    frame.clear().put(new byte[8]);
    assertTrue(FrameReader.dropDoorbells(frame));
    assertEquals(0, frame.position());
  }

  @Test
  void everyAnswerHasItsCode() {
    for (AnswerCode answer : AnswerCode.values()) {
      assertEquals(answer, AnswerCode.of(answer.code()));
      assertEquals(answer, WireFormat.answer(WireFormat.answer(answer)));
    }
    assertEquals(AnswerCode.UNKNOWN, AnswerCode.of(12345));
  }

  @Test
  void theHandshakeProvesTheTokenAsDescribed() throws Exception {
    ByteBuffer hello = Handshake.hello("an endpoint", 1, SHARE);
    assertEquals("53434f4c000401" + ORDER, hex(hello).substring(0, 16));
    byte[] identity =
        MessageDigest.getInstance("SHA-256").digest("an endpoint".getBytes(StandardCharsets.UTF_8));
    assertEquals(HexFormat.of().formatHex(identity, 0, 16), hex(hello).substring(16, 48));
    assertEquals("00000001" + HexFormat.of().formatHex(SHARE), hex(hello).substring(112));
    assertEquals(1, WireFormat.seal(hello));
    assertArrayEquals(SHARE, WireFormat.sealShare(hello));
    assertNotEquals(hex(hello), hex(Handshake.hello("an endpoint", 1, SHARE)));
    assertTrue(Handshake.calls(hello, "an endpoint"));
    assertFalse(Handshake.calls(hello, "another"));

    ByteBuffer challenge = Handshake.challenge(TOKEN, hello, SHARE);
    assertEquals(HexFormat.of().formatHex(SHARE), hex(challenge).substring(80, 144));
    assertArrayEquals(SHARE, WireFormat.sealShare(challenge));
    assertEquals(hmac("acceptor", hello, challenge), hex(challenge).substring(144));
    ByteBuffer proof = Handshake.proof(TOKEN, hello, challenge);
    assertEquals(hmac("dialer", hello, challenge), hex(proof).substring(16));
    assertTrue(Handshake.provesAcceptor(TOKEN, hello, challenge));
    assertTrue(Handshake.provesDialer(TOKEN, hello, challenge, proof));
  }

  @Test
  void everyChangedBitOfTheTranscriptIsNoticed() {
    ByteBuffer hello = Handshake.hello("an endpoint", 1, SHARE);
    ByteBuffer challenge = Handshake.challenge(TOKEN, hello, SHARE);
    ByteBuffer proof = Handshake.proof(TOKEN, hello, challenge);
    for (int bit = 0; bit < WireFormat.HELLO_BYTES * 8; bit++) {
      ByteBuffer changed = flipped(hello, bit);
      assertFalse(Handshake.provesAcceptor(TOKEN, changed, challenge));
      assertFalse(Handshake.provesDialer(TOKEN, changed, challenge, proof));
    }
    for (int bit = 0; bit < WireFormat.CHALLENGE_BYTES * 8; bit++) {
      assertFalse(Handshake.provesAcceptor(TOKEN, hello, flipped(challenge, bit)));
    }
    for (int bit = WireFormat.PROOF_MAC_OFFSET * 8; bit < WireFormat.PROOF_BYTES * 8; bit++) {
      assertFalse(Handshake.provesDialer(TOKEN, hello, challenge, flipped(proof, bit)));
    }
    byte[] other = Arrays.copyOf(TOKEN, TOKEN.length);
    other[31] ^= 1;
    assertFalse(Handshake.provesAcceptor(other, hello, challenge));
    assertFalse(Handshake.provesDialer(other, hello, challenge, proof));
  }

  @Test
  void theDocumentHasTheSizesTheCodesAndTheDefaults() throws Exception {
    String document = Files.readString(DOCUMENT);
    Map<String, Byte> frames =
        Map.of(
            "HELLO", WireFormat.HELLO,
            "CHALLENGE", WireFormat.CHALLENGE,
            "PROOF", WireFormat.PROOF,
            "LEASE", WireFormat.LEASE,
            "ANSWER", WireFormat.ANSWER,
            "RETURNED", WireFormat.RETURNED,
            "SHARE", WireFormat.SHARE);
    frames.forEach(
        (name, type) ->
            assertHolds(
                document, "| " + type + " | " + name + " | " + WireFormat.bytes(type) + " |"));
    for (AnswerCode answer : AnswerCode.values()) {
      assertEquals(
          answer != AnswerCode.UNKNOWN,
          document.contains("\n| " + answer.code() + " | "),
          answer.name());
    }
    assertHolds(document, "version " + WireFormat.VERSION);
    EndpointOptions defaults = EndpointOptions.builder().build();
    assertHolds(document, "`handshakeTimeout`, " + defaults.handshakeTimeout().toSeconds() + " s");
    assertHolds(document, "`parkTimeout`, " + defaults.parkTimeout().toSeconds() + " s");
    assertHolds(document, "`idleTimeout`, " + defaults.idleTimeout().toMinutes() + " min");
    assertHolds(document, "`maxPending`, " + defaults.maxPending() + " |");
    assertHolds(document, "`maxParked`, " + defaults.maxParked() + " |");
    assertHolds(document, "`maxIdlePerPeer`, " + defaults.maxIdlePerPeer() + " |");
  }

  /** Shares and what is agreed are those of RFC 7748, section 6.1. */
  @Test
  void theDocumentHasAHandshakeWithAllItsSecrets() throws Exception {
    HexFormat hex = HexFormat.of();
    String numbers = "000102030405060708090a0b0c0d0e0f101112131415161718191a1b1c1d1e1f";
    String dialer = "8520f0098930a754748b7ddcb43ef75a0dbf3a0d26381af4eba4a98eaa9b4e6a";
    String acceptor = "de9edb7d7b7dc1b4d35b61c2ece435373f8343c85b78674dadfc7e146f882b4f";
    byte[] agreed =
        hex.parseHex("4a5d9d5ba4ce2de1728e3bf480350f25e07e21c947d19e3376f09b3c1e161742");
    ByteBuffer hello =
        Handshake.hello("an endpoint", 1, hex.parseHex(dialer))
            .put(WireFormat.ORDER_OFFSET, (byte) 'L')
            .put(WireFormat.HELLO_NONCE_OFFSET, hex.parseHex(numbers));
    ByteBuffer challenge =
        Handshake.challenge(TOKEN, hello, hex.parseHex(acceptor))
            .put(WireFormat.ORDER_OFFSET, (byte) 'L')
            .put(WireFormat.CHALLENGE_NONCE_OFFSET, hex.parseHex(numbers));
    String code = hmac("acceptor", hello, challenge);
    challenge.put(WireFormat.CHALLENGE_MAC_OFFSET, hex.parseHex(code));
    assertTrue(Handshake.provesAcceptor(TOKEN, hello, challenge));

    String document = Files.readString(DOCUMENT).replaceAll("\\s", "");
    assertHolds(document, hex(hello));
    assertHolds(document, hex(challenge));
    assertHolds(document, hmac("dialer", hello, challenge));
    assertHolds(document, hex.formatHex(agreed));
    byte[] salt =
        MessageDigest.getInstance("SHA-256").digest(hex.parseHex(hex(hello) + hex(challenge)));
    assertHolds(document, hex.formatHex(salt));
    byte[] ikm = hex.parseHex(hex.formatHex(TOKEN) + hex.formatHex(agreed));
    byte[] extracted = hmac(salt, ikm);
    assertHolds(document, hex.formatHex(extracted));
    for (String purpose : List.of("records from the dialer", "records from the acceptor")) {
      byte[] info = ("spark-collectives " + purpose + "\1").getBytes(StandardCharsets.US_ASCII);
      byte[] secret = hmac(extracted, info);
      assertArrayEquals(secret, Handshake.secrets(TOKEN, hello, challenge).of(agreed, purpose));
      assertHolds(document, hex.formatHex(secret));
    }
  }

  private static byte[] hmac(byte[] key, byte[] message) throws Exception {
    Mac mac = Mac.getInstance("HmacSHA256");
    mac.init(new SecretKeySpec(key, "HmacSHA256"));
    return mac.doFinal(message);
  }

  private static void assertHolds(String document, String text) {
    assertTrue(document.contains(text), text);
  }

  private static String hmac(String label, ByteBuffer hello, ByteBuffer challenge)
      throws Exception {
    ByteArrayOutputStream transcript = new ByteArrayOutputStream();
    transcript.writeBytes(label.getBytes(StandardCharsets.US_ASCII));
    transcript.writeBytes(HexFormat.of().parseHex(hex(hello)));
    transcript.writeBytes(HexFormat.of().parseHex(hex(challenge).substring(0, 144)));
    Mac mac = Mac.getInstance("HmacSHA256");
    mac.init(new SecretKeySpec(TOKEN, "HmacSHA256"));
    return HexFormat.of().formatHex(mac.doFinal(transcript.toByteArray()));
  }

  private static ByteBuffer flipped(ByteBuffer frame, int bit) {
    ByteBuffer copy = ByteBuffer.wrap(HexFormat.of().parseHex(hex(frame)));
    return copy.put(bit / 8, (byte) (copy.get(bit / 8) ^ 1 << bit % 8));
  }

  private static String hex(ByteBuffer frame) {
    byte[] bytes = new byte[frame.limit()];
    frame.get(0, bytes);
    return HexFormat.of().formatHex(bytes);
  }
}
