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
 * numbers as they are. Each of these is something that every serializer of Spark takes, Kryo
 * without records and with registered classes alone too, and what is long is not copied.
 */
public final class Parcel {

  private Parcel() {}

  /**
   * Takes an object apart.
   *
   * @param object the object
   * @return its bytes, and its arrays, which it shares
   * @throws IOException if it, or what it holds, cannot be serialised
   */
  public static List<Object> of(Serializable object) throws IOException {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    List<Object> parcel = new ArrayList<>();
    parcel.add(bytes);
    try (Out out = new Out(bytes, parcel)) {
      out.writeObject(object);
    }
    parcel.set(0, bytes.toByteArray());
    return parcel;
  }

  /**
   * Puts an object together.
   *
   * @param parcel what {@link #of} has made
   * @return the object, which shares the arrays
   * @throws IOException if it is no object
   * @throws ClassNotFoundException if it has a class that is unknown here
   */
  public static Object read(List<?> parcel) throws IOException, ClassNotFoundException {
    try (In in = new In((byte[]) parcel.get(0), parcel)) {
      return in.readObject();
    }
  }

  /**
   * Stands for an array.
   *
   * @param index its place in the parcel
   */
  private record Aside(int index) implements Serializable {
    @Serial private static final long serialVersionUID = 1L;
  }

  /** Writes objects without their arrays. */
  private static final class Out extends ObjectOutputStream {
    private final List<Object> parcel;

    Out(OutputStream bytes, List<Object> parcel) throws IOException {
      super(bytes);
      this.parcel = parcel;
      enableReplaceObject(true);
    }

    @Override
    protected Object replaceObject(Object object) {
      if (!(object instanceof double[] || object instanceof float[])) {
        return object;
      }
      parcel.add(object);
      return new Aside(parcel.size() - 1);
    }
  }

  /** Reads objects with their arrays. */
  private static final class In extends JavaBytes.LoadedObjects {
    private final List<?> parcel;

    In(byte[] bytes, List<?> parcel) throws IOException {
      super(new ByteArrayInputStream(bytes));
      this.parcel = parcel;
      enableResolveObject(true);
    }

    @Override
    protected Object resolveObject(Object object) {
      return object instanceof Aside aside ? parcel.get(aside.index) : object;
    }
  }
}
