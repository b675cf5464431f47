package org.sparkcollectives;

import java.nio.ByteBuffer;
import org.sparkcollectives.internal.vector.ElementType;
import org.sparkcollectives.internal.vector.FixedVector;
import org.sparkcollectives.internal.vector.Vector;
import org.sparkcollectives.internal.vector.VectorErrors;
import org.sparkcollectives.vector.ObjectCodec;

/** Any object as a primitive array that can be broadcast, with what a receiver must know of it. */
final class Payload {
  private static final int SERIALIZED = 0;

  private final Object array;
  private final int kind;

  private Payload(Object array, int kind) {
    this.array = array;
    this.kind = kind;
  }

  /** Primitive arrays as they are, other objects serialized. */
  static Payload of(Object value, ObjectCodec codec) {
    if (Vector.isPrimitiveArray(value)) {
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

  /** An empty payload of a given shape, for the receiver to fill. */
  static Payload ofShape(long[] shape) {
    int length = (int) shape[1];
    int kind = (int) shape[0];
    ElementType type = kind == SERIALIZED ? ElementType.BYTE : ElementType.ofCode(kind);
    return new Payload(type.allocate(length).array(), kind);
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
      throw VectorErrors.notSerializable("a broadcast object", e);
    }
  }
}
