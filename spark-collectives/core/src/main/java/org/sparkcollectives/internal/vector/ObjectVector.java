package org.sparkcollectives.internal.vector;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Arrays;
import java.util.Collections;
import java.util.IdentityHashMap;
import java.util.Set;
import org.sparkcollectives.vector.ObjectCodec;
import org.sparkcollectives.vector.ReduceOp;

/**
 * A vector of objects. On the wire a run of elements is, for each element, its length in bytes
 * (int, little-endian) and the bytes that the codec makes of it.
 */
public final class ObjectVector extends Vector {
  private final Object[] elements;
  private final ObjectCodec codec;

  /** Whether operands may be used up: they have just arrived and nothing else refers to them. */
  private final boolean consumable;

  /**
   * Wraps an array of objects, in place.
   *
   * @param elements the elements; none may be null when it is sent or combined
   * @param codec makes bytes of objects
   */
  public ObjectVector(Object[] elements, ObjectCodec codec) {
    this(elements, codec, false);
  }

  private ObjectVector(Object[] elements, ObjectCodec codec, boolean consumable) {
    this.elements = elements;
    this.codec = codec;
    this.consumable = consumable;
  }

  /**
   * A new vector for elements that have just arrived.
   *
   * @param length its number of elements
   * @param consumable whether an operator may change them
   * @return the vector
   */
  public ObjectVector staging(int length, boolean consumable) {
    return new ObjectVector(new Object[length], codec, consumable);
  }

  /**
   * Lets elements of this vector be the same objects as another one's.
   *
   * @param source the other vector
   * @param from index of the first element in {@code source}
   * @param at index of the first element here
   * @param count number of elements
   */
  public void refer(Vector source, int from, int at, int count) {
    System.arraycopy(((ObjectVector) source).elements, from, elements, at, count);
  }

  @Override
  public ElementType type() {
    return ElementType.OBJECT;
  }

  @Override
  public int length() {
    return elements.length;
  }

  /**
   * An element.
   *
   * @param index its index
   * @return the element
   */
  public Object get(int index) {
    return elements[index];
  }

  @Override
  public Vector allocate(int length) {
    return new ObjectVector(new Object[length], codec);
  }

  /** Copies the objects themselves, by way of their bytes, so that neither side sees the other. */
  @Override
  public void copy(Vector source, int from, int at, int count) {
    for (int i = 0; i < count; i++) {
      elements[at + i] = twin(((ObjectVector) source).elements[from + i]);
    }
  }

  /**
   * {@inheritDoc} The operator may change its left operand; where that is neither the target nor
   * just received, a copy of it is given to the operator.
   */
  @Override
  public void combine(
      ReduceOp<?> op, Vector left, int leftAt, Vector right, int rightAt, int at, int count) {
    ObjectVector l = (ObjectVector) left;
    ObjectVector r = (ObjectVector) right;
    boolean free = l.consumable || (l == this && leftAt == at);
    for (int i = 0; i < count; i++) {
      Object operand = l.elements[leftAt + i];
      elements[at + i] = op.combineObjects(free ? operand : twin(operand), r.elements[rightAt + i]);
    }
  }

  /**
   * Makes copies of what lies here more than once: an operator may change one and not the others.
   */
  public void separate() {
    Set<Object> before = Collections.newSetFromMap(new IdentityHashMap<>());
    for (int i = 0; i < elements.length; i++) {
      if (!before.add(elements[i])) {
        elements[i] = twin(elements[i]);
      }
    }
  }

  private Object twin(Object element) {
    return decode(encode(element));
  }

  private ByteBuffer encode(Object element) {
    try {
      return codec.encode(element);
    } catch (Exception e) { // a codec in Scala declares no checked ones
      throw VectorErrors.notSerializable(element.getClass().getTypeName(), e);
    }
  }

  private Object decode(ByteBuffer bytes) {
    try {
      return codec.decode(bytes);
    } catch (Exception e) { // as above
      throw VectorErrors.notReadable("a received object", e);
    }
  }

  /**
   * The bytes of a run of elements.
   *
   * @param from index of the first element
   * @param count number of elements
   * @return a little-endian buffer, ready to be read
   * @throws org.sparkcollectives.error.InvalidInputException if an element cannot be serialized, or
   *     the run exceeds 2^31 - 9 bytes
   */
  public ByteBuffer serialize(int from, int count) {
    ByteBuffer out = ByteBuffer.allocate(64).order(ByteOrder.LITTLE_ENDIAN);
    for (int i = from; i < from + count; i++) {
      ByteBuffer bytes = encode(elements[i]);
      long needed = (long) out.position() + Integer.BYTES + bytes.remaining();
      if (needed > Integer.MAX_VALUE - 8) {
        throw VectorErrors.objectsTooLarge(needed);
      }
      if (needed > out.capacity()) {
        int capacity = (int) Math.min(Math.max(needed, 2L * out.capacity()), Integer.MAX_VALUE - 8);
        out =
            ByteBuffer.wrap(Arrays.copyOf(out.array(), count == 1 ? (int) needed : capacity))
                .order(ByteOrder.LITTLE_ENDIAN)
                .position(out.position());
      }
      out.putInt(bytes.remaining()).put(bytes);
    }
    return out.flip();
  }

  /**
   * Reads a run of elements.
   *
   * @param source what {@link #serialize} made, little-endian
   * @param at index of the first element written
   * @param count number of elements
   * @throws IOException if the bytes are not those of {@code count} elements
   */
  public void deserialize(ByteBuffer source, int at, int count) throws IOException {
    for (int i = at; i < at + count; i++) {
      if (source.remaining() < Integer.BYTES) {
        throw new IOException("the message ends before element " + i);
      }
      int bytes = source.getInt();
      if (bytes < 0 || bytes > source.remaining()) {
        throw new IOException(
            "element " + i + " claims " + bytes + " bytes, " + source.remaining() + " are there");
      }
      ByteBuffer element = source.slice().limit(bytes);
      source.position(source.position() + bytes);
      elements[i] = decode(element);
    }
    if (source.hasRemaining()) {
      throw new IOException(source.remaining() + " bytes follow after the last element");
    }
  }
}
