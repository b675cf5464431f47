package org.sparkcollectives.benchmarks.chaos.spark;

import org.sparkcollectives.benchmarks.chaos.FaultKind;

/** The kinds of faults in an application of Spark. */
enum ClusterKind implements FaultKind {
  /** An executor dies. */
  EXECUTOR_KILLED("an executor is killed", true, May.NEVER, "executor"),
  /** An executor goes when its tasks have ended. */
  EXECUTOR_DECOMMISSIONED("an executor is decommissioned", true, May.NEVER, "executor"),
  /** A worker dies with its executors. */
  HOST_LOST("a host is lost: its worker and all its executors", true, May.READING, "executor|lost"),
  /** A task of the call is killed. */
  TASK_KILLED("a task is killed", false, May.NEVER, "killed"),
  /** The jobs of the call are cancelled. */
  JOB_CANCELLED("the call's jobs are cancelled", false, May.ALWAYS, "cancelled"),
  /** The thread that calls is interrupted. */
  DRIVER_INTERRUPTED("the driver's thread is interrupted", false, May.ALWAYS, "interrupted"),
  /** A task that makes the call's input is so slow that Spark begins it a second time. */
  SPECULATION("Spark begins a slow task a second time", false, May.NEVER, "speculation");

  /** When a call may fail. */
  private enum May {
    NEVER,
    READING,
    ALWAYS
  }

  private final String text;
  private final boolean losesExecutors;
  private final May may;
  private final String cause;

  ClusterKind(String text, boolean losesExecutors, May may, String cause) {
    this.text = text;
    this.losesExecutors = losesExecutors;
    this.may = may;
    this.cause = cause;
  }

  @Override
  public String text() {
    return text;
  }

  /** Whether executors go, so that a call may wait for others to take their place. */
  boolean losesExecutors() {
    return losesExecutors;
  }

  /**
   * Whether the call may fail; otherwise it is to be right nevertheless.
   *
   * @param reading whether the library was done and Spark read what it had left on executors
   */
  boolean mayFail(boolean reading) {
    return may == May.ALWAYS || (may == May.READING && reading);
  }

  /** What an error has to say, as a regular expression without regard to case. */
  String cause() {
    return cause;
  }
}
