package org.sparkcollectives.python;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Arrays;
import java.util.Locale;
import java.util.stream.Collectors;
import org.sparkcollectives.error.ErrorText;

/** How bytes stand for numbers, named as NumPy names it; the lowest byte comes first. */
enum NumberForm {
  FLOAT64(Double.BYTES) {
    @Override
    Object array(ByteBuffer bytes) {
      double[] numbers = new double[bytes.remaining() / Double.BYTES];
      bytes.asDoubleBuffer().get(numbers);
      return numbers;
    }

    @Override
    void put(Object array, ByteBuffer bytes) {
      bytes.asDoubleBuffer().put((double[]) array);
    }
  },
  FLOAT32(Float.BYTES) {
    @Override
    Object array(ByteBuffer bytes) {
      float[] numbers = new float[bytes.remaining() / Float.BYTES];
      bytes.asFloatBuffer().get(numbers);
      return numbers;
    }

    @Override
    void put(Object array, ByteBuffer bytes) {
      bytes.asFloatBuffer().put((float[]) array);
    }
  },
  INT64(Long.BYTES) {
    @Override
    Object array(ByteBuffer bytes) {
      long[] numbers = new long[bytes.remaining() / Long.BYTES];
      bytes.asLongBuffer().get(numbers);
      return numbers;
    }

    @Override
    void put(Object array, ByteBuffer bytes) {
      bytes.asLongBuffer().put((long[]) array);
    }
  },
  INT32(Integer.BYTES) {
    @Override
    Object array(ByteBuffer bytes) {
      int[] numbers = new int[bytes.remaining() / Integer.BYTES];
      bytes.asIntBuffer().get(numbers);
      return numbers;
    }

    @Override
    void put(Object array, ByteBuffer bytes) {
      bytes.asIntBuffer().put((int[]) array);
    }
  };

  private final int width;

  NumberForm(int width) {
    this.width = width;
  }

  abstract Object array(ByteBuffer bytes);

  abstract void put(Object array, ByteBuffer bytes);

  /** The form of a name such as {@code float64}. */
  static NumberForm of(String name) {
    return Arrays.stream(values())
        .filter(form -> form.toString().equals(name))
        .findFirst()
        .orElseThrow(
            () ->
                ErrorText.invalid(
                    "'" + name + "' is no type of numbers",
                    "vectors have numbers of a type that arrays of Java have",
                    "name one of "
                        + Arrays.stream(values())
                            .map(NumberForm::toString)
                            .collect(Collectors.joining(", "))));
  }

  /** The array of numbers that bytes stand for. */
  Object array(byte[] bytes) {
    if (bytes.length % width != 0) {
      throw ErrorText.invalid(
          "a vector of " + bytes.length + " bytes has no numbers of type " + this,
          "each of these takes " + width + " bytes",
          "give the type that the array has, or convert it with numpy.ndarray.astype");
    }
    return array(ByteBuffer.wrap(bytes).order(ByteOrder.LITTLE_ENDIAN));
  }

  /** The bytes of an array of numbers. */
  byte[] bytes(Object array) {
    int length = java.lang.reflect.Array.getLength(array);
    if (length > Integer.MAX_VALUE / width) {
      throw ErrorText.invalid(
          "a vector of " + length + " numbers of type " + this + " has too many bytes for Python",
          "an array of Java has at most " + Integer.MAX_VALUE + " bytes",
          "divide the vectors, or take the result in parts by reduceScatter");
    }
    ByteBuffer bytes = ByteBuffer.allocate(length * width).order(ByteOrder.LITTLE_ENDIAN);
    put(array, bytes);
    return bytes.array();
  }

  @Override
  public String toString() {
    return name().toLowerCase(Locale.ROOT);
  }
}
