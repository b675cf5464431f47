package org.sparkcollectives.testing;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import org.apache.spark.api.java.JavaRDD;
import org.apache.spark.api.java.JavaSparkContext;
import org.sparkcollectives.spark.Same;
import org.sparkcollectives.spark.internal.bridge.Scala;

/** Executors as places that partitions of an RDD can prefer. */
public final class ExecutorPlaces {
  private static final long RETURN_SECONDS = 120;

  private ExecutorPlaces() {}

  /**
   * The executors that live.
   *
   * @param context the application
   * @return their places as Spark writes them, by the executors' numbers
   */
  public static List<String> of(JavaSparkContext context) {
    Jobs.settle(context.sc()); // the store is a listener
    List<String> places = new ArrayList<>();
    for (var executor : Scala.asJava(context.sc().statusStore().executorList(true))) {
      if (!executor.id().equals("driver")) {
        String host = executor.hostPort().replaceFirst(":[0-9]+$", "");
        places.add("executor_" + host + "_" + executor.id());
      }
    }
    places.sort(Comparator.comparingInt(place -> Integer.parseInt(executor(place))));
    return places;
  }

  /**
   * Waits until executors that were lost have come back, and every slot of them is free. An
   * executor's blocks are known a while before it takes tasks.
   *
   * @param context the application
   * @param executors how many there are to be
   * @throws InterruptedException if the thread is interrupted
   */
  public static void awaitAll(JavaSparkContext context, int executors) throws InterruptedException {
    long start = System.nanoTime();
    while (context.sc().getExecutorMemoryStatus().size() <= executors) { // and the driver
      if (System.nanoTime() - start >= TimeUnit.SECONDS.toNanos(RETURN_SECONDS)) {
        throw new AssertionError("an executor did not return");
      }
      Thread.sleep(50);
    }
    int cores = context.sc().conf().getInt("spark.executor.cores", 1);
    awaitSlots(context, executors * cores);
  }

  /**
   * Waits until all slots are free at the same time, whatever ran in them before.
   *
   * @param context the application
   * @param slots how many there are
   */
  public static void awaitSlots(JavaSparkContext context, int slots) {
    var unused =
        atOnce(context.parallelize(IntStream.range(0, slots).boxed().toList(), slots)).count();
  }

  /**
   * The same elements, computed in a barrier stage, which begins only when there is a free slot for
   * each of its tasks.
   *
   * @param rdd an RDD whose own lineage is one stage
   * @param <T> the type of the elements
   * @return the RDD
   */
  public static <T> JavaRDD<T> atOnce(JavaRDD<T> rdd) {
    return new JavaRDD<>(
        rdd.rdd().barrier().mapPartitions(new Same<>(), false, rdd.classTag()), rdd.classTag());
  }

  /**
   * The executor of a place.
   *
   * @param place the place
   * @return the executor's identifier
   */
  public static String executor(String place) {
    return place.substring(place.lastIndexOf('_') + 1);
  }
}
