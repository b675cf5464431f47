package org.sparkcollectives.ml.internal.takeover;

import static java.util.Objects.requireNonNull;

import java.util.Arrays;
import org.apache.spark.ml.optim.aggregator.DifferentiableLossAggregator;
import org.jspecify.annotations.Nullable;

/** MLlib's aggregators of a loss: the gradient, then the loss and the weight. */
enum SummedLoss implements Summed {
  /** The only one. */
  FORM;

  @Override
  public double @Nullable [] numbers(@Nullable Object aggregate) {
    DifferentiableLossAggregator<?, ?> loss = loss(aggregate);
    if (loss.weightSum() == 0) {
      return null; // as merge does
    }
    double[] gradient = loss.gradientSumArray();
    double[] numbers = Arrays.copyOf(gradient, gradient.length + 2);
    numbers[gradient.length] = loss.lossSum();
    numbers[gradient.length + 1] = loss.weightSum();
    return numbers;
  }

  @Override
  public Object aggregate(double[] numbers, @Nullable Object zero) {
    DifferentiableLossAggregator<?, ?> loss = loss(zero);
    double[] gradient = loss.gradientSumArray();
    System.arraycopy(numbers, 0, gradient, 0, gradient.length);
    loss.lossSum_$eq(numbers[gradient.length]);
    loss.weightSum_$eq(numbers[gradient.length + 1]);
    return loss;
  }

  private static DifferentiableLossAggregator<?, ?> loss(@Nullable Object aggregate) {
    return (DifferentiableLossAggregator<?, ?>) requireNonNull(aggregate);
  }
}
