package org.sparkcollectives.ml.internal.bridge;

import java.lang.reflect.Field;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import org.jspecify.annotations.Nullable;
import org.sparkcollectives.spark.internal.input.Calls;

/** What MLlib and Breeze keep to themselves, by name: each line of Spark is tested for these. */
public final class Hidden {

  private Hidden() {}

  /**
   * A private field's value.
   *
   * @param owner the object
   * @param name the field's name, of the object's class or of one that it extends
   * @return the value
   */
  public static @Nullable Object field(Object owner, String name) {
    return field(owner.getClass(), owner, name);
  }

  /**
   * A private field's value, where a class that extends the one that has it may have such a field,
   * too.
   *
   * @param declaring the class that has it, or one that extends it
   * @param owner the object
   * @param name the field's name
   * @return the value
   */
  public static @Nullable Object field(Class<?> declaring, Object owner, String name) {
    try {
      return found(declaring, name).get(owner);
    } catch (IllegalAccessException e) {
      throw unknown(declaring, "field " + name, e);
    }
  }

  /**
   * Changes a private field.
   *
   * @param owner the object
   * @param name the field's name, of the object's class or of one that it extends
   * @param value its new value
   */
  public static void set(Object owner, String name, @Nullable Object value) {
    try {
      found(owner.getClass(), name).set(owner, value);
    } catch (IllegalAccessException e) {
      throw unknown(owner.getClass(), "field " + name, e);
    }
  }

  private static Field found(Class<?> declaring, String name) {
    for (Class<?> c = declaring; c != null; c = c.getSuperclass()) {
      for (Field field : c.getDeclaredFields()) {
        if (field.getName().equals(name) || field.getName().endsWith("$$" + name)) {
          field.setAccessible(true);
          return field;
        }
      }
    }
    throw unknown(declaring, "field " + name, null);
  }

  /**
   * Calls a private method.
   *
   * @param declaring the class that has it
   * @param owner the object
   * @param name the method's name, of one method with so many arguments
   * @param arguments the arguments
   * @return what it returns
   */
  public static @Nullable Object call(
      Class<?> declaring, Object owner, String name, @Nullable Object... arguments) {
    for (Method method : declaring.getDeclaredMethods()) {
      if (method.getName().equals(name) && method.getParameterCount() == arguments.length) {
        try {
          method.setAccessible(true);
          return method.invoke(owner, arguments);
        } catch (IllegalAccessException e) {
          throw unknown(declaring, "method " + name, e);
        } catch (InvocationTargetException e) {
          throw Calls.<RuntimeException>sneaky(e.getCause() == null ? e : e.getCause());
        }
      }
    }
    throw unknown(declaring, "method " + name, null);
  }

  /** What the JVM throws, too, where a class is not as another one was compiled to find it. */
  private static LinkageError unknown(Class<?> type, String what, @Nullable Exception cause) {
    return new LinkageError(
        type.getName()
            + " has no "
            + what
            + " that can be reached: this is another line of Spark than the library knows. Use"
            + " Spark 3.5 or 4.1, or MLlib's own estimator.",
        cause);
  }
}
