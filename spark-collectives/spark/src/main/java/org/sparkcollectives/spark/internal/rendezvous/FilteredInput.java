package org.sparkcollectives.spark.internal.rendezvous;

import java.io.IOException;
import java.io.InputStream;
import java.io.InvalidClassException;
import java.io.ObjectInputFilter;
import java.io.ObjectInputStream;
import java.io.ObjectStreamClass;
import java.lang.reflect.Proxy;
import org.jspecify.annotations.Nullable;
import org.sparkcollectives.spark.internal.conf.Settings;

/**
 * Reads what Spark's Java serializer wrote, of classes that a filter and the JVM's own one let
 * pass.
 */
final class FilteredInput extends ObjectInputStream {
  private final @Nullable ClassLoader loader;

  /** The class that has not passed, which the exception of the JDK does not name. */
  private @Nullable Class<?> rejected;

  private FilteredInput(InputStream in, @Nullable ClassLoader loader, ObjectInputFilter filter)
      throws IOException {
    super(in);
    this.loader = loader;
    ObjectInputFilter both = ObjectInputFilter.merge(filter, getObjectInputFilter());
    setObjectInputFilter(
        info -> {
          ObjectInputFilter.Status status = both.checkInput(info);
          rejected = status == ObjectInputFilter.Status.REJECTED ? info.serialClass() : null;
          return status;
        });
  }

  /**
   * Reads an object.
   *
   * @param bytes its bytes; is closed
   * @param loader where its classes are looked for, or null for this class's
   * @param filter which classes may be among them
   * @return the object
   * @throws IOException if the bytes are no object, or one of a class that may not be, which is
   *     named then
   */
  static Object read(InputStream bytes, @Nullable ClassLoader loader, ObjectInputFilter filter)
      throws IOException {
    try (FilteredInput in = new FilteredInput(bytes, loader, filter)) {
      return in.object();
    } catch (ClassNotFoundException e) {
      throw new IOException("a received object cannot be deserialized", e);
    }
  }

  @SuppressWarnings("BanSerializableRead") // of a peer that is authenticated, through a filter
  private Object object() throws IOException, ClassNotFoundException {
    try {
      return readObject();
    } catch (InvalidClassException e) {
      if (rejected == null) {
        throw e;
      }
      InvalidClassException named =
          new InvalidClassException(
              rejected.getTypeName(),
              e.getMessage() + " by " + Settings.OBJECTS_FILTER.key() + " or the JVM's own filter");
      named.addSuppressed(e);
      throw named;
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
