package org.sparkcollectives.ml.internal.takeover;

import java.util.Iterator;
import java.util.List;
import org.apache.spark.api.java.function.FlatMapFunction;

/**
 * The aggregate of a partition as numbers, if it has any.
 *
 * @param fold makes the aggregate
 * @param form how it becomes numbers
 */
record PartialSums(Fold fold, Summed form) implements FlatMapFunction<Iterator<Object>, double[]> {
  @Override
  public Iterator<double[]> call(Iterator<Object> elements) {
    double[] numbers = form.numbers(fold.aggregate(elements));
    return (numbers == null ? List.<double[]>of() : List.of(numbers)).iterator();
  }
}
