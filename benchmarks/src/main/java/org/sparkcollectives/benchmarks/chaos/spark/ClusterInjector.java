package org.sparkcollectives.benchmarks.chaos.spark;

import java.io.IOException;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.apache.spark.api.java.JavaSparkContext;
import org.sparkcollectives.testing.StandaloneCluster;

/** Makes one fault happen in a cluster, and repairs what it broke. */
final class ClusterInjector {
  private static final long LOOK_NANOS = TimeUnit.MILLISECONDS.toNanos(2);
  private static final int SIGNAL_SECONDS = 30;
  private static final int NONE = -1;

  private final JavaSparkContext context;
  private final StandaloneCluster cluster;
  private final int workers;
  private final Tasks tasks;
  private final ClusterFault fault;
  private final int speculativeBefore;
  private int lostWorker = NONE;
  private long hitNanos;

  /**
   * Prepares.
   *
   * @param workers how many the cluster has
   * @param tasks those that run
   */
  ClusterInjector(
      JavaSparkContext context,
      StandaloneCluster cluster,
      int workers,
      Tasks tasks,
      ClusterFault fault) {
    this.context = context;
    this.cluster = cluster;
    this.workers = workers;
    this.tasks = tasks;
    this.fault = fault;
    this.speculativeBefore = tasks.speculative();
  }

  /**
   * Makes it happen when a time is over, unless the call has ended before.
   *
   * @param call the call under way
   * @param nanos the time
   * @return whether it has happened; a slow task only {@link #happened} knows
   */
  boolean strike(RunningCall call, long nanos) throws IOException {
    if (fault.kind() == ClusterKind.SPECULATION) {
      hitNanos = System.nanoTime();
      return true;
    }
    if (call.await(nanos)) {
      return false;
    }
    hitNanos = System.nanoTime();
    switch (fault.kind()) {
      case EXECUTOR_KILLED -> cluster.killExecutor(executor());
      case EXECUTOR_DECOMMISSIONED -> signal("PWR", executor());
      case HOST_LOST -> {
        lostWorker = worker();
        cluster.killWorker(lostWorker);
      }
      case TASK_KILLED -> {
        return killTask(call);
      }
      case JOB_CANCELLED -> context.cancelJobGroup(call.group());
      case DRIVER_INTERRUPTED -> call.interrupt();
      default -> throw new IllegalStateException(fault.kind() + " happens by itself");
    }
    return true;
  }

  /** When it happened. */
  long hitNanos() {
    return hitNanos;
  }

  /**
   * Whether it has happened, when the call has ended.
   *
   * @param struck what {@link #strike} said
   */
  boolean happened(boolean struck) {
    return fault.kind() == ClusterKind.SPECULATION
        ? tasks.speculative() > speculativeBefore
        : struck;
  }

  /** Gives the cluster back what it has lost for good. */
  void repair() {
    if (lostWorker != NONE) {
      cluster.replaceWorker(lostWorker);
    }
  }

  private long executor() throws IOException {
    List<ProcessHandle> all = cluster.executors();
    if (all.isEmpty()) {
      throw new IOException("there is no executor");
    }
    return all.get(fault.victim() % all.size()).pid();
  }

  /** The victim, or the next one after it that has executors. */
  private int worker() throws IOException {
    for (int i = 0; i < workers; i++) {
      int worker = (fault.victim() + i) % workers;
      if (!cluster.executors(worker).isEmpty()) {
        return worker;
      }
    }
    throw new IOException("no worker has an executor");
  }

  /** Kills a task that runs, or the next one that does; false if the call ends before. */
  private boolean killTask(RunningCall call) {
    while (!call.hasEnded()) {
      Long[] running = tasks.ids();
      if (running.length > 0) {
        long id = running[fault.victim() % running.length];
        hitNanos = System.nanoTime();
        if (context.sc().killTaskAttempt(id, (fault.work() & 1) == 0, "killed by chaos")) {
          return true;
        }
      }
      LockSupport.parkNanos(LOOK_NANOS);
    }
    return false;
  }

  private static void signal(String name, long pid) throws IOException {
    Process kill = new ProcessBuilder("kill", "-" + name, Long.toString(pid)).inheritIO().start();
    try {
      if (!kill.waitFor(SIGNAL_SECONDS, TimeUnit.SECONDS) || kill.exitValue() != 0) {
        throw new IOException("the signal " + name + " was not delivered to process " + pid);
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IOException("interrupted while a process was signalled", e);
    }
  }
}
