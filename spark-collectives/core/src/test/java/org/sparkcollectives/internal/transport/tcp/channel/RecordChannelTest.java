package org.sparkcollectives.internal.transport.tcp.channel;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.SplittableRandom;
import javax.crypto.Cipher;
import javax.crypto.Mac;
import javax.crypto.spec.GCMParameterSpec;
import javax.crypto.spec.SecretKeySpec;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.sparkcollectives.transport.Seed;

/** What sealed records bring, and what is no record of the other end. */
final class RecordChannelTest {
  private static final Path DOCUMENT = Path.of("..", "..", "docs", "wire-format.md");
  private static final int MANY = 1 << 20;
  private static final byte[] ONE = new byte[32];
  private static final byte[] OTHER = HexFormat.of().parseHex("01".repeat(32));
  private static final SplittableRandom SMALL_STEPS = new SplittableRandom(7);

  private static RecordChannel channel(Wire wire, byte[] sent, byte[] received, int perKey) {
    return new RecordChannel(wire, sent.clone(), received.clone(), perKey);
  }

  /** What arrives of one message that is sealed at one end. */
  private static byte[] sealed(RecordChannel from, Wire wire, byte[] message) throws IOException {
    ByteBuffer source = ByteBuffer.wrap(message);
    while (source.hasRemaining() || !from.flush()) {
      from.write(source);
    }
    return wire.taken();
  }

  private static byte[] read(RecordChannel to, int most) throws IOException {
    ByteBuffer target = ByteBuffer.allocate(most);
    int count = to.read(target);
    while (count > 0) {
      count = to.read(target);
    }
    return Arrays.copyOf(target.array(), target.position());
  }

  @ParameterizedTest
  @ValueSource(ints = {3, MANY})
  void bringsEverythingInBothDirections(int recordsPerKey) {
    Seed.run(
        RecordChannelTest.class,
        seed -> {
          SplittableRandom random = new SplittableRandom(seed);
          Wire left = new Wire(random);
          Wire right = new Wire(random);
          RecordChannel dialer = channel(left, ONE, OTHER, recordsPerKey);
          RecordChannel acceptor = channel(right, OTHER, ONE, recordsPerKey);
          for (int i = 0; i < 60; i++) {
            boolean there = random.nextBoolean();
            RecordChannel from = there ? dialer : acceptor;
            RecordChannel to = there ? acceptor : dialer;
            byte[] message = new byte[random.nextInt(random.nextInt(4) == 0 ? 300_000 : 6000)];
            random.nextBytes(message);
            int cut = random.nextInt(message.length + 1);
            ByteBuffer head = direct(random.nextBoolean(), message, 0, cut);
            ByteBuffer body = direct(random.nextBoolean(), message, cut, message.length - cut);
            ByteBuffer target = ByteBuffer.allocate(message.length);
            while (target.hasRemaining()) {
              from.write(head, body);
              from.flush();
              (there ? right : left).arrive((there ? left : right).taken());
              int limit = target.limit();
              int most = random.nextInt(target.remaining() + 1);
              to.read(target.limit(target.position() + most));
              target.limit(limit);
            }
            assertArrayEquals(message, target.array());
            assertFalse(to.hasInput());
            assertEquals(0, to.read(ByteBuffer.allocate(1)));
          }
        });
  }

  private static ByteBuffer direct(boolean direct, byte[] bytes, int from, int count) {
    return direct
        ? ByteBuffer.allocateDirect(count).put(bytes, from, count).flip()
        : ByteBuffer.wrap(bytes, from, count);
  }

  @Test
  void whatIsSealedShowsNothingAndIsNeverTheSame() throws IOException {
    Wire wire = new Wire(SMALL_STEPS);
    RecordChannel from = channel(wire, ONE, OTHER, MANY);
    byte[] zeros = new byte[1000];
    byte[] first = sealed(from, wire, zeros);
    byte[] second = sealed(from, wire, zeros);
    assertEquals(1020, first.length);
    assertFalse(Arrays.equals(first, second));
    assertTrue(HexFormat.of().formatHex(first).indexOf("0000000000") < 0);
  }

  @Test
  void everyChangedBitIsAnError() throws IOException {
    Wire wire = new Wire(SMALL_STEPS);
    byte[] record = sealed(channel(wire, ONE, OTHER, MANY), wire, new byte[] {1, 2, 3});
    for (int bit = 0; bit < record.length * 8; bit++) {
      byte[] changed = record.clone();
      changed[bit / 8] ^= (byte) (1 << bit % 8);
      Wire arriving = new Wire(SMALL_STEPS).arrive(changed);
      arriving.end();
      RecordChannel to = channel(arriving, OTHER, ONE, MANY);
      assertThrows(IOException.class, () -> read(to, 100), "bit " + bit);
    }
  }

