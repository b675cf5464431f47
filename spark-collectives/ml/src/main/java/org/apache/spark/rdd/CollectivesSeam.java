package org.apache.spark.rdd;

import java.util.Map;
import java.util.function.BiFunction;

/**
 * Where methods of Spark and of Breeze that an agent has woven ask whether something else is to be
 * done. It stands in a package of Spark because the class loader of {@link RDD} defines it, which
 * may know no other class of the library; so it names classes of the JDK alone.
 */
public final class CollectivesSeam {
  private static volatile Map<String, BiFunction<Object, Object[], Object[]>> asked = Map.of();

  private CollectivesSeam() {}

  /**
   * Says who is asked from now on. Each gets the object whose method is called, and the arguments.
   * An answer is null to let the method do what it does, or an array of one element, which the
   * method then returns.
   *
   * @param answers who is asked, by class and method, as in {@code java.lang.String.length}; none
   *     for nobody
   */
  public static void ask(Map<String, BiFunction<Object, Object[], Object[]>> answers) {
    asked = Map.copyOf(answers);
  }

  /**
   * What a woven method asks first.
   *
   * @param method its class and name
   * @param self the object whose method it is
   * @param arguments its arguments
   * @return what it returns, as the only element, or null
   */
  public static Object[] answer(String method, Object self, Object[] arguments) {
    BiFunction<Object, Object[], Object[]> answer = asked.get(method);
    return answer == null ? null : answer.apply(self, arguments);
  }
}
