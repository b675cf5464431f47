package org.sparkcollectives.internal.group;

import java.io.IOException;
import java.nio.BufferUnderflowException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import org.sparkcollectives.internal.transport.Peer;

/**
 * How a member of a group is reached; what it tells rank 0, and what rank 0 tells all.
 *
 * @param endpoint identity of its endpoint
 * @param host the host that others dial
 * @param port its port
 * @param node name of its machine
 * @param label how to name its process to people
 * @param rack name of its machine's rack, empty where it was not told
 */
record Card(String endpoint, String host, int port, String node, String label, String rack) {
  /** The longest text on a card, in bytes. */
  static final int MOST_TEXT = 255;

  /** The size of the largest card. */
  static final int MOST_BYTES = 5 * (Short.BYTES + MOST_TEXT) + Integer.BYTES;

  Peer peer(int rank) {
    return new Peer(rank, endpoint, host, port, node, label, rack);
  }

  void write(ByteBuffer frame) {
    text(frame, endpoint);
    text(frame, host);
    frame.putInt(port);
    text(frame, node);
    text(frame, label);
    text(frame, rack);
  }

  static Card read(ByteBuffer frame) throws IOException {
    try {
      return new Card(
          text(frame), text(frame), frame.getInt(), text(frame), text(frame), text(frame));
    } catch (BufferUnderflowException e) {
      throw new MeetingFrames.BadFrame("a card ends too early", e);
    }
  }

  private static void text(ByteBuffer frame, String text) {
    byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
    if (bytes.length > MOST_TEXT) {
      throw GroupErrors.textTooLong(text, MOST_TEXT);
    }
    frame.putShort((short) bytes.length).put(bytes);
  }

  private static String text(ByteBuffer frame) throws IOException {
    int length = frame.getShort();
    if (length < 0 || length > MOST_TEXT) {
      throw new MeetingFrames.BadFrame("a text of " + length + " bytes", null);
    }
    byte[] bytes = new byte[length];
    frame.get(bytes);
    return new String(bytes, StandardCharsets.UTF_8);
  }
}
