package org.sparkcollectives.internal.vector;

import java.nio.Buffer;
import java.nio.ByteBuffer;
import org.jspecify.annotations.Nullable;

/**
 * A buffer's bytes as numbers, for bulk transfers. A view for each transfer is an object that a
 * compiler removes in one run of a virtual machine and not in the next; here one view of the whole
 * buffer is kept until another buffer comes, or numbers of another type. Kept by whoever keeps the
 * buffer, for one thread.
 */
public final class NumberViews {
  private @Nullable ByteBuffer viewed;
  private @Nullable ElementType type;
  private @Nullable Buffer view;

  /** Views of no buffer yet. */
  public NumberViews() {}

  /** All of a buffer, whatever its position and limit, in its byte order, as a vector's numbers. */
  @SuppressWarnings("ReferenceEquality") // equal buffers have different bytes
  Buffer of(ByteBuffer buffer, FixedVector vector) {
    Buffer last = view;
    if (last != null && buffer == viewed && vector.type() == type) {
      return last;
    }
    Buffer made = vector.view(buffer.duplicate().clear().order(buffer.order()));
    viewed = buffer;
    type = vector.type();
    view = made;
    return made;
  }
}
