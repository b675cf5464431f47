package org.sparkcollectives.ml.internal.state;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

/** Numbers of trainings. */
class TurnTest {
  private final AtomicInteger count = new AtomicInteger();

  private String folder() {
    return Turn.folder("training", count);
  }

  private String folder(Turn turn) {
    turn.enter();
    try {
      return folder();
    } finally {
      Turn.leave();
    }
  }

  @Test
  void aTurnHasOneNumber() {
    Turn first = new Turn();
    assertEquals("training-1", folder(first));
    assertEquals("training-1-loop", folder(first));
    assertEquals("training-2", folder(new Turn()));
  }

  @Test
  void withoutATurnEachTrainingHasANumber() {
    assertEquals("training-1", folder());
    assertEquals("training-2", folder());
  }
}
