package org.sparkcollectives.spark.internal.events;

import java.util.ArrayList;
import java.util.List;
import org.apache.spark.scheduler.SparkListenerEvent;

/**
 * A training that has ended, of which a call did the work. Its class name and field names stand in
 * event logs. Times are in milliseconds.
 */
public final class TrainingEvent extends Plain implements SparkListenerEvent {
  /** More values of an objective are thinned out to so many. */
  public static final int MOST_VALUES = 500;

  /** The number of the call that did the work, {@link CallEvent#call}; 0 where it is not known. */
  public long call;

  /** What was trained. */
  public String name = "";

  /** How many iterations there were. */
  public int iterations;

  /** How often the objective was computed; 0 where that was not counted. */
  public int evaluations;

  /**
   * How many coefficients ranks summed in each: fewer than the model has where rows have few of
   * many features; 0 where that is not known.
   */
  public int coefficients;

  /** The iteration from which the last attempt went on; 0 for the start. */
  public int resumedAt;

  /** Why it ended. */
  public String reason = "";

  /** How long it took at the driver. */
  public double millis;

  /** How long of that one rank's rows took; 0 where that was not measured. */
  public double computingMillis;

  /** How long of that the other ranks took; 0 where that was not measured. */
  public double communicatingMillis;

  /**
   * How long all iterations after {@link #resumedAt} took at rank 0, from the first state, whose
   * objective is known, to the last; 0 where that was not measured.
   */
  public double iterationsMillis;

  /** How often the objective was computed in these; 0 where that was not counted. */
  public int iterationsEvaluations;

  /** How long of these that rank's rows took; 0 where that was not measured. */
  public double iterationsComputingMillis;

  /** How long of these the other ranks took; 0 where that was not measured. */
  public double iterationsCommunicatingMillis;

  /** Values of the objective, from the start on: one for every {@link #step} iterations. */
  public List<Double> objective = new ArrayList<>();

  /** How many iterations lie between two values, the last one perhaps apart. */
  public int step = 1;

  /** Makes an event that tells nothing. */
  public TrainingEvent() {}

  /**
   * Takes the objective's values, or of very many some, the first and the last among them.
   *
   * @param values the value at the start and after each iteration
   */
  public void objective(double[] values) {
    step = Math.max(1, (values.length + MOST_VALUES - 2) / (MOST_VALUES - 1));
    objective.clear();
    for (int i = 0; i < values.length; i += step) {
      objective.add(values[i]);
    }
    if (values.length > 0 && (values.length - 1) % step != 0) {
      objective.add(values[values.length - 1]);
    }
  }
}
