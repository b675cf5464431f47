package org.sparkcollectives.testing;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import org.apache.spark.api.java.JavaSparkContext;
import org.sparkcollectives.spark.internal.bridge.Scala;

/** Executors as places that partitions of an RDD can prefer. */
public final class ExecutorPlaces {
  private ExecutorPlaces() {}

  /**
   * The executors that live.
   *
   * @param context the application
   * @return their places as Spark writes them, by the executors' numbers
   */
  public static List<String> of(JavaSparkContext context) {
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
   * The executor of a place.
   *
   * @param place the place
   * @return the executor's identifier
   */
  public static String executor(String place) {
    return place.substring(place.lastIndexOf('_') + 1);
  }
}
