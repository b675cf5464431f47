package org.sparkcollectives.examples.ml;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.List;
import org.junit.jupiter.api.Test;
import scala.Tuple2;

class GradientSumsTest {
  @Test
  void aTaskComputesForAsLongAsForAllItsPartitions() {
    List<Tuple2<Long, Long>> nanos =
        List.of(new Tuple2<>(7L, 30L), new Tuple2<>(8L, 50L), new Tuple2<>(7L, 40L));
    assertEquals(70, JobSums.slowest(nanos));
    assertEquals(0, JobSums.slowest(List.of()));
  }
}
