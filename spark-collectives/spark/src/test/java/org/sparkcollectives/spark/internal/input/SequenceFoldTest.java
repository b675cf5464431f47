package org.sparkcollectives.spark.internal.input;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNotSame;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.Arrays;
import java.util.List;
import org.apache.spark.api.java.function.Function2;
import org.junit.jupiter.api.Test;
import org.sparkcollectives.error.AbortedException;
import org.sparkcollectives.error.InvalidInputException;
import org.sparkcollectives.vector.ReduceOp;

/** Aggregates are combined without a change to the elements that they were made of. */
class SequenceFoldTest {

  /** An element with a vector, as a cached row has one. */
  private static final class Row {
    private final double[] vector;

    Row(double... vector) {
      this.vector = vector;
    }
  }

  private static Object folded(
      Function2<double[], Row, double[]> add, List<Row> first, List<Row> second) {
    SequenceFold<Row, double[]> fold = new SequenceFold<>(() -> new double[2], add, ReduceOp.SUM);
    Object sum = fold.fold(null, 0, first.iterator());
    sum = fold.fold(sum, 1, second.iterator());
    assertNotNull(sum);
    Object operand = fold.folded(sum, 0);
    return fold.combine(operand, new double[] {100, 100}, 2);
  }

  private static double[] plus(double[] sum, double[] vector) {
    return new double[] {sum[0] + vector[0], sum[1] + vector[1]};
  }

  @Test
  void aVectorWithinAnElementIsNotCombinedInPlace() {
    Function2<double[], Row, double[]> add =
        (sum, row) -> Arrays.equals(sum, new double[2]) ? row.vector : plus(sum, row.vector);
    Row only = new Row(1, 2);
    Object sum = folded(add, List.of(only), List.of());
    assertArrayEquals(new double[] {101, 102}, (double[]) sum);
    assertArrayEquals(new double[] {1, 2}, only.vector);
    Row next = new Row(3, 4);
    sum = folded(add, List.of(only), List.of(next));
    assertArrayEquals(new double[] {104, 106}, (double[]) sum);
    assertArrayEquals(new double[] {1, 2}, only.vector);
    assertArrayEquals(new double[] {3, 4}, next.vector);
  }

  @Test
  void theLastElementsVectorIsNotCombinedInPlaceAlthoughTheZeroWasAddedTo() {
    Row first = new Row(1, 2);
    Row last = new Row(3, 4);
    Function2<double[], Row, double[]> add = (sum, row) -> row == last ? row.vector : sum;
    assertArrayEquals(
        new double[] {103, 104}, (double[]) folded(add, List.of(first), List.of(last)));
    assertArrayEquals(new double[] {3, 4}, last.vector);
  }

  @Test
  void aZeroThatIsAddedToInPlaceIsNotCopied() {
    double[] zero = new double[2];
    SequenceFold<Row, double[]> fold =
        new SequenceFold<>(
            () -> zero,
            (sum, row) -> {
              sum[0] += row.vector[0];
              return sum;
            },
            ReduceOp.SUM);
    Object sum = fold.fold(null, 0, List.of(new Row(1)).iterator());
    sum = fold.fold(sum, 1, List.of(new Row(2)).iterator());
    assertNotNull(sum);
    assertSame(zero, fold.folded(sum, 0));
    assertEquals(3, zero[0]);
    assertSame(zero, fold.ofNone(0));
  }

  @Test
  void anElementThatIsTheAggregateIsCopiedOnce() {
    double[] element = {1, 2};
    SequenceFold<double[], double[]> fold =
        new SequenceFold<>(() -> new double[2], (sum, next) -> next, ReduceOp.SUM);
    Object sum = fold.fold(null, 0, List.of(element).iterator());
    assertNotNull(sum);
    assertNotSame(element, sum);
    assertSame(sum, fold.folded(sum, 0));
  }

  @Test
  void aZeroThatCannotBeMadeIsTold() {
    for (Throwable thrown : List.of(new AssertionError("no"), new Exception("checked"))) {
      ReduceOp.SerializableSupplier<double[]> zero =
          () -> {
            throw Calls.<RuntimeException>sneaky(thrown);
          };
      InvalidInputException e =
          assertThrows(
              InvalidInputException.class, () -> SequenceFold.checkZero(zero, ReduceOp.SUM));
      assertSame(thrown, e.getCause());
      assertEquals(
          "the zero of an aggregate cannot be made: its function has thrown "
              + thrown
              + ". See the cause; the function is called at the driver, too.",
          e.getMessage());
    }
  }

  @Test
  void aZeroThatIsInterruptedEndsTheCallSo() {
    InterruptedException asked = new InterruptedException("asked to");
    ReduceOp.SerializableSupplier<double[]> zero =
        () -> {
          throw Calls.<RuntimeException>sneaky(asked);
        };
    AbortedException e =
        assertThrows(AbortedException.class, () -> SequenceFold.checkZero(zero, ReduceOp.SUM));
    assertSame(asked, e.getCause());
    assertTrue(Thread.interrupted());
  }
}
