package org.sparkcollectives.ml.internal.state;

import breeze.linalg.DenseVector;
import breeze.optimize.FirstOrderMinimizer.State;
import java.lang.ref.SoftReference;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/**
 * The newest state of each training whose ranks have run in this JVM. It outlives an attempt that
 * another executor ends, so that the next one goes on from here. States are kept by reference,
 * which costs nothing while a training runs; those of one that failed for good go when memory is
 * short.
 */
public final class KeptStates {
  private static final Map<String, SoftReference<Newest>> NEWEST = new ConcurrentHashMap<>();

  /**
   * A state and the objective's history up to it.
   *
   * @param state as the optimiser has it
   * @param objective a value for each state up to it
   */
  @SuppressWarnings("ArrayRecordComponent") // never compared
  public record Newest(State<DenseVector<Object>, Object, Object> state, double[] objective) {}

  private KeptStates() {}

  /**
   * Keeps a state in place of the one before.
   *
   * @param training whose state
   * @param newest the state
   */
  public static void keep(String training, Newest newest) {
    NEWEST.put(training, new SoftReference<>(newest));
  }

  /**
   * The newest state of a training.
   *
   * @param training whose state
   * @return the state; null where none was kept or memory was short
   */
  public static @Nullable Newest newest(String training) {
    SoftReference<Newest> reference = NEWEST.get(training);
    return reference == null ? null : reference.get();
  }

  /**
   * Forgets a training that is done, and those whose states have gone.
   *
   * @param training the one that is done: how the names begin under which it kept its states
   */
  public static void forget(String training) {
    NEWEST.keySet().removeIf(name -> name.startsWith(training));
    NEWEST.values().removeIf(reference -> reference.get() == null);
  }
}
