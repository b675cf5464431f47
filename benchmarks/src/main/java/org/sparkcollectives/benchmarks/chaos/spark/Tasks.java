package org.sparkcollectives.benchmarks.chaos.spark;

import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.spark.scheduler.SparkListener;
import org.apache.spark.scheduler.SparkListenerExecutorRemoved;
import org.apache.spark.scheduler.SparkListenerTaskEnd;
import org.apache.spark.scheduler.SparkListenerTaskStart;
import org.apache.spark.scheduler.TaskInfo;

/** The tasks that run now, as far as Spark's listeners know. Thread-safe. */
final class Tasks extends SparkListener {
  private final Map<Long, TaskInfo> running = new ConcurrentHashMap<>();
  private final AtomicInteger speculative = new AtomicInteger();

  @Override
  public void onTaskStart(SparkListenerTaskStart start) {
    running.put(start.taskInfo().taskId(), start.taskInfo());
    if (start.taskInfo().speculative()) {
      speculative.incrementAndGet();
    }
  }

  @Override
  public void onTaskEnd(SparkListenerTaskEnd end) {
    running.remove(end.taskInfo().taskId());
  }

  @Override
  public void onExecutorRemoved(SparkListenerExecutorRemoved removed) {
    running.values().removeIf(task -> task.executorId().equals(removed.executorId()));
  }

  /** The numbers of those that run, in order. */
  Long[] ids() {
    return running.keySet().stream().sorted().toArray(Long[]::new);
  }

  /** How many second attempts have begun so far. */
  int speculative() {
    return speculative.get();
  }
}
