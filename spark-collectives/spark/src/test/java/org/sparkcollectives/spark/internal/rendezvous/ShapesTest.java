package org.sparkcollectives.spark.internal.rendezvous;

import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** What the driver makes of shapes alone, of vectors that no test has memory for. */
class ShapesTest {
  private static final int LENGTH = 500_000_000;

  /** Four sparse vectors that keep so many elements each. */
  private static List<Shape> sparse(int held) {
    return IntStream.range(0, 4)
        .mapToObj(partition -> new Shape(partition, "double", LENGTH, 12L * held, true))
        .toList();
  }

  @Test
  void aSumThatMayBeTooLargeForAMessageIsDense() {
    assertTrue(Shapes.sparse(sparse(44_000_000)));
    assertFalse(Shapes.sparse(sparse(45_000_000)));
  }
}
