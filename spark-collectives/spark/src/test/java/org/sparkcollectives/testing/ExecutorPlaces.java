package org.sparkcollectives.testing;

import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.List;
import java.util.concurrent.TimeUnit;
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
    Jobs.settle(context.sc()); // the store is filled by a listener
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
   * Waits until executors that were lost have come back, and run tasks: Spark knows one before it
   * has begun, and a stage of barrier tasks alone waits for that.
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
    awaitSlots(context, executors);
  }

  /**
   * Waits until so many slots are free at the same time, by a stage of barrier tasks.
   *
   * @param context the application
   * @param slots how many
   */
  public static void awaitSlots(JavaSparkContext context, int slots) {
    JavaRDD<Integer> tasks = context.parallelize(Collections.nCopies(slots, 0), slots);
    tasks.rdd().barrier().mapPartitions(new Same<>(), false, tasks.classTag()).count();
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
