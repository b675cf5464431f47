package org.sparkcollectives.ml.internal.rows;

import java.io.Serializable;
import java.util.Iterator;
import java.util.List;
import java.util.Random;
import org.apache.spark.util.random.BernoulliSampler;
import scala.jdk.javaapi.CollectionConverters;
import scala.reflect.ClassTag;
import scala.reflect.ClassTag$;

/**
 * Which rows a mini batch has: those that {@code rows.sample(false, fraction, seed + number)} has,
 * for each partition the same that Spark's sampler takes.
 *
 * @param fraction which part of the rows is in a batch, more than 0 and at most 1
 * @param seed of the random numbers
 * @param partitions how many partitions all ranks have
 */
public record Sampling(double fraction, long seed, int partitions) implements Serializable {

  /**
   * A rank's rows of a batch.
   *
   * @param parts all rows of the rank
   * @param number the batch's number, from 1
   * @param <T> the rows' class
   * @return those in the batch, partition after partition
   */
  public <T> Iterator<T> batch(List<PartitionRows<T>> parts, int number) {
    long[] seeds = new Random(seed + number).longs(partitions).toArray();
    return CollectionConverters.asJava(
        CollectionConverters.asScala(parts.iterator())
            .flatMap(part -> taken(part.rows(), seeds[part.partition()])));
  }

  /**
   * The sampling whose batches have all rows.
   *
   * @return one of as many partitions
   */
  public Sampling ofAll() {
    return new Sampling(1, seed, partitions);
  }

  private <T> scala.collection.Iterator<T> taken(List<T> rows, long partitionSeed) {
    scala.collection.Iterator<T> all = CollectionConverters.asScala(rows.iterator());
    if (fraction >= 1) {
      return all;
    }
    @SuppressWarnings("unchecked") // the sampler makes no arrays
    ClassTag<T> any = (ClassTag<T>) ClassTag$.MODULE$.Any();
    BernoulliSampler<T> sampler = new BernoulliSampler<>(fraction, any);
    sampler.setSeed(partitionSeed);
    return sampler.sample(all);
  }
}
