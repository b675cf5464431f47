package org.sparkcollectives.internal.transport.tcp.channel;

import java.nio.ByteBuffer;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;

/** One end of a connection in memory, which is asked for bytes alone: nothing waits for it. */
abstract class MemoryChannel implements Channel {

  @Override
  public long write(ByteBuffer first, ByteBuffer second) {
    throw new UnsupportedOperationException();
  }

  @Override
  public boolean flush() {
    return true;
  }

  @Override
  public boolean hasInput() {
    return false;
  }

  @Override
  public int operations(boolean forInput, boolean forRoom) {
    return 0;
  }

  @Override
  public SelectionKey register(Selector selector, int operations, Object attachment) {
    throw new UnsupportedOperationException();
  }

  @Override
  public boolean isOpen() {
    return true;
  }

  @Override
  public void close() {}
}
