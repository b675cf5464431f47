package org.sparkcollectives.internal.transport.tcp.channel;

import java.io.ByteArrayOutputStream;
import java.nio.ByteBuffer;
import java.util.SplittableRandom;

/** One end of a connection in memory: what is written is kept, what was put is read. */
final class Wire extends MemoryChannel {
  private final SplittableRandom random;
  private final ByteArrayOutputStream written = new ByteArrayOutputStream();
  private ByteBuffer arriving = ByteBuffer.allocate(0);
  private boolean ended;

  /** Takes and delivers as much at a time as it draws. */
  Wire(SplittableRandom random) {
    this.random = random;
  }

  /** What has been written since this was asked last. */
  byte[] taken() {
    byte[] bytes = written.toByteArray();
    written.reset();
    return bytes;
  }

  /** Lets bytes arrive, after those before them. */
  Wire arrive(byte... bytes) {
    ByteBuffer all = ByteBuffer.allocate(arriving.remaining() + bytes.length);
    arriving = all.put(arriving).put(bytes).flip();
    return this;
  }

  /** Lets the stream end behind what has arrived. */
  void end() {
    ended = true;
  }

  @Override
  public int read(ByteBuffer target) {
    int most = Math.min(arriving.remaining(), target.remaining());
    if (most == 0) {
      return ended && !arriving.hasRemaining() ? -1 : 0;
    }
    int count = random.nextInt(1, most + 1);
    target.put(arriving.slice().limit(count));
    arriving.position(arriving.position() + count);
    return count;
  }

  @Override
  public int write(ByteBuffer source) {
    int count = random.nextInt(0, source.remaining() + 1);
    for (int i = 0; i < count; i++) {
      written.write(source.get());
    }
    return count;
  }
}
