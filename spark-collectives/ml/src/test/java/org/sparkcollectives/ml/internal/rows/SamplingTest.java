package org.sparkcollectives.ml.internal.rows;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.stream.IntStream;
import org.apache.spark.util.random.BernoulliSampler;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import scala.jdk.javaapi.CollectionConverters;
import scala.reflect.ClassTag$;

/** Batches have the rows that Spark's sampler takes. */
@Tag("cross-version")
class SamplingTest {
  private static final int PARTITIONS = 3;

  @Test
  void theSameRowsAsSparksSampler() {
    List<Integer> rows = new ArrayList<>(IntStream.range(0, 5_000).boxed().toList());
    List<PartitionRows<Integer>> parts =
        List.of(new PartitionRows<>(0, rows), new PartitionRows<>(2, rows.subList(0, 100)));
    for (double fraction : new double[] {1e-12, 0.001, 0.1, 0.4, 0.41, 0.9, 1}) {
      Sampling sampling = new Sampling(fraction, 42, PARTITIONS);
      for (int batch = 1; batch < 20; batch++) {
        List<Integer> expected = new ArrayList<>();
        long[] seeds = new Random(42 + batch).longs(PARTITIONS).toArray();
        for (PartitionRows<Integer> part : parts) {
          BernoulliSampler<Integer> sampler =
              new BernoulliSampler<>(fraction, ClassTag$.MODULE$.apply(Integer.class));
          sampler.setSeed(seeds[part.partition()]);
          CollectionConverters.asJava(
                  sampler.sample(CollectionConverters.asScala(part.rows().iterator())))
              .forEachRemaining(expected::add);
        }
        List<Integer> actual = new ArrayList<>();
        sampling.batch(parts, batch).forEachRemaining(actual::add);
        assertEquals(expected, actual, fraction + ", batch " + batch);
      }
    }
  }
}
