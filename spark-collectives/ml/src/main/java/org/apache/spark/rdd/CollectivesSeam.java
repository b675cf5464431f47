package org.apache.spark.rdd;

import java.util.function.BiFunction;

/**
 * Where methods of Spark and of Breeze that an agent has woven ask whether something else is to be
 * done. It stands in a package of Spark because the class loader of {@link RDD} defines it, which
 * may know no other class of the library; so it names classes of the JDK alone.
 */
public final class CollectivesSeam {
  private static volatile BiFunction<Object, Object[], Object[]> aggregate;
  private static volatile BiFunction<Object, Object[], Object[]> reduce;
  private static volatile BiFunction<Object, Object[], Object[]> optimise;

  private CollectivesSeam() {}

  /**
   * Says who is asked from now on. An answer is null to let the method do what it does, or an array
   * of one element, which the method then returns.
   *
   * @param aggregating for {@code RDD.treeAggregate}: the RDD and the arguments; null for nobody
   * @param reducing for {@code RDD.treeReduce}; null for nobody
   * @param optimising for {@code FirstOrderMinimizer.iterations}: the minimizer and the arguments;
   *     null for nobody
   */
  public static void ask(
      BiFunction<Object, Object[], Object[]> aggregating,
      BiFunction<Object, Object[], Object[]> reducing,
      BiFunction<Object, Object[], Object[]> optimising) {
    aggregate = aggregating;
    reduce = reducing;
    optimise = optimising;
  }

  /**
   * What {@code RDD.treeAggregate} asks first.
   *
   * @param rdd the RDD
   * @param arguments the method's
   * @return what it returns, as the only element, or null
   */
  public static Object[] aggregate(Object rdd, Object[] arguments) {
    return answer(aggregate, rdd, arguments);
  }

  /**
   * What {@code RDD.treeReduce} asks first.
   *
   * @param rdd the RDD
   * @param arguments the method's
   * @return what it returns, as the only element, or null
   */
  public static Object[] reduce(Object rdd, Object[] arguments) {
    return answer(reduce, rdd, arguments);
  }

  /**
   * What {@code FirstOrderMinimizer.iterations} asks first.
   *
   * @param minimizer the minimizer
   * @param arguments the method's
   * @return what it returns, as the only element, or null
   */
  public static Object[] optimise(Object minimizer, Object[] arguments) {
    return answer(optimise, minimizer, arguments);
  }

  private static Object[] answer(
      BiFunction<Object, Object[], Object[]> asked, Object self, Object[] arguments) {
    return asked == null ? null : asked.apply(self, arguments);
  }
}
