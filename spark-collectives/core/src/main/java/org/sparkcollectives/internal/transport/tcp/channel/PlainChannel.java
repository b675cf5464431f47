package org.sparkcollectives.internal.transport.tcp.channel;

import java.io.IOException;
import java.net.ConnectException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.net.SocketOption;
import java.net.StandardSocketOptions;
import java.nio.ByteBuffer;
import java.nio.channels.ClosedChannelException;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.nio.channels.UnsupportedAddressTypeException;
import java.util.Map;
import java.util.Set;
import jdk.net.ExtendedSocketOptions;
import org.jspecify.annotations.Nullable;

/** A socket as it is: what is written is what goes over the network. */
public final class PlainChannel implements Channel {
  /**
   * The most bytes of a heap buffer in one call: the JDK copies them through a native buffer that
   * it keeps for the thread.
   */
  private static final int HEAP_BYTES = 1 << 18;

  /**
   * When a silent connection is asked whether the other machine is there, how often, and how often
   * in vain until it is broken: after 15 s and 4 times 5 s.
   */
  private static final Map<SocketOption<Integer>, Integer> KEEP_ALIVE =
      Map.of(
          ExtendedSocketOptions.TCP_KEEPIDLE, 15,
          ExtendedSocketOptions.TCP_KEEPINTERVAL, 5,
          ExtendedSocketOptions.TCP_KEEPCOUNT, 4);

  private final SocketChannel socket;
  private final ByteBuffer[] pair = new ByteBuffer[2];

  private PlainChannel(SocketChannel socket) {
    this.socket = socket;
  }

  /**
   * Makes a channel that is not connected.
   *
   * @param sendBufferBytes size of the socket's send buffer, 0 for the system's choice
   * @param receiveBufferBytes size of the socket's receive buffer, 0 for the system's choice
   * @return the channel
   * @throws IOException if there is no socket to be had, or it refuses an option
   */
  public static PlainChannel open(int sendBufferBytes, int receiveBufferBytes) throws IOException {
    return of(SocketChannel.open(), sendBufferBytes, receiveBufferBytes);
  }

  /**
   * Accepts a connection, if one waits.
   *
   * @param server a socket that listens and does not block
   * @return the connection, not set up yet, or null if none waits
   * @throws IOException if the system has no socket left
   */
  public static @Nullable PlainChannel accept(ServerSocketChannel server) throws IOException {
    SocketChannel socket = server.accept();
    return socket == null ? null : new PlainChannel(socket);
  }

  static PlainChannel of(SocketChannel socket, int sendBytes, int receiveBytes) throws IOException {
    PlainChannel channel = new PlainChannel(socket);
    try {
      channel.setUp(sendBytes, receiveBytes);
      return channel;
    } catch (IOException | RuntimeException e) {
      socket.close();
      throw e;
    }
  }

  /**
   * Sets the socket's options; it never blocks from now on.
   *
   * @param sendBufferBytes size of its send buffer, 0 for the system's choice
   * @param receiveBufferBytes size of its receive buffer, 0 for the system's choice
   * @throws IOException if the socket refuses an option
   */
  public void setUp(int sendBufferBytes, int receiveBufferBytes) throws IOException {
    socket.configureBlocking(false);
    socket.setOption(StandardSocketOptions.TCP_NODELAY, true);
    keepAlive(socket);
    if (sendBufferBytes > 0) {
      socket.setOption(StandardSocketOptions.SO_SNDBUF, sendBufferBytes);
    }
    if (receiveBufferBytes > 0) {
      socket.setOption(StandardSocketOptions.SO_RCVBUF, receiveBufferBytes);
    }
  }

  /**
   * Lets a socket find out while it is silent that the other machine has gone.
   *
   * @param socket the socket, connected or not
   * @throws IOException if it refuses an option
   */
  public static void keepAlive(SocketChannel socket) throws IOException {
    socket.setOption(StandardSocketOptions.SO_KEEPALIVE, true);
    Set<SocketOption<?>> known = socket.supportedOptions();
    for (Map.Entry<SocketOption<Integer>, Integer> option : KEEP_ALIVE.entrySet()) {
      if (known.contains(option.getKey())) {
        socket.setOption(option.getKey(), option.getValue());
      }
    }
  }

  /**
   * Begins to connect.
   *
   * @param address where to
   * @return whether it is connected already; else {@link #finishConnect} tells
   * @throws IOException if it cannot be, since nobody listens there for example
   */
  public boolean connect(SocketAddress address) throws IOException {
    try {
      return socket.connect(address) && isWithAnother();
    } catch (UnsupportedAddressTypeException e) {
      ConnectException failure = new ConnectException("this JVM uses IPv4 alone");
      failure.initCause(e);
      throw failure;
    }
  }

  /**
   * Goes on to connect; a key that selects for {@link SelectionKey#OP_CONNECT} tells when.
   *
   * @return whether it is connected
   * @throws IOException if it cannot be
   */
  public boolean finishConnect() throws IOException {
    return socket.finishConnect() && isWithAnother();
  }

  /**
   * Where nobody listens on a port of this machine, the system may give the dialing socket that
   * very port, and connect it to itself.
   */
  private boolean isWithAnother() throws IOException {
    if (socket.getLocalAddress().equals(socket.getRemoteAddress())) {
      throw new ConnectException("Connection refused: nobody listens there");
    }
    return true;
  }

  /**
   * This end's address.
   *
   * @return the one that it has while it is connected
   * @throws IOException if it is closed
   */
  public InetAddress ownAddress() throws IOException {
    return ((InetSocketAddress) socket.getLocalAddress()).getAddress();
  }

  /**
   * An option of the socket.
   *
   * @param option the option
   * @param <T> what its values are
   * @return its value
   * @throws IOException if the socket has none
   */
  <T> T option(SocketOption<T> option) throws IOException {
    return socket.getOption(option);
  }

  @Override
  public int read(ByteBuffer target) throws IOException {
    int limit = target.limit();
    clip(target);
    try {
      return socket.read(target);
    } finally {
      target.limit(limit);
    }
  }

  @Override
  public int write(ByteBuffer source) throws IOException {
    int limit = source.limit();
    clip(source);
    try {
      return socket.write(source);
    } finally {
      source.limit(limit);
    }
  }

  @Override
  public long write(ByteBuffer first, ByteBuffer second) throws IOException {
    if (!second.hasRemaining()) {
      return write(first);
    }
    if (!first.hasRemaining()) {
      return write(second);
    }
    if (!first.isDirect() && first.remaining() > HEAP_BYTES) {
      return write(first);
    }
    int limit = second.limit();
    clip(second);
    pair[0] = first;
    pair[1] = second;
    try {
      return socket.write(pair);
    } finally {
      second.limit(limit);
    }
  }

  private static void clip(ByteBuffer buffer) {
    if (!buffer.isDirect() && buffer.remaining() > HEAP_BYTES) {
      buffer.limit(buffer.position() + HEAP_BYTES);
    }
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
    return (forInput ? SelectionKey.OP_READ : 0) | (forRoom ? SelectionKey.OP_WRITE : 0);
  }

  @Override
  public SelectionKey register(Selector selector, int operations, Object attachment)
      throws ClosedChannelException {
    return socket.register(selector, operations, attachment);
  }

  @Override
  public boolean isOpen() {
    return socket.isOpen();
  }

  @Override
  public void close() throws IOException {
    socket.close();
  }
}
