package org.sparkcollectives.internal.engine;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Arrays;
import java.util.EnumMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.sparkcollectives.internal.vector.ElementType;
import org.sparkcollectives.internal.vector.NumberViews;
import org.sparkcollectives.internal.vector.Vector;

/**
 * The memory that a rank works with, kept from operation to operation: two direct buffers that
 * bytes cross on their way between socket and array where they do not lie in memory, a staging
 * vector per element type that fits a processor's first-level cache, and the scratch cells.
 */
final class Memory {

  /** Bytes that are encoded or read at once. */
  static final int BUFFER_BYTES = 128 * 1024;

  /** Bytes that are combined at once. */
  private static final int STAGING_BYTES = 16 * 1024;

  /** Cells above so many bytes in all are given back after an operation. */
  private static final long KEPT_CELL_BYTES = 4L << 20;

  private final Views outgoing = new Views();
  private final Views incoming = new Views();
  private final ByteBuffer header = direct(MessageHeader.BYTES);
  private ByteBuffer out;
  private ByteBuffer in;
  private final Map<ElementType, Vector> staging = new EnumMap<>(ElementType.class);
  private @Nullable Vector[] cells = new Vector[0];

  Memory(int bufferBytes) {
    out = direct(bufferBytes);
    in = direct(bufferBytes + MessageHeader.BYTES);
  }

  private static ByteBuffer direct(int bytes) {
    return ByteBuffer.allocateDirect(bytes).order(ByteOrder.LITTLE_ENDIAN);
  }

  /** The buffer for outgoing headers, empty. */
  ByteBuffer header() {
    return header.clear().limit(0);
  }

  /** The buffer for outgoing payload, of at least so many bytes. */
  ByteBuffer out(int atLeast) {
    if (out.capacity() < atLeast) {
      out = direct(atLeast);
    }
    return out;
  }

  /** The buffer for an incoming header and payload of at least so many bytes. */
  ByteBuffer in(int atLeast) {
    if (in.capacity() < atLeast + MessageHeader.BYTES) {
      in = direct(atLeast + MessageHeader.BYTES);
    }
    return in;
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

  /** The staging vector for fixed-size elements, of a length that is a multiple of the width. */
  Vector staging(Vector like, int width) {
    int elements = stagingElements(like.type(), width);
    Vector vector = staging.get(like.type());
    if (vector == null || vector.length() < elements) {
      vector = like.allocate(elements);
      staging.put(like.type(), vector);
    }
    return vector;
  }

  static int stagingElements(ElementType type, int width) {
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
