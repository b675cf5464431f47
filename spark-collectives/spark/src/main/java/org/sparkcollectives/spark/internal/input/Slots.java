package org.sparkcollectives.spark.internal.input;

import java.util.List;

/**
 * The tasks that can run at once.
 *
 * @param executors where, at least one
 * @param total how many; fewer than the executors have together where something else than their
 *     cores limits it
 */
public record Slots(List<ExecutorSlots> executors, int total) {
  /**
   * Copies the list.
   *
   * @param executors where
   * @param total how many
   */
  public Slots {
    executors = List.copyOf(executors);
  }

  /**
   * A slot of each executor.
   *
   * @return as many slots as executors
   */
  public Slots onePerExecutor() {
    return new Slots(
        executors.stream().map(each -> new ExecutorSlots(each.executor(), each.host(), 1)).toList(),
        Math.min(executors.size(), total));
  }
}
