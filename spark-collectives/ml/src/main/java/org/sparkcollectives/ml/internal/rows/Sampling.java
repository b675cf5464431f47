package org.sparkcollectives.ml.internal.rows;

import java.io.Serializable;
import java.util.Iterator;
import java.util.List;
import java.util.NoSuchElementException;
import java.util.Random;
import org.apache.spark.util.random.BernoulliSampler;
import org.apache.spark.util.random.RandomSampler;
import org.apache.spark.util.random.XORShiftRandom;
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
  /** Up to this fraction Spark's sampler draws how many rows lie between two that it takes. */
  private static final double MOST_BY_GAPS = RandomSampler.defaultMaxGapSamplingFraction();

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
    if (fraction <= MOST_BY_GAPS) {
      return CollectionConverters.asScala(new Gaps<>(rows, fraction, partitionSeed));
    }
    @SuppressWarnings("unchecked") // the sampler makes no arrays
    ClassTag<T> any = (ClassTag<T>) ClassTag$.MODULE$.Any();
    BernoulliSampler<T> sampler = new BernoulliSampler<>(fraction, any);
    sampler.setSeed(partitionSeed);
    return sampler.sample(all);
  }

  /**
   * The rows that Spark's sampler takes of a few, without a look at those between them.
   *
   * @param <T> the rows' class
   */
  private static final class Gaps<T> implements Iterator<T> {
    private final List<T> rows;
    private final double logOfOthers;
    private final Random random = new XORShiftRandom();
    private long next;

    Gaps(List<T> rows, double fraction, long seed) {
      this.rows = rows;
      this.logOfOthers = Math.log1p(-fraction);
      random.setSeed(seed);
      next = gap();
    }

    private int gap() {
      double drawn = Math.max(random.nextDouble(), RandomSampler.rngEpsilon());
      return (int) (Math.log(drawn) / logOfOthers);
    }

    @Override
    public boolean hasNext() {
      return next < rows.size();
    }

    @Override
    public T next() {
      if (!hasNext()) {
        throw new NoSuchElementException("a batch has no more rows");
      }
      T row = rows.get((int) next);
      next += 1L + gap();
      return row;
    }
  }
}
