package org.sparkcollectives.spark.internal.body;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import org.apache.spark.api.java.JavaRDD;
import org.jspecify.annotations.Nullable;
import org.sparkcollectives.Communicator;
import org.sparkcollectives.spark.internal.conf.Settings;
import org.sparkcollectives.spark.internal.input.Barriers;
import org.sparkcollectives.spark.internal.input.LocalFold;
import org.sparkcollectives.spark.internal.input.Part;
import org.sparkcollectives.spark.internal.input.PartitionFold;
import org.sparkcollectives.spark.internal.rendezvous.Attempt;
import org.sparkcollectives.spark.internal.rendezvous.RankSession;
import org.sparkcollectives.spark.internal.rendezvous.Shape;
import org.sparkcollectives.spark.internal.result.BlockStore;
import scala.Tuple2;
import scala.collection.Iterator;
import scala.jdk.javaapi.CollectionConverters;

/**
 * A rank that brings vectors. Where each partition of the RDD can be a rank, the barrier task
 * itself folds it. Where there are more partitions than slots, or the RDD's lineage does not fit
 * into a barrier stage, an ordinary stage folds each partition, and a shuffle brings consecutive
 * partitions to one rank: the values stay on executors, and Spark makes lost ones again.
 *
 * @param body the collective
 * @param grouped whether partitions come folded, several to a rank
 */
public record VectorRank(VectorBody body, boolean grouped) implements RankBody {

  /**
   * Plans an attempt.
   *
   * @param rdd the RDD
   * @param body the collective
   * @param slots how many ranks can run at once, 1 or more
   * @param attempt the attempt
   * @return the plan
   */
  public static Plan plan(JavaRDD<?> rdd, VectorBody body, int slots, Attempt attempt) {
    int partitions = rdd.getNumPartitions();
    if (partitions <= slots && Barriers.fits(rdd.rdd())) {
      return new Plan(rdd, partitions, new VectorRank(body, false));
    }
    int size = Math.min(partitions, slots);
    JavaRDD<?> input = PartitionFold.grouped(rdd, body.fold(), size, attempt);
    return new Plan(input, size, new VectorRank(body, true));
  }

  @Override
  public @Nullable Object run(RankSession session, Iterator<Object> input) {
    LocalFold fold = body.fold();
    List<Part> parts = grouped ? folded(fold, input) : fold(fold, session.partition(), input);
    List<Shape> shapes = parts.stream().map(fold::shape).toList();
    Communicator communicator = session.join(shapes);
    return communicator == null ? null : body.run(communicator, parts, session);
  }

  /** What has come through the shuffle, in partition order. */
  private static List<Part> folded(LocalFold fold, Iterator<Object> input) {
    List<Part> parts = new ArrayList<>();
    while (input.hasNext()) {
      Tuple2<?, ?> pair = (Tuple2<?, ?>) input.next();
      int partition = (Integer) pair._1();
      parts.add(new Part(partition, fold.operand(pair._2(), partition)));
    }
    parts.sort(Comparator.comparingInt(Part::partition));
    return parts;
  }

  /** The task's own partition; none if it has no elements. */
  private static List<Part> fold(LocalFold fold, int partition, Iterator<Object> elements) {
    Object operand = fold.fold(partition, CollectionConverters.asJava(elements));
    return operand == null ? List.of() : List.of(new Part(partition, operand));
  }

  /** Stores a result that all ranks have, once for each executor. */
  static void store(RankSession session, LocalFold fold, Object result) {
    if (session.firstOfExecutor()) {
      int replicas = session.onOneExecutor() ? session.attempt().conf().get(Settings.REPLICAS) : 1;
      BlockStore.put(session.attempt().results(), fold.restore(result), replicas);
    }
  }
}
