package org.sparkcollectives.python;

import java.io.Serial;
import java.io.Serializable;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Arrays;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.sparkcollectives.error.InvalidInputException;
import org.sparkcollectives.internal.vector.ElementType;
import org.sparkcollectives.internal.vector.FixedVector;
import org.sparkcollectives.internal.vector.Vector;

/** How bytes stand for numbers, named as NumPy names it; the lowest byte comes first. */
final class NumberForm implements Serializable {
  @Serial private static final long serialVersionUID = 1L;

  /** Py4J makes a text of bytes, four characters of three of them, in one array. */
  static final int MOST_SENT = Integer.MAX_VALUE / 4 * 3;

  private final ElementType type;

  private NumberForm(ElementType type) {
    this.type = type;
  }

  /** The form of a name such as {@code float64}. */
  static NumberForm of(String name) {
    return all()
        .filter(form -> form.toString().equals(name))
        .findFirst()
        .orElseThrow(
            () ->
                InvalidInputException.of(
                    "'" + name + "' is no type of numbers",
                    "vectors have numbers of a type that arrays of Java have",
                    "name one of "
                        + all().map(NumberForm::toString).collect(Collectors.joining(", "))));
  }

  private static Stream<NumberForm> all() {
    return Arrays.stream(ElementType.values())
        .filter(type -> type.sizedLabel() != null)
        .map(NumberForm::new);
  }

  /** The array of numbers that bytes stand for. */
  Object array(byte[] bytes) {
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