  @Test
  void aRecordTwiceLeftOutOutOfTurnOrOfTheOtherDirectionIsAnError() throws IOException {
    Wire wire = new Wire(SMALL_STEPS);
    RecordChannel from = channel(wire, ONE, OTHER, MANY);
    byte[] first = sealed(from, wire, new byte[] {1});
    byte[] second = sealed(from, wire, new byte[] {2});
    byte[] third = sealed(from, wire, new byte[] {3});
    assertArrayEquals(new byte[] {1, 2, 3}, opened(first, second, third));
    for (byte[][] wrong :
        new byte[][][] {{first, first}, {second}, {first, third}, {second, first}, {third}}) {
      assertThrows(IOException.class, () -> opened(wrong));
    }
    Wire own = new Wire(SMALL_STEPS).arrive(first);
    assertThrows(IOException.class, () -> read(channel(own, ONE, OTHER, MANY), 9), "reflected");
  }

  private static byte[] opened(byte[]... records) throws IOException {
    Wire wire = new Wire(SMALL_STEPS);
    for (byte[] record : records) {
      wire.arrive(record);
    }
    return read(channel(wire, OTHER, ONE, MANY), 100);
  }

  @Test
  void theStreamEndsBetweenRecordsAndNotInsideOfOne() throws IOException {
    Wire wire = new Wire(SMALL_STEPS);
    byte[] record = sealed(channel(wire, ONE, OTHER, MANY), wire, new byte[] {1, 2});
    for (int cut = 0; cut <= record.length; cut++) {
      Wire arriving = new Wire(SMALL_STEPS).arrive(Arrays.copyOf(record, cut));
      arriving.end();
      RecordChannel to = channel(arriving, OTHER, ONE, MANY);
      if (cut == 0 || cut == record.length) {
        assertEquals(cut == 0 ? 0 : 2, read(to, 9).length);
        assertEquals(-1, to.read(ByteBuffer.allocate(1)));
      } else {
        assertThrows(IOException.class, () -> read(to, 9), "cut at " + cut);
      }
    }
  }

  @ParameterizedTest
  @ValueSource(ints = {0, -1, RecordCipher.MOST_BYTES + 1, Integer.MAX_VALUE, Integer.MIN_VALUE})
  void aLengthThatNoRecordHasIsAnErrorBeforeItsBytesCome(int size) {
    byte[] header = ByteBuffer.allocate(4).putInt(size).array();
    Wire wire = new Wire(SMALL_STEPS).arrive(header);
    assertThrows(IOException.class, () -> read(channel(wire, OTHER, ONE, MANY), 9));
  }

  /** Made here step by step, as docs/wire-format.md describes it. */
  @Test
  void recordsAreWhatTheDocumentSays() throws Exception {
    HexFormat hex = HexFormat.of();
    byte[] secret =
        hex.parseHex("000102030405060708090a0b0c0d0e0f101112131415161718191a1b1c1d1e1f");
    Wire wire = new Wire(SMALL_STEPS);
    RecordChannel from = channel(wire, secret, OTHER, 2);
    ByteArrayOutputStream sealed = new ByteArrayOutputStream();
    byte[][] messages = {{1}, {2, 3}, {4}};
    for (byte[] message : messages) {
      sealed.writeBytes(sealed(from, wire, message));
    }
    byte[] next = expand(secret, "next");
    String expected =
        record(expand(secret, "key"), 0, messages[0])
            + record(expand(secret, "key"), 1, messages[1])
            + record(expand(next, "key"), 0, messages[2]);
    assertEquals(expected, hex.formatHex(sealed.toByteArray()));
    String document = Files.readString(DOCUMENT);
    assertTrue(document.contains(hex.formatHex(expand(secret, "key"))), document);
    for (int i = 0; i < 3; i++) {
      byte[] key = expand(i < 2 ? secret : next, "key");
      String record = record(key, i % 2, messages[i]);
      assertTrue(document.contains(record), record);
    }
  }

  private static String record(byte[] key, long number, byte[] message) throws Exception {
    Cipher cipher = Cipher.getInstance("AES/GCM/NoPadding");
    byte[] nonce = ByteBuffer.allocate(12).putInt(0).putLong(number).array();
    SecretKeySpec aes = new SecretKeySpec(key, "AES");
    cipher.init(Cipher.ENCRYPT_MODE, aes, new GCMParameterSpec(128, nonce));
    byte[] header = ByteBuffer.allocate(4).putInt(message.length).array();
    return HexFormat.of().formatHex(header) + HexFormat.of().formatHex(cipher.doFinal(message));
  }

  private static byte[] expand(byte[] secret, String purpose) throws Exception {
    Mac mac = Mac.getInstance("HmacSHA256");
    mac.init(new SecretKeySpec(secret, "HmacSHA256"));
    return mac.doFinal((purpose + "\u0001").getBytes(StandardCharsets.US_ASCII));
  }
}
