package org.sparkcollectives.benchmarks.chaos;

import java.util.Map;

/** A fault that is made to happen, as tables tell it. */
public interface Case {
  /**
   * What happens.
   *
   * @return the same text for all faults of its kind
   */
  String text();

  /**
   * What tells it from others, each with the name of its column, in order.
   *
   * @return the same columns for all faults of a run
   */
  Map<String, String> particulars();
}
