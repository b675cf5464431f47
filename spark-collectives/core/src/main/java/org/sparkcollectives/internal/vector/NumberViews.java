package org.sparkcollectives.internal.vector;

import java.nio.ByteBuffer;
import java.nio.DoubleBuffer;
import java.nio.FloatBuffer;
import java.nio.IntBuffer;
import java.nio.LongBuffer;
import org.jspecify.annotations.Nullable;

/**
 * A buffer's bytes as numbers, for bulk transfers. A view for each transfer is an object that a
 * compiler removes in one run of a virtual machine and not in the next; here each kind of number
 * has one view of the whole buffer, made at first use. Kept by whoever keeps the buffer, for one
 * thread.
 */
public final class NumberViews {
  private @Nullable ByteBuffer viewed;
  private @Nullable DoubleBuffer doubles;
  private @Nullable FloatBuffer floats;
  private @Nullable LongBuffer longs;
  private @Nullable IntBuffer ints;

  /** Views of no buffer yet. */
  public NumberViews() {}

  @SuppressWarnings("ReferenceEquality") // equal buffers have different bytes
  private void see(ByteBuffer buffer) {
    if (buffer != viewed) {
      viewed = buffer;
      doubles = null;
      floats = null;
      longs = null;
      ints = null;
    }
  }

  /** All of a buffer, whatever its position and limit, in its byte order. */
  private static ByteBuffer whole(ByteBuffer buffer) {
    return buffer.duplicate().clear().order(buffer.order());
  }

  DoubleBuffer doubles(ByteBuffer buffer) {
    see(buffer);
    DoubleBuffer view = doubles;
    if (view == null) {
      view = whole(buffer).asDoubleBuffer();
      doubles = view;
    }
    return view;
  }

  FloatBuffer floats(ByteBuffer buffer) {
    see(buffer);
    FloatBuffer view = floats;
    if (view == null) {
      view = whole(buffer).asFloatBuffer();
      floats = view;
    }
    return view;
  }

  LongBuffer longs(ByteBuffer buffer) {
    see(buffer);
    LongBuffer view = longs;
    if (view == null) {
      view = whole(buffer).asLongBuffer();
      longs = view;
    }
    return view;
  }

  IntBuffer ints(ByteBuffer buffer) {
    see(buffer);
    IntBuffer view = ints;
    if (view == null) {
      view = whole(buffer).asIntBuffer();
      ints = view;
    }
    return view;
  }
}
