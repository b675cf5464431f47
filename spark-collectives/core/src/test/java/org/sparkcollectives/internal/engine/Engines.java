package org.sparkcollectives.internal.engine;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;

/** Engines that make their own buffers. */
final class Engines {
  private Engines() {}

  /** An engine as for a network of little latency. */
  static Engine plain() {
    return plain(Memory.BUFFER_BYTES, Engine.eagerBytes(0, 1));
  }

  /**
   * An engine with small buffers, so that short vectors need many.
   *
   * @param bufferBytes what a buffer holds of a message
   * @param eagerBytes the eager limit
   */
  static Engine plain(int bufferBytes, int eagerBytes) {
    return new Engine(
        bufferBytes,
        eagerBytes,
        bytes -> ByteBuffer.allocateDirect(bytes).order(ByteOrder.LITTLE_ENDIAN));
  }
}
