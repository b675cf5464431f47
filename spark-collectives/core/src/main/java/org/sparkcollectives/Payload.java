package org.sparkcollectives;

import java.nio.ByteBuffer;
import org.jspecify.annotations.Nullable;
import org.sparkcollectives.internal.vector.ElementType;
import org.sparkcollectives.internal.vector.FixedVector;
import org.sparkcollectives.internal.vector.Vector;
import org.sparkcollectives.internal.vector.VectorErrors;
import org.sparkcollectives.vector.ObjectCodec;

/** Any object as a primitive array that can be broadcast, with what a receiver must know of it. */
final class Payload {
  private static final int SERIALIZED = 0;
  private static final int LONGEST = Integer.MAX_VALUE - 8;

  private final Object array;
  private final int kind;

  private Payload(Object array, int kind) {
    this.array = array;
    this.kind = kind;
  }

  /** Primitive arrays as they are, other objects serialized. */
  static Payload of(Object value, ObjectCodec codec) {
    if (Vector.takes(value)) {
      return new Payload(value, Vector.of(value).type().code());
    }
    try {
      ByteBuffer bytes = codec.encode(value);
      byte[] array = new byte[bytes.remaining()];
      bytes.get(array);
      return new Payload(array, SERIALIZED);
    } catch (Exception e) { // a codec in Scala declares no checked ones
      throw VectorErrors.notSerializable(value.getClass().getTypeName(), e);
    }
  }

  /** An empty payload of a given shape, for the receiver to fill; null if no array has it. */
  static @Nullable Payload ofShape(long[] shape) {
    ElementType type = type(shape[0]);
    if (type == null || shape[1] < 0 || shape[1] > LONGEST) {
      return null;
    }
    return new Payload(type.allocate((int) shape[1]).array(), (int) shape[0]);
  }

  /** What an array of a kind is made of, null if there is no such kind. */
  private static @Nullable ElementType type(long kind) {
    if (kind == SERIALIZED) {
      return ElementType.BYTE;
    }
    for (ElementType type : ElementType.values()) {
      if (type.code() == kind && type != ElementType.OBJECT) {
        return type;
      }
    }
    return null;
  }

  /** The array itself. */
  Object array() {
    return array;
  }

  /** Kind and length. */
  long[] shape() {
    FixedVector vector = Vector.of(array);
    return new long[] {kind, vector.length()};
  }

  /** The object that the array stands for. */
  Object value(ObjectCodec codec) {
    if (kind != SERIALIZED) {
      return array;
    }
    try {
      return codec.decode(ByteBuffer.wrap((byte[]) array));
    } catch (Exception e) { // as above
      throw VectorErrors.notReadable("a broadcast object", e);
    }
  }
}
