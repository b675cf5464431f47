package org.sparkcollectives.benchmarks.spark;

import java.util.Map;
import java.util.Set;
import java.util.function.Function;
import org.sparkcollectives.benchmarks.cluster.Traffic;
import org.sparkcollectives.benchmarks.report.Measurement;

/**
 * The sum of all vectors, on the driver; NaN where a contender sums nothing up.
 *
 * @param name its name in tables and files
 * @param sum the call
 */
record ToDriver(String name, Function<Vectors, double[]> sum) implements Contender {

  @Override
  public boolean takes(Vectors vectors, int executors) {
    return true;
  }

  @Override
  public Run run(Vectors vectors) {
    Traffic before = Traffic.now();
    long start = System.nanoTime();
    double[] result = sum.apply(vectors);
    long end = System.nanoTime();
    return new Run(
        Map.of(Measurement.END_TO_END, end - start),
        Set.of(),
        result[result.length - 1],
        Traffic.now().since(before));
  }
}
