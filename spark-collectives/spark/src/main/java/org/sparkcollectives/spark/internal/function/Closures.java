package org.sparkcollectives.spark.internal.function;

import org.apache.spark.SparkContext;
import org.apache.spark.SparkContext$;
import org.apache.spark.SparkEnv;
import org.apache.spark.serializer.SerializerInstance;
import scala.Option;
import scala.reflect.ClassTag$;

/**
 * Spark's cleaner of closures, which takes away what a closure refers to and does not use. In a
 * shell or a notebook that is every line that was typed before.
 *
 * <p>A closure that can be serialized stays as it is: the cleaner overlooks what closures on
 * primitives inside it use ({@code elements.map(_ * factor)}), and they would find 0 or null.
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
    return serializable(closure) ? closure : context.clean(closure, true);
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
    return active.isEmpty() || serializable(closure) ? closure : active.get().clean(closure, false);
  }

  private static boolean serializable(Object closure) {
    SerializerInstance serializer = SparkEnv.get().closureSerializer().newInstance();
    try {
      return serializer.serialize(closure, ClassTag$.MODULE$.Object()).hasRemaining();
    } catch (Exception notSerializable) { // of any class: Scala declares none
      return false;
    }
  }
}
