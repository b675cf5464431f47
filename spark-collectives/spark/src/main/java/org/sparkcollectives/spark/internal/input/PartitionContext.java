package org.sparkcollectives.spark.internal.input;

import java.io.Serial;
import java.util.LinkedHashSet;
import java.util.Set;
import org.apache.spark.Partition;
import org.apache.spark.SparkEnv;
import org.apache.spark.TaskContext;
import org.apache.spark.TaskContextImpl;
import org.apache.spark.api.python.PythonRunner;
import org.apache.spark.executor.TaskMetrics;
import org.apache.spark.rdd.RDD;
import org.apache.spark.shuffle.FetchFailedException;
import org.apache.spark.util.TaskCompletionListener;
import org.apache.spark.util.TaskFailureListener;
import scala.Option;

/**
 * What code that computes a partition of the user's RDD sees as its task: the rank's, which
 * computes many of them, but with the partition's own index and with an end of its own. So what
 * Spark frees when a task ends (tables of joins, sorters, processes of Python) is freed after each
 * partition, and not when a rank's program ends that goes on for as long as a training does.
 *
 * <p>What Spark 4 holds back of interruptions while a resource is made is held back by the rank's
 * task alone.
 */
final class PartitionContext extends TaskContextImpl {
  @Serial private static final long serialVersionUID = 1L;

  private final TaskContext task;

  private PartitionContext(TaskContext task, int partition, int partitions) {
    super(
        task.stageId(),
        task.stageAttemptNumber(),
        partition,
        task.taskAttemptId(),
        task.attemptNumber(),
        partitions,
        task.taskMemoryManager(),
        task.getLocalProperties(),
        SparkEnv.get().metricsSystem(),
        task.taskMetrics(),
        task.cpus(),
        task.resources());
    this.task = task;
  }

  /** Computes partitions of an RDD in a rank's task, one after another or by turns. */
  static final class Computer {
    private final RDD<Object> rdd;
    private final int partitions;
    private final TaskContext task;
    private final Set<PartitionContext> open = new LinkedHashSet<>();

    /** What partitions that are at their end needed at most: one, or several by turns. */
    private long peakMemory;

    /**
     * Nothing is computed yet.
     *
     * @param rdd the RDD
     * @param partitions how many it has
     * @param task the rank's task, with which all ends that is not at its end by then
     */
    Computer(RDD<Object> rdd, int partitions, TaskContext task) {
      this.rdd = rdd;
      this.partitions = partitions;
      this.task = task;
      task.addTaskFailureListener(
          (TaskFailureListener)
              (unused, thrown) -> Set.copyOf(open).forEach(each -> each.markTaskFailed(thrown)));
      task.addTaskCompletionListener(
          (TaskCompletionListener) unused -> Set.copyOf(open).forEach(this::end));
    }

    /**
     * Begins a partition.
     *
     * @param partition the partition
     * @return its elements, computed as they are asked for
     */
    PartitionElements elements(Partition partition) {
      PartitionContext context = new PartitionContext(task, partition.index(), partitions);
      open.add(context);
      return PartitionElements.of(rdd, partition, context, () -> end(context));
    }

    private void end(PartitionContext context) {
      open.remove(context);
      context.markTaskCompleted(Option.empty());
      endPythonsWatch();
      if (open.isEmpty()) {
        TaskMetrics metrics = task.taskMetrics(); // to which each operator adds its own peak
        peakMemory = Math.max(peakMemory, metrics.peakExecutionMemory() - peakMemory);
        metrics.setPeakExecutionMemory(peakMemory);
      }
    }

    /**
     * Lets Spark watch the next partition's worker of Python. For a worker and an attempt of a task
     * it starts one thread, which sees only seconds later that the context is at its end for which
     * it was started, and the next partition has the same worker and the same attempt.
     */
    private void endPythonsWatch() {
      PythonRunner.runningMonitorThreads()
          .removeIf(watched -> watched._2().equals(task.taskAttemptId()));
    }
  }

  @Override
  public boolean isInterrupted() {
    return task.isInterrupted();
  }

  @Override
  public void killTaskIfInterrupted() {
    task.killTaskIfInterrupted();
  }

  @Override
  public Option<String> getKillReason() {
    return task.getKillReason();
  }

  @Override
  public void markInterrupted(String reason) {
    task.markInterrupted(reason);
  }

  @Override
  public void setFetchFailed(FetchFailedException failed) {
    task.setFetchFailed(failed);
  }

  @Override
  public Option<FetchFailedException> fetchFailed() {
    return task.fetchFailed();
  }
}
