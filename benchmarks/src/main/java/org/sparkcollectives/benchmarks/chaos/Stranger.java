package org.sparkcollectives.benchmarks.chaos;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.util.Random;
import org.sparkcollectives.internal.transport.endpoint.Caller;
import org.sparkcollectives.internal.transport.tcp.channel.RecordSealing;
import org.sparkcollectives.internal.transport.tcp.channel.Sealing;
import org.sparkcollectives.internal.transport.tcp.handshake.Handshake;
import org.sparkcollectives.internal.transport.tcp.handshake.Lease;
import org.sparkcollectives.internal.transport.tcp.handshake.WireFormat;

/** Those who call without knowing the token. */
enum Stranger {
  /** Says nothing. */
  SILENT,
  /** Says what comes to its mind. */
  GARBAGE,
  /** Takes the port for another service. */
  WEB,
  /** Speaks another version. */
  VERSION,
  /** Has another byte order. */
  BYTE_ORDER,
  /** Means another process. */
  ENDPOINT,
  /** Seals its connections. */
  SEALED,
  /** Begins with a frame that is not due. */
  OUT_OF_TURN,
  /** Leaves in the middle of a frame. */
  TRUNCATED,
  /** Guesses the token. */
  GUESS,
  /** Changes bits of a good frame. */
  FLIPPED,
  /** Says more than is due. */
  FLOOD;

  private static final int FLOOD_BYTES = 1 << 12;

  /**
   * Calls.
   *
   * @return whether it was let in
   */
  boolean call(Caller caller, Random random) throws IOException {
    switch (this) {
      case SILENT -> {
        return false;
      }
      case GARBAGE -> caller.send(garbage(random, WireFormat.HELLO_BYTES + random.nextInt(64)));
      case WEB -> caller.send("GET / HTTP/1.1\r\n\r\n".getBytes(StandardCharsets.US_ASCII));
      case VERSION -> {
        ByteBuffer hello = caller.hello();
        int own = hello.getShort(WireFormat.VERSION_OFFSET);
        int another = own + 1 + random.nextInt(999);
        caller.send(hello.putShort(WireFormat.VERSION_OFFSET, (short) another));
      }
      case BYTE_ORDER -> {
        boolean little = ByteOrder.nativeOrder() == ByteOrder.LITTLE_ENDIAN;
        caller.send(caller.hello().put(WireFormat.ORDER_OFFSET, (byte) (little ? 'B' : 'L')));
      }
      case ENDPOINT -> caller.send(Caller.hello("another"));
      case SEALED -> {
        ByteBuffer hello = caller.hello();
        caller.send(
            hello.putInt(WireFormat.HELLO_NONCE_OFFSET + WireFormat.NONCE_BYTES, SEALS.code()));
      }
      case OUT_OF_TURN ->
          caller.send(
              WireFormat.frame(WireFormat.LEASE)
                  .put(WireFormat.TYPE_OFFSET, (byte) (2 + random.nextInt(100))));
      case TRUNCATED -> {
        caller.send(start(caller.hello(), random.nextInt(WireFormat.HELLO_BYTES)));
        return false;
      }
      case GUESS -> {
        ByteBuffer hello = caller.hello();
        caller.send(hello);
        byte[] guess = garbage(random, Handshake.TOKEN_BYTES);
        caller.send(Handshake.proof(guess, hello, caller.receive(WireFormat.CHALLENGE)));
        caller.send(WireFormat.lease(new Lease(1, 0, 0, 1), 1));
      }
      case FLIPPED -> {
        ByteBuffer hello = caller.hello();
        int at = random.nextInt(WireFormat.HELLO_NONCE_OFFSET);
        caller.send(hello.put(at, (byte) (hello.get(at) ^ 1 << random.nextInt(8))));
      }
      case FLOOD -> {
        caller.send(caller.hello());
        caller.receive(WireFormat.CHALLENGE);
        caller.send(garbage(random, FLOOD_BYTES));
      }
      default -> throw new IllegalStateException(toString());
    }
    return caller.isLetIn();
  }

  private static final Sealing SEALS = new RecordSealing();

  private static byte[] start(ByteBuffer frame, int bytes) {
    byte[] some = new byte[bytes];
    frame.get(0, some);
    return some;
  }

  /** Random bytes. */
  static byte[] garbage(Random random, int bytes) {
    byte[] all = new byte[bytes];
    random.nextBytes(all);
    return all;
  }
}
