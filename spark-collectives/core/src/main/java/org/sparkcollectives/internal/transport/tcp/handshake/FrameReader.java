package org.sparkcollectives.internal.transport.tcp.handshake;

import java.io.IOException;
import java.nio.ByteBuffer;
import org.jspecify.annotations.Nullable;
import org.sparkcollectives.internal.transport.Rejection;
import org.sparkcollectives.internal.transport.tcp.channel.Channel;

/** Reads frames from a channel, and checks their headers. */
public final class FrameReader {
  /**
   * How often more doorbells are read in sequence. Who sends them without end is heard again when
   * others have had their turn.
   */
  public static final int MOST_BELL_READS = 1024;

  private final ByteBuffer buffer = ByteBuffer.allocate(WireFormat.MAX_BYTES);

  /** Makes a reader at the beginning of a frame. */
  public FrameReader() {
    buffer.limit(WireFormat.HEADER_BYTES);
  }

  /**
   * What is wrong with the header of a frame.
   *
   * @param frame the frame, its first {@link WireFormat#HEADER_BYTES} bytes at least
   * @param types the types that may come
   * @return the reason, or null if nothing is wrong
   */
  public static @Nullable Rejection fault(ByteBuffer frame, byte... types) {
    if (frame.getInt(WireFormat.MAGIC_OFFSET) != WireFormat.MAGIC) {
      return Rejection.NOT_OURS;
    }
    if (frame.getShort(WireFormat.VERSION_OFFSET) != WireFormat.VERSION) {
      return Rejection.VERSION;
    }
    if (frame.get(WireFormat.ORDER_OFFSET) != WireFormat.nativeOrder()) {
      return Rejection.BYTE_ORDER;
    }
    for (byte type : types) {
      if (frame.get(WireFormat.TYPE_OFFSET) == type) {
        return null;
      }
    }
    return Rejection.NOT_OURS;
  }

  /**
   * Drops zeros, which were sent to wake a rank, from the beginning of a frame that is being read.
   *
   * @param frame what has been read of it, up to the position
   * @return whether there were any
   */
  public static boolean dropDoorbells(ByteBuffer frame) {
    int bells = 0;
    while (bells < frame.position() && frame.get(bells) == 0) {
      bells++;
    }
    if (bells > 0) {
      int limit = frame.limit();
      frame.limit(frame.position()).position(bells);
      frame.compact().limit(limit);
    }
    return bells > 0;
  }

  /**
   * Whether nothing of the next frame has arrived.
   *
   * @return true between frames
   */
  public boolean isAtStart() {
    return buffer.position() == 0;
  }

  /**
   * Reads on; never beyond the end of the frame.
   *
   * @param channel the connection's bytes
   * @param doorbells whether zeros may come before a frame, which no frame begins with; they are
   *     skipped, a bounded number in one call
   * @param types the types that may come
   * @return the frame once it is whole, valid until the next call, else null
   * @throws EndOfStream if the stream ended
   * @throws BadFrame if the frame is none that may come; found with its header
   * @throws IOException if the connection failed
   */
  public @Nullable ByteBuffer read(Channel channel, boolean doorbells, byte... types)
      throws IOException {
    int bells = 0;
    while (true) {
      if (channel.read(buffer) < 0) {
        throw new EndOfStream();
      }
      if (doorbells && dropDoorbells(buffer)) {
        if (++bells == MOST_BELL_READS) {
          return null;
        }
        continue;
      }
      if (buffer.hasRemaining()) {
        return null;
      }
      Rejection fault = fault(buffer, types);
      if (fault != null) {
        throw new BadFrame(fault);
      }
      int size = WireFormat.bytes(WireFormat.type(buffer));
      if (buffer.limit() == size) {
        ByteBuffer frame = ByteBuffer.allocate(size).put(0, buffer, 0, size);
        buffer.clear().limit(WireFormat.HEADER_BYTES);
        return frame;
      }
      buffer.limit(size);
    }
  }

  /** The stream ended where a frame, or the rest of one, was due. */
  public static final class EndOfStream extends IOException {
    private static final long serialVersionUID = 1L;

    EndOfStream() {
      super("it closed the connection");
    }
  }

  /** A frame that may not come. */
  public static final class BadFrame extends IOException {
    private static final long serialVersionUID = 1L;

    private final Rejection reason;

    BadFrame(Rejection reason) {
      super(
          switch (reason) {
            case VERSION -> AnswerCode.VERSION.reason();
            case BYTE_ORDER -> AnswerCode.BYTE_ORDER.reason();
            default -> "what listens there does not speak this protocol";
          });
      this.reason = reason;
    }

    /**
     * What is wrong with it.
     *
     * @return the reason
     */
    public Rejection reason() {
      return reason;
    }
  }
}
