package org.sparkcollectives.internal.transport.tcp.channel;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.nio.ByteBuffer;
import java.security.Security;
import java.time.Duration;
import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.sparkcollectives.internal.transport.endpoint.Certificates;
import org.sparkcollectives.testing.JavaProcess;

/** TLS over a connection that takes less than a record at a time. */
final class TlsChannelTest {
  private static final int PIPE_BYTES = 4096;
  private static final int MESSAGE_BYTES = 1 << 20;

  /** How often both ends may be asked in vain. */
  private static final int VAIN = 10;

  private static final String ARRIVED = "both messages have arrived";

  /** An end of a connection in memory that holds a few bytes in each direction. */
  private static final class Narrow extends MemoryChannel {
    private final ByteBuffer out;
    private final ByteBuffer in;

    Narrow(ByteBuffer out, ByteBuffer in) {
      this.out = out;
      this.in = in;
    }

    @Override
    public int read(ByteBuffer target) {
      in.flip();
      int count = Math.min(in.remaining(), target.remaining());
      target.put(in.slice(0, count));
      in.position(count).compact();
      return count;
    }

    @Override
    public int write(ByteBuffer source) {
      int count = Math.min(out.remaining(), source.remaining());
      out.put(source.slice().limit(count));
      source.position(source.position() + count);
      return count;
    }
  }

  /** Two ends that send each other a long message, with new keys after every record. */
  static final class Exchange {
    private Exchange() {}

    /**
     * Says whether both messages arrive.
     *
     * @param arguments none
     * @throws Exception if TLS fails
     */
    public static void main(String... arguments) throws Exception {
      Security.setProperty("jdk.tls.keyLimits", "AES/GCM/NoPadding KeyUpdate 2^10");
      ByteBuffer there = ByteBuffer.allocate(PIPE_BYTES);
      ByteBuffer back = ByteBuffer.allocate(PIPE_BYTES);
      Channel[] ends = {
        sealed(new Narrow(there, back), true), sealed(new Narrow(back, there), false)
      };
      ByteBuffer[] sent = {message(1), message(2)};
      ByteBuffer[] received = {
        ByteBuffer.allocate(MESSAGE_BYTES), ByteBuffer.allocate(MESSAGE_BYTES)
      };
      int vain = 0;
      while (vain < VAIN && (received[0].hasRemaining() || received[1].hasRemaining())) {
        boolean moved = false;
        for (int i = 0; i < 2; i++) {
          int before = there.position() + back.position();
          ends[i].write(sent[i], SealedChannel.NOTHING);
          moved |= there.position() + back.position() != before;
          moved |= ends[i].read(received[i]) > 0;
        }
        vain = moved ? 0 : vain + 1;
      }
      for (ByteBuffer each : List.of(sent[0], sent[1], received[0], received[1])) {
        each.rewind();
      }
      boolean arrived = received[0].equals(sent[1]) && received[1].equals(sent[0]);
      System.out.println(arrived ? ARRIVED : "both ends wait");
    }

    private static Channel sealed(Channel plain, boolean dialed) throws Exception {
      Sealing.Share share = Certificates.sealing().share();
      return share.seal(plain, dialed, share.told(), (agreed, purpose) -> agreed);
    }

    private static ByteBuffer message(long seed) {
      byte[] bytes = new byte[MESSAGE_BYTES];
      new SplittableRandom(seed).nextBytes(bytes);
      return ByteBuffer.wrap(bytes);
    }
  }

  /** What the JDK allows a key is read once in a process. */
  @Test
  void newKeysDoNotKeepTwoEndsFromReadingThatBothHaveMuchToSend() throws Exception {
    List<String> options = List.of("-Xmx64m", "-XX:+UseSerialGC", "-XX:TieredStopAtLevel=1");
    try (JavaProcess process =
        JavaProcess.start(JavaProcess.command(options, Exchange.class, List.of()))) {
      assertEquals(ARRIVED, process.within(Duration.ofSeconds(60)).line());
    }
  }
}
