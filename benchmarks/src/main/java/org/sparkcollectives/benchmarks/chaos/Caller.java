package org.sparkcollectives.benchmarks.chaos;

import java.io.DataInputStream;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.ByteBuffer;
import java.util.Random;
import org.sparkcollectives.internal.transport.tcp.channel.Sealing;
import org.sparkcollectives.internal.transport.tcp.handshake.AnswerCode;
import org.sparkcollectives.internal.transport.tcp.handshake.Handshake;
import org.sparkcollectives.internal.transport.tcp.handshake.WireFormat;
import org.sparkcollectives.transport.Peer;

/** A connection to an endpoint that says what it is told to, from an address of its own. */
final class Caller implements AutoCloseable {
  private static final int MILLIS = 20_000;

  private final Socket socket = new Socket();
  private final DataInputStream in;
  private final String endpoint;

  /** Connects. */
  Caller(Peer peer, Random random) throws IOException {
    endpoint = peer.endpoint();
    boolean connected = false;
    try {
      // each address has ports of its own, so that the system does not run out of them
      byte[] address = new byte[4];
      random.nextBytes(address);
      address[0] = 127;
      address[3] = (byte) ((address[3] & 0x7f) | 1);
      socket.bind(new InetSocketAddress(InetAddress.getByAddress(address), 0));
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

  /** The first frame of one who means this endpoint. */
  ByteBuffer hello() {
    return Handshake.hello(endpoint, 0, new byte[Sealing.SHARE_BYTES]);
  }

  void send(byte... bytes) throws IOException {
    socket.getOutputStream().write(bytes);
  }

  void send(ByteBuffer frame) throws IOException {
    byte[] bytes = new byte[frame.limit()];
    frame.get(0, bytes);
    send(bytes);
  }

  /** Reads a frame. */
  ByteBuffer receive(byte type) throws IOException {
    byte[] frame = new byte[WireFormat.bytes(type)];
    in.readFully(frame);
    return ByteBuffer.wrap(frame);
  }

  /** Shows that it knows the token. */
  void authenticate(byte[] token) throws IOException {
    ByteBuffer hello = hello();
    send(hello);
    send(Handshake.proof(token, hello, receive(WireFormat.CHALLENGE)));
  }

  /** Reads until the end, or until there has been nothing for a while. */
  boolean isLetIn() {
    try {
      byte[] answer = in.readNBytes(WireFormat.bytes(WireFormat.ANSWER));
      return answer.length == WireFormat.bytes(WireFormat.ANSWER)
          && answer[WireFormat.TYPE_OFFSET] == WireFormat.ANSWER
          && WireFormat.answer(ByteBuffer.wrap(answer)) == AnswerCode.ACCEPTED;
    } catch (IOException cut) {
      return false;
    }
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
