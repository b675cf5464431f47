package org.sparkcollectives.python;

import java.io.Serial;
import java.io.Serializable;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Arrays;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.sparkcollectives.error.InvalidInputException;
import org.sparkcollectives.internal.vector.ElementType;
import org.sparkcollectives.internal.vector.FixedVector;
import org.sparkcollectives.internal.vector.Vector;

/** How bytes stand for numbers, named as NumPy names it; the lowest byte comes first. */
final class NumberForm implements Serializable {
  @Serial private static final long serialVersionUID = 1L;

  /** Py4J makes a text of bytes, four characters of three of them, in one array. */
  static final int MOST_SENT = Integer.MAX_VALUE / 4 * 3;

  private static final String HAND_OVER =
      "map the arrays to bytes by tobytes() and set _jrdd_deserializer = NoOpSerializer() of that"
          + " RDD, as docs/pyspark.md shows";

  private final ElementType type;

  private NumberForm(ElementType type) {
    this.type = type;
  }

  /** The form of a name such as {@code float64}. */
  static NumberForm of(@Nullable String name) {
    return all()
        .filter(form -> form.toString().equals(name))
        .findFirst()
        .orElseThrow(
            () ->
                InvalidInputException.of(
                    PythonGateway.quoted(name) + " is no type of numbers",
                    "vectors have numbers of a type that arrays of Java have",
                    "name one of "
                        + all().map(NumberForm::toString).collect(Collectors.joining(", "))));
  }

  private static Stream<NumberForm> all() {
    return Arrays.stream(ElementType.values())
        .filter(type -> type.sizedLabel() != null)
        .map(NumberForm::new);
  }

  /** The array of numbers that an element, bytes, stands for. */
  Object array(@Nullable Object element) {
    if (!(element instanceof byte[] bytes)) {
      throw InvalidInputException.of(
          "an element is "
              + (element == null ? "None" : "of the class " + element.getClass().getTypeName()),
          "vectors are the bytes of numbers",
          HAND_OVER);
    }
    if (isPickledList(bytes)) {
      throw InvalidInputException.of(
          "the elements are pickled objects of Python, not the bytes of numbers",
          "PySpark's own serializer pickles what an RDD has, several elements at once",
          HAND_OVER);
    }
    if (bytes.length % type.bytes() != 0) {
      throw InvalidInputException.of(
          "a vector of " + bytes.length + " bytes has no numbers of type " + this,
          "each of these takes " + type.bytes() + " bytes",
          "give the type that the array has, or convert it with numpy.ndarray.astype");
    }
    FixedVector vector = type.allocate(bytes.length / type.bytes());
    vector.decode(ByteBuffer.wrap(bytes).order(ByteOrder.LITTLE_ENDIAN), 0, vector.length());
    return vector.array();
  }

  /**
   * Whether bytes are a list that Python has pickled by protocol 4 or 5: {@code ]} and {@code 0x94}
   * begin it, behind {@code 0x95} and 8 bytes if it begins with a frame; {@code a.} or {@code e.}
   * ends it. 46 bits at least have to be these, so that numbers are taken for it as good as never:
   * the last would be near 3e-85, 5e-11, 3.3e18 or 7.8e8.
   */
  private static boolean isPickledList(byte[] bytes) {
    int length = bytes.length;
    int list = length > 2 && bytes[2] == (byte) 0x95 ? 11 : 2;
    return length >= list + 4
        && bytes[0] == (byte) 0x80
        && (bytes[1] == 4 || bytes[1] == 5)
        && bytes[list] == ']'
        && bytes[list + 1] == (byte) 0x94
        && (bytes[length - 2] == 'a' || bytes[length - 2] == 'e')
        && bytes[length - 1] == '.';
  }

  /** The bytes of an array of numbers. */
  byte[] bytes(Object array) {
    return bytes(array, Integer.MAX_VALUE, "an array of Java");
  }

  /** The bytes of an array of numbers that Py4J sends, from the driver. */
  byte[] sent(Object array) {
    return bytes(array, MOST_SENT, "what Py4J sends, as text,");
  }

  /** The bytes of an array of numbers, if they are not more than something can have. */
  byte[] bytes(Object array, int most, String what) {
    FixedVector vector = Vector.of(array);
    if (vector.type() == ElementType.BYTE) {
      throw InvalidInputException.of(
          "a broadcast of bytes has no numbers of type " + this,
          "it is no result of allReduce or allGather",
          "give what one of these has returned");
    }
    if (vector.type() != type) {
      NumberForm own = new NumberForm(vector.type());
      throw InvalidInputException.of(
          "a vector of numbers of type " + own + " has no bytes of type " + this,
          "a result is made of the type that its call has named",
          "give " + own);
    }
    int length = vector.length();
    if (length > most / type.bytes()) {
      throw InvalidInputException.of(
          "a vector of " + length + " numbers of type " + this + " has too many bytes for Python",
          what + " has at most " + most + " bytes",
          "divide the vectors, or take the result in parts by reduceScatter");
    }
    ByteBuffer bytes = ByteBuffer.allocate(length * type.bytes()).order(ByteOrder.LITTLE_ENDIAN);
    vector.encode(0, length, bytes);
    return bytes.array();
  }

  @Override
  public String toString() {
    return String.valueOf(type.sizedLabel());
  }
}
