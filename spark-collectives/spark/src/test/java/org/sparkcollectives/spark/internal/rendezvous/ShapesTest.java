package org.sparkcollectives.spark.internal.rendezvous;

import static java.util.Objects.requireNonNull;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.sparkcollectives.error.CollectiveException;

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

  @Test
  void theLimitIsOnWhatIsSent() {
    long most = 1L << 30;
    assertNull(Shapes.refusal("reduce", sparse(44_000_000), most));
    CollectiveException refusal = Shapes.refusal("reduce", sparse(85_000_000), most);
    assertEquals(
        "reduce cannot take the vector of partition 0: it has 4000000000 bytes, and"
            + " spark.collectives.vector.maxBytes allows 1073741824. Split the vector, or raise that"
            + " setting if executors have the memory.",
        requireNonNull(refusal).getMessage());
  }
}
