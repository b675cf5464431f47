package org.sparkcollectives.internal.transport.tcp.channel;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.ClosedChannelException;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;

/**
 * The bytes of one connection in both directions, between its socket and all frames, doorbells and
 * data. It never blocks. {@link PlainChannel} passes bytes through; one that encrypts stands on a
 * plain one and may hold bytes in either direction: such that it has taken from the socket and not
 * yet delivered, and such that it has been given and the socket has not taken.
 *
 * <p>One thread at a time uses a channel; any thread may ask whether it is open, and close it.
 */
public interface Channel {

  /**
   * Delivers bytes, as many as there are and fit: it returns with room in the target only when
   * neither this channel nor the socket has more.
   *
   * @param target where to; its position moves by the number delivered
   * @return the number of bytes delivered, 0 when none is there now, -1 at the end of the stream
   * @throws IOException if the connection is broken, or what came is not what was sent
   */
  int read(ByteBuffer target) throws IOException;

  /**
   * Takes bytes, as many as there is room for.
   *
   * @param source the bytes; its position moves by the number taken
   * @return the number of bytes taken, 0 when there is no room now
   * @throws IOException if the connection is broken
   */
  int write(ByteBuffer source) throws IOException;

  /**
   * Takes bytes from two buffers in sequence, in one system call where that can be.
   *
   * @param first sent first
   * @param second sent after it
   * @return the number of bytes taken from both, 0 when there is no room now
   * @throws IOException if the connection is broken
   */
  long write(ByteBuffer first, ByteBuffer second) throws IOException;

  /**
   * Gives the socket what has been taken and is held back, as far as there is room.
   *
   * @return whether nothing is held back any more
   * @throws IOException if the connection is broken
   */
  boolean flush() throws IOException;

  /**
   * Whether there is something to read of which the socket shows nothing any more, since it has
   * been taken from it.
   *
   * @return true if the next {@link #read} delivers bytes, or the end, whatever the socket has
   */
  boolean hasInput();

  /**
   * What to select the socket for.
   *
   * @param forInput whether bytes to read are waited for
   * @param forRoom whether room to write, or to {@link #flush}, is waited for
   * @return operations of a {@link SelectionKey}, 0 if nothing is waited for
   */
  int operations(boolean forInput, boolean forRoom);

  /**
   * Registers the socket with a selector.
   *
   * @param selector the selector
   * @param operations what to select for
   * @param attachment what is attached to the key
   * @return the key
   * @throws ClosedChannelException if the channel is closed
   */
  SelectionKey register(Selector selector, int operations, Object attachment)
      throws ClosedChannelException;

  /**
   * Whether this end is open.
   *
   * @return false once it has been closed here
   */
  boolean isOpen();

  /**
   * Closes the socket. Idempotent.
   *
   * @throws IOException if that fails
   */
  void close() throws IOException;
}
