package org.sparkcollectives.internal.engine;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import java.util.function.IntFunction;
import org.jspecify.annotations.Nullable;
import org.sparkcollectives.internal.vector.ElementType;
import org.sparkcollectives.internal.vector.NumberViews;
import org.sparkcollectives.internal.vector.Vector;

/**
 * The memory that a rank works with, kept from operation to operation: two direct buffers that
 * bytes cross on their way between socket and array, taken at the first operation that needs them,
 * two small ones for what little crosses a buffer where bytes lie in memory, a staging vector per
 * element type, and the scratch cells.
 */
final class Memory {

  /** Bytes that are encoded or read at once. */
  static final int BUFFER_BYTES = 128 * 1024;

  /** What a small buffer holds of a message. */
  private static final int SMALL_BYTES = 1024;

  /** Bytes that are combined at once. */
  private static final int STAGING_BYTES = 16 * 1024;

  /** The most bytes of a staging vector that is as long as the user's. */
  private static final int MOST_STAGING_BYTES = 1 << 20;

  /** Cells above so many bytes in all are given back after an operation. */
  private static final long KEPT_CELL_BYTES = 4L << 20;

  private final Views outgoing = new Views();
  private final Views incoming = new Views();
  private final IntFunction<ByteBuffer> source;
  private final int bufferBytes;
  private final ByteBuffer header;
  private final ByteBuffer smallOut;
  private final ByteBuffer smallIn;

  /** What came from the source, to go back to it. */
  private final List<ByteBuffer> taken = new ArrayList<>(2);

  private @Nullable ByteBuffer largeOut;
  private @Nullable ByteBuffer largeIn;

  /** Those of the operation under way. */
  private ByteBuffer out;

  private ByteBuffer in;
  private final Map<ElementType, Vector> staging = new EnumMap<>(ElementType.class);
  private @Nullable Vector[] cells = new Vector[0];

  /**
   * Makes small buffers; large ones come later.
   *
   * @param bufferBytes bytes that are encoded or read at once
   * @param source makes direct buffers of so many bytes
   */
  Memory(int bufferBytes, IntFunction<ByteBuffer> source) {
    this.bufferBytes = bufferBytes;
    this.source = source;
    int small = Math.min(SMALL_BYTES, bufferBytes);
    ByteBuffer all = direct(2 * (MessageHeader.BYTES + small));
    header = part(all, 0, MessageHeader.BYTES);
    smallOut = part(all, MessageHeader.BYTES, small);
    smallIn = part(all, MessageHeader.BYTES + small, small + MessageHeader.BYTES);
    out = smallOut;
    in = smallIn;
  }

  private static ByteBuffer direct(int bytes) {
    return ByteBuffer.allocateDirect(bytes).order(ByteOrder.LITTLE_ENDIAN);
  }

  private static ByteBuffer part(ByteBuffer all, int from, int bytes) {
    return all.slice(from, bytes).order(ByteOrder.LITTLE_ENDIAN);
  }

  private ByteBuffer take(int bytes) {
    ByteBuffer buffer = source.apply(bufferBytes + MessageHeader.BYTES);
    taken.add(buffer);
    return part(buffer, 0, bytes);
  }

  /**
   * Gives back what came from the source, for others to use; between operations. What is needed
   * later is taken anew.
   */
  void giveBack(Consumer<ByteBuffer> target) {
    largeOut = null;
    largeIn = null;
    out = smallOut;
    in = smallIn;
    taken.forEach(target);
    taken.clear();
  }

  /** The buffer for outgoing headers, empty. */
  ByteBuffer header() {
    return header.clear().limit(0);
  }

  /**
   * The buffer for outgoing payload.
   *
   * @param all whether all payload goes through it
   */
  ByteBuffer out(boolean all) {
    ByteBuffer large = largeOut;
    if (all && large == null) {
      large = take(bufferBytes);
      largeOut = large;
    }
    out = all && large != null ? large : smallOut;
    return out;
  }

  /**
   * The buffer for an incoming header and payload.
   *
   * @param all whether all payload goes through it
   * @param atLeast bytes of payload that it must hold
   */
  ByteBuffer in(boolean all, int atLeast) {
    int bytes = atLeast + MessageHeader.BYTES;
    if (!all && bytes <= smallIn.capacity()) {
      in = smallIn;
      return in;
    }
    ByteBuffer large = largeIn;
    if (large == null || large.capacity() < bytes) {
      large = atLeast > bufferBytes ? direct(bytes) : take(bufferBytes + MessageHeader.BYTES);
      largeIn = large;
    }
    in = large;
    return large;
  }

  /** Views of the buffer for outgoing payload, or of the room that the link to a peer has. */
  @SuppressWarnings("ReferenceEquality") // equal buffers have different bytes
  NumberViews viewsOfTarget(ByteBuffer target, int peer) {
    return target == out ? outgoing.buffer : outgoing.ofPeer(peer);
  }

  /** Views of the buffer for incoming payload, or of what the link to a peer holds. */
  @SuppressWarnings("ReferenceEquality") // equal buffers have different bytes
  NumberViews viewsOfSource(ByteBuffer source, int peer) {
    return source == in ? incoming.buffer : incoming.ofPeer(peer);
  }

  /**
   * The staging vector for fixed-size elements, of the length of one piece at least. Where a vector
   * of up to 1 MiB is combined it is as long as that: a piece lies then where it belongs, so that
   * operators need one index for all, which is faster.
   */
  Vector staging(Vector like, int width, boolean combines) {
    int elements = pieceElements(like.type(), width);
    if (combines && like.byteCount() <= MOST_STAGING_BYTES) {
      elements = Math.max(elements, like.length());
    }
    Vector vector = staging.get(like.type());
    if (vector == null || vector.length() < elements) {
      vector = like.allocate(elements);
      staging.put(like.type(), vector);
    }
    return vector;
  }

  /** How many elements are combined at once, a multiple of the width. */
  static int pieceElements(ElementType type, int width) {
    return Math.max(1, STAGING_BYTES / type.bytes() / width) * width;
  }

  /** Makes room for so many cells. */
  void prepareCells(int count) {
    if (cells.length < count) {
      cells = Arrays.copyOf(cells, count);
    }
  }

  /** A cell, made at first use. */
  Vector cell(int number, Vector like, int elements) {
    Vector cell = cells[number];
    if (cell == null || cell.type() != like.type() || cell.length() < elements) {
      cell = like.allocate(elements);
      cells[number] = cell;
    }
    return cell;
  }

  /** Of a buffer of this memory, and by peer of its link's. */
  private static final class Views {
    private final NumberViews buffer = new NumberViews();
    private @Nullable NumberViews[] ofPeers = new NumberViews[0];

    NumberViews ofPeer(int peer) {
      if (ofPeers.length <= peer) {
        ofPeers = Arrays.copyOf(ofPeers, peer + 1);
      }
      NumberViews views = ofPeers[peer];
      if (views == null) {
        views = new NumberViews();
        ofPeers[peer] = views;
      }
      return views;
    }
  }

  /** Gives back what is too large to be kept, and all objects. */
  void endOperation() {
    long bytes = 0;
    boolean objects = false;
    for (Vector cell : cells) {
      if (cell != null) {
        bytes += cell.byteCount();
        objects |= cell.type() == ElementType.OBJECT;
      }
    }
    if (objects || bytes > KEPT_CELL_BYTES) {
      cells = new Vector[0];
    }
  }
}
