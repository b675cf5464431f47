package org.sparkcollectives.benchmarks.ml;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.List;
import org.junit.jupiter.api.Test;

class TrainingsTest {
  @Test
  void othersAreComparedWithMllibWhereverItIsNamed() {
    assertEquals(
        List.of(Trainer.MLLIB, Trainer.WHOLE, Trainer.PLUGIN),
        Trainings.baseFirst(List.of(Trainer.WHOLE, Trainer.PLUGIN, Trainer.MLLIB)));
    assertEquals(
        List.of(Trainer.WHOLE, Trainer.PLUGIN),
        Trainings.baseFirst(List.of(Trainer.WHOLE, Trainer.PLUGIN)));
  }
}
