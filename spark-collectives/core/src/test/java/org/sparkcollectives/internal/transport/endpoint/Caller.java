package org.sparkcollectives.internal.transport.endpoint;

import java.io.DataInputStream;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.SocketException;
import java.nio.ByteBuffer;
import org.jspecify.annotations.Nullable;
import org.sparkcollectives.internal.transport.Peer;
import org.sparkcollectives.internal.transport.tcp.channel.Sealing;
import org.sparkcollectives.internal.transport.tcp.handshake.AnswerCode;
import org.sparkcollectives.internal.transport.tcp.handshake.Handshake;
import org.sparkcollectives.internal.transport.tcp.handshake.WireFormat;

/** A connection to an endpoint that says what it is told to, in turn or not. */
public final class Caller implements AutoCloseable {
  private static final int MILLIS = 20_000;

  private final Socket socket = new Socket();
  private final DataInputStream in;
  private final String endpoint;
  private final ByteBuffer hello;

  /**
   * Connects.
   *
   * @param peer the endpoint
   * @throws IOException if it does not accept
   */
  public Caller(Peer peer) throws IOException {
    this(peer, null);
  }

  /**
   * Connects from an address of this machine.
   *
   * @param peer the endpoint
   * @param from the address, null for any
   * @throws IOException if the endpoint does not accept
   */
  public Caller(Peer peer, @Nullable InetAddress from) throws IOException {
    endpoint = peer.endpoint();
    hello = hello(endpoint);
    boolean connected = false;
    try {
      if (from != null) {
        socket.bind(new InetSocketAddress(from, 0));
      }
      socket.connect(new InetSocketAddress(peer.host(), peer.port()), MILLIS);
      socket.setSoTimeout(MILLIS);
      socket.setTcpNoDelay(true);
      in = new DataInputStream(socket.getInputStream());
      connected = true;
    } finally {
      if (!connected) {
        socket.close();
      }
    }
  }

  /**
   * The first frame of one who means an endpoint.
   *
   * @param endpoint its identity
   * @return a new frame
   */
  public static ByteBuffer hello(String endpoint) {
    return Handshake.hello(endpoint, 0, new byte[Sealing.SHARE_BYTES]);
  }

  /**
   * Whom it has called.
   *
   * @return the endpoint's identity
   */
  public String endpoint() {
    return endpoint;
  }

  /**
   * This caller's first frame, to be changed by who likes to.
   *
   * @return the same frame each time
   */
  public ByteBuffer hello() {
    return hello;
  }

  /**
   * Sends bytes.
   *
   * @param bytes what is sent
   * @throws IOException if the connection has ended
   */
  public void send(byte... bytes) throws IOException {
    socket.getOutputStream().write(bytes);
  }

  /**
   * Sends a frame.
   *
   * @param frame all of it is sent, wherever its position is
   * @throws IOException if the connection has ended
   */
  public void send(ByteBuffer frame) throws IOException {
    byte[] bytes = new byte[frame.limit()];
    frame.get(0, bytes);
    send(bytes);
  }

  /**
   * Reads a frame.
   *
   * @param type its type
   * @return the frame
   * @throws IOException if the connection has ended, or something else comes
   */
  public ByteBuffer receive(byte type) throws IOException {
    byte[] frame = new byte[WireFormat.bytes(type)];
    in.readFully(frame);
    if (frame[WireFormat.TYPE_OFFSET] != type) {
      throw new IOException("a frame of type " + frame[WireFormat.TYPE_OFFSET] + " has come");
    }
    return ByteBuffer.wrap(frame);
  }

  /**
   * Reads the answer to a lease or to a wrong frame.
   *
   * @return what it says
   * @throws IOException if there is none
   */
  public AnswerCode answer() throws IOException {
    return WireFormat.answer(receive(WireFormat.ANSWER));
  }

  /**
   * Says the first frame, and waits for what follows.
   *
   * @return the challenge
   * @throws IOException if there is none
   */
  public ByteBuffer challenged() throws IOException {
    send(hello);
    return receive(WireFormat.CHALLENGE);
  }

  /**
   * Shows that it knows the token, once the endpoint has.
   *
   * @param token the token
   * @throws IOException if the endpoint does not, or ends the connection
   */
  public void authenticate(byte[] token) throws IOException {
    ByteBuffer challenge = challenged();
    if (!Handshake.provesAcceptor(token, hello, challenge)) {
      throw new IOException("the endpoint does not prove that it knows the token");
    }
    send(Handshake.proof(token, hello, challenge));
  }

  /**
   * Reads an answer, or until the end, or until there has been nothing for a while.
   *
   * @return whether a lease was granted
   */
  public boolean isLetIn() {
    try {
      byte[] answer = in.readNBytes(WireFormat.bytes(WireFormat.ANSWER));
      return answer.length == WireFormat.bytes(WireFormat.ANSWER)
          && answer[WireFormat.TYPE_OFFSET] == WireFormat.ANSWER
          && WireFormat.answer(ByteBuffer.wrap(answer)) == AnswerCode.ACCEPTED;
    } catch (IOException cut) {
      return false;
    }
  }

  /**
   * Waits for the end.
   *
   * @return whether the stream ends, in good order or by a reset, without a further byte
   * @throws IOException if nothing happens for a while
   */
  public boolean isCutOff() throws IOException {
    try {
      return in.read() < 0;
    } catch (SocketException reset) {
      return String.valueOf(reset.getMessage()).contains("reset");
    }
  }

  /**
   * Ends in good order.
   *
   * @throws IOException if that fails
   */
  public void end() throws IOException {
    socket.close();
  }

  /** Ends by a reset, so that the system keeps nothing. */
  @Override
  public void close() throws IOException {
    try (socket) {
      if (!socket.isClosed()) {
        socket.setSoLinger(true, 0);
      }
    }
  }
}
