package org.sparkcollectives.ml.internal.bridge;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.ObjectInputStream;
import java.io.ObjectOutputStream;
import java.io.ObjectStreamClass;
import java.io.Serializable;
import org.jspecify.annotations.Nullable;

/** Objects as bytes, and back with the classes that the task sees. */
public final class JavaBytes {

  private JavaBytes() {}

  /**
   * Writes an object.
   *
   * @param object the object
   * @return its bytes
   * @throws IOException if it, or what it holds, cannot be serialised
   */
  public static byte[] of(Serializable object) throws IOException {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    try (ObjectOutputStream out = new ObjectOutputStream(bytes)) {
      out.writeObject(object);
    }
    return bytes.toByteArray();
  }

  /**
   * Reads an object.
   *
   * @param bytes what {@link #of} has made
   * @return the object
   * @throws IOException if they are no object
   * @throws ClassNotFoundException if it has a class that is unknown here
   */
  public static Object read(byte[] bytes) throws IOException, ClassNotFoundException {
    return read(new ByteArrayInputStream(bytes));
  }

  /**
   * Reads an object, and closes the stream.
   *
   * @param bytes what {@link #of} has made
   * @return the object
   * @throws IOException if they are no object, or cannot be read
   * @throws ClassNotFoundException if it has a class that is unknown here
   */
  public static Object read(InputStream bytes) throws IOException, ClassNotFoundException {
    try (ObjectInputStream in = new LoadedObjects(bytes)) {
      return in.readObject();
    }
  }

  /**
   * Reads an object that somebody else may have written.
   *
   * @param type the class that is looked for
   * @param bytes what {@link #of} has made
   * @param <T> that class
   * @return the object; null if it is of another class, or of one that is not the one known here,
   *     or if the bytes are no object
   */
  public static <T> @Nullable T readIf(Class<T> type, byte[] bytes) {
    try {
      Object found = read(bytes);
      return type.isInstance(found) ? type.cast(found) : null;
    } catch (ClassNotFoundException | IOException e) {
      return null;
    }
  }

  /** Objects of the classes that the task sees. */
  static class LoadedObjects extends ObjectInputStream {
    LoadedObjects(InputStream bytes) throws IOException {
      super(bytes);
    }

    @Override
    protected Class<?> resolveClass(ObjectStreamClass description)
        throws IOException, ClassNotFoundException {
      try {
        return Class.forName(
            description.getName(), false, Thread.currentThread().getContextClassLoader());
      } catch (ClassNotFoundException e) {
        return super.resolveClass(description);
      }
    }
  }
}
