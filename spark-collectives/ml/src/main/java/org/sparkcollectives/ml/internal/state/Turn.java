package org.sparkcollectives.ml.internal.state;

import java.util.concurrent.atomic.AtomicInteger;
import org.apache.spark.SparkContext;
import org.jspecify.annotations.Nullable;

/**
 * The place of a call among the trainings of an application. It has one number, whoever computes
 * it: else the trainings after one that was lost would look for their states in the folders of
 * others when all of them run again.
 */
public final class Turn {
  private static final ThreadLocal<@Nullable Turn> CURRENT = new ThreadLocal<>();

  /** The number; 0 before there is one. */
  private int number;

  /** Makes one without a number. */
  public Turn() {}

  /** Begins it: the next training of this thread, until {@link #leave}, has its number. */
  public void enter() {
    CURRENT.set(this);
  }

  /** Goes on without a turn: each training of this thread has a number of its own. */
  public static void leave() {
    CURRENT.remove();
  }

  /**
   * Takes a number, unless it has one, for a training that keeps no states.
   *
   * @param context the application
   * @param kind the kind of the training
   */
  public void pass(SparkContext context, String kind) {
    if (number == 0) {
      enter();
      try {
        Checkpoints.pass(context, kind);
      } finally {
        leave();
      }
    }
  }

  /**
   * The name of the folder of this thread's next training.
   *
   * @param kind the kind of the training
   * @param count how many there were
   * @return the kind with a number; where that has been begun in this turn, another name with it
   */
  static String folder(String kind, AtomicInteger count) {
    Turn current = CURRENT.get();
    Turn turn = current == null ? new Turn() : current;
    boolean again = turn.number > 0;
    if (!again) {
      turn.number = count.incrementAndGet();
    }
    return kind + "-" + turn.number + (again ? "-loop" : "");
  }
}
