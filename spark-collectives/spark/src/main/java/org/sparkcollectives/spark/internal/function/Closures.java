package org.sparkcollectives.spark.internal.function;

import java.io.OutputStream;
import org.apache.spark.SparkContext;
import org.apache.spark.SparkContext$;
import org.apache.spark.SparkEnv;
import org.apache.spark.serializer.SerializationStream;
import scala.Option;
import scala.reflect.ClassTag$;

/**
 * Spark's cleaner of closures, which takes away what a closure refers to and does not use. In a
 * shell or a notebook that is every line that was typed before.
 *
 * <p>A closure that can be serialized stays as it is, however long: the cleaner overlooks what
 * closures on primitives inside it use ({@code elements.map(_ * factor)}), and they would find 0 or
 * null.
 */
public final class Closures {
  private Closures() {}

  /**
   * Cleans a closure and checks that it can be serialized.
   *
   * @param context the application
   * @param closure a function of Scala, which may be changed
   * @param <F> its class
   * @return the closure, or a clean one
   */
  public static <F> F clean(SparkContext context, F closure) {
    return stays(closure) ? closure : context.clean(closure, true);
  }

  /**
   * Cleans a closure where an application runs in this process; elsewhere it stays as it is.
   *
   * @param closure a function of Scala, which may be changed
   * @param <F> its class
   * @return the closure, or a clean one
   */
  public static <F> F clean(F closure) {
    Option<SparkContext> active = SparkContext$.MODULE$.getActive();
    return active.isEmpty() || stays(closure) ? closure : active.get().clean(closure, false);
  }

  /** Whether a closure can be serialized; its bytes, which may be many, are not kept. */
  private static boolean stays(Object closure) {
    SparkEnv env = SparkEnv.get();
    if (env == null) { // the context is stopped, which the call itself says
      return true;
    }
    try (SerializationStream out =
        env.closureSerializer().newInstance().serializeStream(OutputStream.nullOutputStream())) {
      SerializationStream unused = out.writeObject(closure, ClassTag$.MODULE$.Object());
      return true;
    } catch (Exception notSerializable) { // of any class: Scala declares none
      return false;
    }
  }
}
