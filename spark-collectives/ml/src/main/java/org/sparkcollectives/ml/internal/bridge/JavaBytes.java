package org.sparkcollectives.ml.internal.bridge;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.ObjectInputFilter;
import java.io.ObjectInputStream;
import java.io.ObjectOutputStream;
import java.io.ObjectStreamClass;
import java.io.OutputStream;
import java.io.Serializable;
import org.jspecify.annotations.Nullable;

/** Objects as bytes, and back with the classes that the task sees. */
public final class JavaBytes {

  /** How many bytes an array may have. */
  public static final int MOST = Integer.MAX_VALUE - 8;

  /**
   * What states of trainings consist of, beside arrays of numbers: classes of this module, of
   * Breeze and of MLlib, and basic ones and collections of Java and Scala. Lists that compute their
   * elements when these are asked for are not among them.
   */
  private static final ObjectInputFilter STATES =
      ObjectInputFilter.Config.createFilter(
          String.join(
              ";",
              "!scala.collection.immutable.LazyList*",
              "!scala.collection.immutable.Stream*",
              "org.sparkcollectives.ml.internal.**",
              "org.apache.spark.ml.**",
              "org.apache.spark.mllib.**",
              "breeze.linalg.*",
              "breeze.optimize.*",
              "scala.*",
              "scala.collection.**",
              "scala.runtime.*",
              "java.lang.*",
              "java.util.*",
              "!*"));

  private JavaBytes() {}

  /**
   * Writes an object, to an array that is as long as it has to be.
   *
   * @param object the object, which does not change meanwhile
   * @return its bytes
   * @throws IOException if it, or what it holds, cannot be serialised, or has too many bytes
   */
  public static byte[] of(Serializable object) throws IOException {
    Filled bytes = new Filled((int) length(object));
    write(object, bytes);
    return bytes.all();
  }

  /**
   * How many bytes an object has.
   *
   * @param object the object
   * @return their number, {@link #MOST} at most
   * @throws IOException if it, or what it holds, cannot be serialised, or has too many bytes
   */
  public static long length(Serializable object) throws IOException {
    Counted counted = new Counted();
    write(object, counted);
    return counted.length;
  }

  /**
   * Writes an object, and flushes the stream.
   *
   * @param object the object
   * @param to where its bytes go, some at a time
   * @throws IOException if it, or what it holds, cannot be serialised, or the stream fails
   */
  @SuppressWarnings("resource") // what it goes to is the caller's
  public static void write(Serializable object, OutputStream to) throws IOException {
    ObjectOutputStream out = new ObjectOutputStream(to);
    out.writeObject(object);
    out.flush();
  }

  /**
   * Reads a state, or what all ranks know of one, that another rank has sent.
   *
   * @param bytes what {@link #of} has made
   * @return the object
   * @throws IOException if they are no object, or name a class that no state has
   * @throws ClassNotFoundException if it has a class that is unknown here
   */
  public static Object read(byte[] bytes) throws IOException, ClassNotFoundException {
    return readState(new ByteArrayInputStream(bytes));
  }

  /**
   * Reads a state, or a part of one, that somebody else may have written, and closes the stream.
   *
   * @param bytes what {@link #write} has made
   * @return the object
   * @throws IOException if they are no object, cannot be read, or name a class that no state has,
   *     of which no code has run then
   * @throws ClassNotFoundException if it has a class that is unknown here
   */
  public static Object readState(InputStream bytes) throws IOException, ClassNotFoundException {
    try (bytes;
        ObjectInputStream in = new LoadedObjects(bytes)) {
      in.setObjectInputFilter(ObjectInputFilter.merge(STATES, in.getObjectInputFilter()));
      return in.readObject();
    }
  }

  /**
   * Reads a state that somebody else may have written.
   *
   * @param type the class that is looked for
   * @param bytes what {@link #of} has made
   * @param <T> that class
   * @return the object; null if it is of another class, or of one that is not the one known here,
   *     or if the bytes are no object, or name a class that no state has
   */
  public static <T> @Nullable T readIf(Class<T> type, byte[] bytes) {
    try {
      Object found = read(bytes);
      return type.isInstance(found) ? type.cast(found) : null;
    } catch (ClassNotFoundException | IOException e) {
      return null;
    }
  }

  /** Bytes of which the number is known before. */
  private static final class Filled extends ByteArrayOutputStream {
    Filled(int length) {
      super(length);
    }

    byte[] all() {
      return count == buf.length ? buf : toByteArray();
    }
  }

  /** Counts bytes. */
  private static final class Counted extends OutputStream {
    private long length;

    @Override
    public void write(int unused) throws IOException {
      add(1);
    }

    @Override
    public void write(byte[] bytes, int offset, int count) throws IOException {
      add(count);
    }

    private void add(int count) throws IOException {
      length += count;
      if (length > MOST) {
        throw new IOException("it has 2 GiB or more, and could not be read again");
      }
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
