package org.sparkcollectives.ml.internal.bridge;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.ObjectOutputStream;
import java.io.OutputStream;
import java.io.Serial;
import java.io.Serializable;
import java.util.ArrayList;
import java.util.List;

/**
 * An object as its bytes by Java's serialization and, beside them, its arrays of floating-point
 * numbers: as they are or, of doubles that are mostly zeros, the others and where they stand. Each
 * of these is something that every serializer of Spark takes, Kryo without records and with
 * registered classes alone too, and what is long and not mostly zeros is not copied.
 *
 * <p>Mostly zeros are the coefficients of features that no row has, of which a problem with more
 * features than values has many.
 */
public final class SplitObject {
  /** Elements from which an array is looked through. */
  private static final int LONG = 1024;

  /** One element of how many may be another number than zero: then half of the bytes are saved. */
  private static final int SPARSE = 3;

  private SplitObject() {}

  /**
   * Takes an object apart.
   *
   * @param object the object
   * @return its bytes, and its arrays, which it shares unless they are mostly zeros
   * @throws IOException if it, or what it holds, cannot be serialised
   */
  public static List<Object> of(Serializable object) throws IOException {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    List<Object> pieces = new ArrayList<>();
    pieces.add(bytes);
    try (Out out = new Out(bytes, pieces)) {
      out.writeObject(object);
    }
    pieces.set(0, bytes.toByteArray());
    return pieces;
  }

  /**
   * Puts an object together.
   *
   * @param pieces what {@link #of} has made
   * @return the object, which shares the arrays that are there as they are
   * @throws IOException if it is no object
   * @throws ClassNotFoundException if it has a class that is unknown here
   */
  public static Object read(List<?> pieces) throws IOException, ClassNotFoundException {
    try (In in = new In((byte[]) pieces.get(0), pieces)) {
      return in.readObject();
    }
  }

  /** Stands for an array. */
  private sealed interface Aside extends Serializable {

    /** The array, of these pieces. */
    Object of(List<?> pieces);
  }

  /**
   * An array as it is.
   *
   * @param index its place among the pieces
   */
  private record Whole(int index) implements Aside {
    @Serial private static final long serialVersionUID = 1L;

    @Override
    public Object of(List<?> pieces) {
      return pieces.get(index);
    }
  }

  /**
   * An array that is mostly zeros.
   *
   * @param index the place among the pieces of where the others stand, before that of themselves
   * @param length how many elements it has
   */
  private record Others(int index, int length) implements Aside {
    @Serial private static final long serialVersionUID = 1L;

    @Override
    public Object of(List<?> pieces) {
      int[] at = (int[]) pieces.get(index);
      double[] others = (double[]) pieces.get(index + 1);
      double[] array = new double[length];
      for (int i = 0; i < at.length; i++) {
        array[at[i]] = others[i];
      }
      return array;
    }
  }

  /** Writes objects without their arrays. */
  private static final class Out extends ObjectOutputStream {
    private final List<Object> pieces;

    Out(OutputStream bytes, List<Object> pieces) throws IOException {
      super(bytes);
      this.pieces = pieces;
      enableReplaceObject(true);
    }

    @Override
    protected Object replaceObject(Object object) {
      if (object instanceof double[] array && array.length >= LONG) {
        int others = others(array);
        if (others <= array.length / SPARSE) {
          return aside(array, others);
        }
      }
      if (object instanceof double[] || object instanceof float[]) {
        pieces.add(object);
        return new Whole(pieces.size() - 1);
      }
      return object;
    }

    private Aside aside(double[] array, int others) {
      int[] at = new int[others];
      double[] values = new double[others];
      int known = 0;
      for (int i = 0; i < array.length; i++) {
        if (!isZero(array[i])) {
          at[known] = i;
          values[known++] = array[i];
        }
      }
      pieces.add(at);
      pieces.add(values);
      return new Others(pieces.size() - 2, array.length);
    }

    private static int others(double[] array) {
      int others = 0;
      for (double value : array) {
        others += isZero(value) ? 0 : 1;
      }
      return others;
    }

    /** Whether it is the zero that new arrays are filled with, which is not the negative one. */
    private static boolean isZero(double value) {
      return Double.doubleToRawLongBits(value) == 0;
    }
  }

  /** Reads objects with their arrays. */
  private static final class In extends JavaBytes.LoadedObjects {
    private final List<?> pieces;

    In(byte[] bytes, List<?> pieces) throws IOException {
      super(new ByteArrayInputStream(bytes));
      this.pieces = pieces;
      enableResolveObject(true);
    }

    @Override
    protected Object resolveObject(Object object) {
      return object instanceof Aside aside ? aside.of(pieces) : object;
    }
  }
}
