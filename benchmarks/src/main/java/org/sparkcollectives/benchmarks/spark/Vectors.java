package org.sparkcollectives.benchmarks.spark;

import static scala.jdk.javaapi.CollectionConverters.asScala;

import java.util.ArrayList;
import java.util.Collections;
import java.util.Iterator;
import java.util.List;
import java.util.SplittableRandom;
import java.util.stream.IntStream;
import org.apache.spark.SparkEnv;
import org.apache.spark.api.java.JavaRDD;
import org.apache.spark.api.java.JavaSparkContext;
import org.apache.spark.storage.StorageLevel;
import org.sparkcollectives.testing.ExecutorPlaces;
import scala.Tuple2;
import scala.collection.immutable.Seq;
import scala.reflect.ClassTag;
import scala.reflect.ClassTag$;

/**
 * Random vectors, one per partition, cached in the memory of the executors.
 *
 * @param rdd the vectors, {@code double[elements]}
 * @param elements number of elements of each
 * @param partitions number of vectors
 * @param onePerExecutor whether each executor has one of them
 */
record Vectors(JavaRDD<double[]> rdd, int elements, int partitions, boolean onePerExecutor)
    implements AutoCloseable {
  private static final int PLACEMENT_ATTEMPTS = 10;
  private static final long PLACEMENT_MILLIS = 200;

  /**
   * Makes vectors with uniformly distributed elements in [0, 1), the same for the same seed.
   *
   * @param context the application
   * @param executors number of executors, of one core each; every one gets a vector
   * @param partitions number of vectors, at least that many
   * @param elements number of elements of each
   * @param seed where the random numbers start
   * @return the vectors, cached
   */
  static Vectors cached(
      JavaSparkContext context, int executors, int partitions, int elements, long seed) {
    for (int attempt = 0; attempt < PLACEMENT_ATTEMPTS; attempt++) {
      JavaRDD<double[]> rdd =
          context
              .parallelize(IntStream.range(0, partitions).boxed().toList(), partitions)
              .map(partition -> random(elements, seed + partition))
              .persist(StorageLevel.MEMORY_ONLY());
      // Tasks that last a while, so that no executor takes the share of another.
      rdd.mapPartitions(
              vectors -> {
                Thread.sleep(PLACEMENT_MILLIS);
                return onlyIfAny(vectors);
              })
          .count();
      long holders =
          rdd.mapPartitions(vectors -> List.of(executor()).iterator()).distinct().count();
      if (holders == executors) {
        return new Vectors(rdd, elements, partitions, partitions == executors);
      }
      rdd.unpersist(true);
    }
    throw new IllegalStateException(
        "the vectors do not spread over "
            + executors
            + " executors; does the cluster have as many, of one core each?");
  }

  /**
   * As {@link #cached}, unevenly: executors hold as many vectors as they are told.
   *
   * @param context the application
   * @param placement number of vectors of each executor; some may have none
   * @param elements number of elements of each
   * @param seed where the random numbers start
   * @return the vectors, cached where they are to be
   */
  static Vectors placed(
      JavaSparkContext context, List<Integer> placement, int elements, long seed) {
    List<String> executors = ExecutorPlaces.of(context);
    List<String> places = new ArrayList<>();
    for (int i = 0; i < placement.size(); i++) {
      places.addAll(Collections.nCopies(placement.get(i), executors.get(i)));
    }
    List<Tuple2<Integer, Seq<String>>> parts = new ArrayList<>();
    for (int i = 0; i < places.size(); i++) {
      parts.add(new Tuple2<>(i, asScala(List.of(places.get(i))).toSeq()));
    }
    ClassTag<Integer> type = ClassTag$.MODULE$.apply(Integer.class);
    JavaRDD<double[]> rdd =
        new JavaRDD<>(context.sc().makeRDD(asScala(parts).toSeq(), type), type)
            .map(partition -> random(elements, seed + partition))
            .persist(StorageLevel.MEMORY_ONLY());
    List<String> holders =
        rdd.mapPartitions(
                vectors -> {
                  onlyIfAny(vectors);
                  return List.of(executor()).iterator();
                })
            .collect();
    List<String> meant = places.stream().map(ExecutorPlaces::executor).toList();
    if (!holders.equals(meant)) {
      rdd.unpersist(true);
      throw new IllegalStateException("vectors lie in executors " + holders + ", not " + meant);
    }
    return new Vectors(rdd, elements, places.size(), onePerExecutor(placement));
  }

  /** Whether a placement gives each executor one vector. */
  static boolean onePerExecutor(List<Integer> placement) {
    return placement.stream().allMatch(count -> count == 1);
  }

  /** The executor that runs this task. */
  static String executor() {
    return SparkEnv.get().executorId();
  }

  long bytes() {
    return (long) elements * Double.BYTES;
  }

  @Override
  public void close() {
    rdd.unpersist(true);
  }

  private static Iterator<Integer> onlyIfAny(Iterator<double[]> vectors) {
    List<Integer> lengths = new ArrayList<>();
    vectors.forEachRemaining(vector -> lengths.add(vector.length));
    return lengths.iterator();
  }

  /** Uniformly distributed values in [0, 1), the same for the same seed. */
  static double[] random(int elements, long seed) {
    SplittableRandom random = new SplittableRandom(seed);
    double[] vector = new double[elements];
    for (int i = 0; i < elements; i++) {
      vector[i] = random.nextDouble();
    }
    return vector;
  }
}
