package org.sparkcollectives.spark.internal.function;

import org.apache.spark.SparkContext;
import org.apache.spark.SparkContext$;
import scala.Option;

/**
 * Spark's cleaner of closures, which takes away what a closure refers to and does not use. In a
 * shell or a notebook that is every line that was typed before.
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
    return context.clean(closure, true);
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
    return active.isDefined() ? active.get().clean(closure, false) : closure;
  }
}
