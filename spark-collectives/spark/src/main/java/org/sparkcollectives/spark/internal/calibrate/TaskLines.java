package org.sparkcollectives.spark.internal.calibrate;

import java.util.List;
import java.util.function.Consumer;
import org.apache.spark.SparkContext;
import org.apache.spark.scheduler.AccumulableInfo;
import org.apache.spark.scheduler.SparkListener;
import org.apache.spark.scheduler.SparkListenerExecutorMetricsUpdate;
import org.apache.spark.util.CollectionAccumulator;
import org.sparkcollectives.spark.internal.bridge.Scala;
import scala.Tuple4;
import scala.collection.Seq;

/**
 * Lines that a task of a running job says, at the driver: executors' heartbeats bring what an
 * accumulator has, before the task ends. One task at a time says something.
 */
final class TaskLines extends SparkListener implements AutoCloseable {
  private final SparkContext context;
  private final CollectionAccumulator<String> accumulator;
  private final Consumer<String> reader;
  private int passedOn;

  private TaskLines(SparkContext context, Consumer<String> reader) {
    this.context = context;
    this.accumulator = context.collectionAccumulator();
    this.reader = reader;
  }

  /**
   * Begins to listen.
   *
   * @param context the application
   * @param reader gets each line once
   * @return the lines, to be closed after the job
   */
  static TaskLines open(SparkContext context, Consumer<String> reader) {
    TaskLines lines = new TaskLines(context, reader);
    context.addSparkListener(lines);
    return lines;
  }

  /** What tasks add their lines to. */
  CollectionAccumulator<String> ofTasks() {
    return accumulator;
  }

  @Override
  public void onExecutorMetricsUpdate(SparkListenerExecutorMetricsUpdate heartbeat) {
    for (Tuple4<?, ?, ?, ? extends Seq<AccumulableInfo>> task :
        Scala.asJava(heartbeat.accumUpdates())) {
      for (AccumulableInfo info : Scala.asJava(task._4())) {
        if (info.id() == accumulator.id() && info.update().isDefined()) {
          passOn((List<?>) info.update().get());
        }
      }
    }
  }

  /** Passes on those lines, of all that have been said so far, that are new. */
  private synchronized void passOn(List<?> all) {
    for (Object line : List.copyOf(all).subList(Math.min(passedOn, all.size()), all.size())) {
      reader.accept(String.valueOf(line));
      passedOn++;
    }
  }

  /** Passes on what the last heartbeat did not bring. */
  @Override
  public void close() {
    context.removeSparkListener(this);
    passOn(accumulator.value());
  }
}
