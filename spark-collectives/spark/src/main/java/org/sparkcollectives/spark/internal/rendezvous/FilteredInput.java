package org.sparkcollectives.spark.internal.rendezvous;

import java.io.IOException;
import java.io.InputStream;
import java.io.ObjectInputFilter;
import java.io.ObjectInputStream;
import java.io.ObjectStreamClass;
import java.lang.reflect.Proxy;
import org.jspecify.annotations.Nullable;

/**
 * Reads what Spark's Java serializer wrote, of classes that a filter and the JVM's own one let
 * pass.
 */
final class FilteredInput extends ObjectInputStream {
  private final @Nullable ClassLoader loader;

  private FilteredInput(InputStream in, @Nullable ClassLoader loader, ObjectInputFilter filter)
      throws IOException {
    super(in);
    this.loader = loader;
    setObjectInputFilter(ObjectInputFilter.merge(filter, getObjectInputFilter()));
  }

  /**
   * Reads an object.
   *
   * @param bytes its bytes; is closed
   * @param loader where its classes are looked for, or null for this class's
   * @param filter which classes may be among them
   * @return the object
   * @throws IOException if the bytes are no object, or one of a class that may not be
   */
  @SuppressWarnings("BanSerializableRead") // of a peer that is authenticated, through a filter
  static Object read(InputStream bytes, @Nullable ClassLoader loader, ObjectInputFilter filter)
      throws IOException {
    try (FilteredInput in = new FilteredInput(bytes, loader, filter)) {
      return in.readObject();
    } catch (ClassNotFoundException e) {
      throw new IOException("a received object cannot be deserialized", e);
    }
  }

  @Override
  protected Class<?> resolveClass(ObjectStreamClass description)
      throws IOException, ClassNotFoundException {
    if (loader == null) {
      return super.resolveClass(description);
    }
    try {
      return Class.forName(description.getName(), false, loader);
    } catch (ClassNotFoundException primitive) {
      return super.resolveClass(description);
    }
  }

  @Override
  @SuppressWarnings("deprecation") // what asks here wants the class, not an instance
  protected Class<?> resolveProxyClass(String[] interfaces)
      throws IOException, ClassNotFoundException {
    if (loader == null) {
      return super.resolveProxyClass(interfaces);
    }
    Class<?>[] classes = new Class<?>[interfaces.length];
    for (int i = 0; i < classes.length; i++) {
      classes[i] = Class.forName(interfaces[i], false, loader);
    }
    try {
      return Proxy.getProxyClass(loader, classes);
    } catch (IllegalArgumentException e) {
      throw new ClassNotFoundException("no proxy can have these interfaces", e);
    }
  }
}
