package org.sparkcollectives.spark;

import java.io.Serial;
import java.io.Serializable;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import org.apache.spark.Partitioner;
import org.apache.spark.api.java.JavaPairRDD;
import org.apache.spark.api.java.JavaRDD;
import org.apache.spark.api.java.function.Function2;
import scala.Tuple2;
import scala.collection.Iterator;
import scala.jdk.javaapi.CollectionConverters;

/**
 * How the partitions of an RDD become the vectors of ranks. Where each partition can be a rank, the
 * barrier task itself folds it. Where there are more partitions than slots, or the RDD's lineage
 * does not fit into a barrier stage, an ordinary stage folds each partition, and a shuffle brings
 * consecutive partitions to one rank: the values stay on executors, and Spark makes lost ones
 * again.
 */
final class VectorSource implements Serializable {
  @Serial private static final long serialVersionUID = 1L;

  private final LocalFold fold;
  private final boolean grouped;

  private VectorSource(LocalFold fold, boolean grouped) {
    this.fold = fold;
    this.grouped = grouped;
  }

  /**
   * The input of a barrier job.
   *
   * @param source makes parts of a task's input
   * @param rdd the job's RDD
   * @param size the number of ranks
   */
  record Input(VectorSource source, JavaRDD<?> rdd, int size) {}

  /** Chooses the way for an RDD. */
  static Input of(JavaRDD<?> rdd, LocalFold fold, int slots, JobSpec spec) {
    int partitions = rdd.getNumPartitions();
    if (partitions <= slots && Barriers.fits(rdd.rdd())) {
      return new Input(new VectorSource(fold, false), rdd, partitions);
    }
    int size = Math.min(partitions, slots);
    JavaRDD<Tuple2<Integer, Object>> folded =
        rdd.mapPartitionsWithIndex(new FoldPartition<>(spec, fold), false);
    JavaRDD<?> grouped =
        JavaPairRDD.fromJavaRDD(folded)
            .partitionBy(new Consecutive(partitions, size))
            .map(pair -> pair);
    return new Input(new VectorSource(fold, true), grouped, size);
  }

  /** The parts of a task, in partition order; partitions without elements have none. */
  List<Part> parts(int partition, Iterator<Object> input) {
    List<Part> parts = new ArrayList<>();
    if (grouped) {
      while (input.hasNext()) {
        Tuple2<?, ?> pair = (Tuple2<?, ?>) input.next();
        parts.add(new Part((Integer) pair._1(), pair._2()));
      }
      parts.sort(Comparator.comparingInt(Part::partition));
    } else {
      Object value = fold.fold(partition, CollectionConverters.asJava(input));
      if (value != null) {
        parts.add(new Part(partition, value));
      }
    }
    return parts;
  }

  /** Sends consecutive partitions to one rank, in order. */
  static final class Consecutive extends Partitioner {
    @Serial private static final long serialVersionUID = 1L;

    private final int partitions;
    private final int ranks;

    Consecutive(int partitions, int ranks) {
      this.partitions = partitions;
      this.ranks = ranks;
    }

    @Override
    public int numPartitions() {
      return ranks;
    }

    @Override
    public int getPartition(Object key) {
      return (int) ((long) (Integer) key * ranks / partitions);
    }

    @Override
    public boolean equals(Object other) {
      return other instanceof Consecutive that
          && partitions == that.partitions
          && ranks == that.ranks;
    }

    @Override
    public int hashCode() {
      return 31 * partitions + ranks;
    }
  }

  /** Folds a partition in an ordinary stage. */
  private record FoldPartition<T>(JobSpec spec, LocalFold fold)
      implements Function2<
          Integer, java.util.Iterator<T>, java.util.Iterator<Tuple2<Integer, Object>>> {
    @Override
    public java.util.Iterator<Tuple2<Integer, Object>> call(
        Integer partition, java.util.Iterator<T> elements) {
      try {
        Object value = fold.fold(partition, elements);
        return (value == null
                ? List.<Tuple2<Integer, Object>>of()
                : List.of(new Tuple2<>(partition, value)))
            .iterator();
      } catch (Throwable failure) {
        RankSession.note(spec, failure);
        throw failure;
      }
    }
  }
}
