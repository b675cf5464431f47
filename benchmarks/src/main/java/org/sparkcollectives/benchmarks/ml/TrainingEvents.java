package org.sparkcollectives.benchmarks.ml;

import java.util.List;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.apache.spark.SparkContext;
import org.apache.spark.scheduler.SparkListener;
import org.apache.spark.scheduler.SparkListenerEvent;
import org.sparkcollectives.spark.internal.events.TrainingEvent;

/** What the library tells Spark's listeners of its trainings. */
final class TrainingEvents extends SparkListener {
  private final List<TrainingEvent> trainings = new CopyOnWriteArrayList<>();
  private final SparkContext context;

  private TrainingEvents(SparkContext context) {
    this.context = context;
  }

  /** Listens from now on. */
  static TrainingEvents of(SparkContext context) {
    TrainingEvents events = new TrainingEvents(context);
    context.addSparkListener(events);
    return events;
  }

  @Override
  public void onOtherEvent(SparkListenerEvent event) {
    if (event instanceof TrainingEvent training) {
      trainings.add(training);
    }
  }

  /**
   * The last training since the last question.
   *
   * @throws IllegalStateException if Spark's listeners do not catch up
   */
  Optional<TrainingEvent> last() {
    try {
      context.listenerBus().waitUntilEmpty(TimeUnit.MINUTES.toMillis(1));
    } catch (TimeoutException e) {
      throw new IllegalStateException("Spark's listeners have not been told within a minute", e);
    }
    Optional<TrainingEvent> last =
        trainings.isEmpty() ? Optional.empty() : Optional.of(trainings.get(trainings.size() - 1));
    trainings.clear();
    return last;
  }
}
