package org.sparkcollectives.ml.internal.takeover;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import breeze.linalg.DenseMatrix;
import breeze.linalg.DenseVector;
import com.sun.management.ThreadMXBean;
import java.lang.management.ManagementFactory;
import java.util.ArrayList;
import java.util.List;
import org.apache.spark.mllib.linalg.Matrices;
import org.apache.spark.mllib.linalg.Vector;
import org.apache.spark.mllib.linalg.Vectors;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import scala.Option;
import scala.Some;
import scala.Tuple2;
import scala.Tuple3;

/** Structures of sums as arrays of numbers, and back. */
@Tag("cross-version")
class SummedStructureTest {
  private static final SummedStructure FORM = SummedStructure.FORM;

  private static Object breeze(double... values) {
    return Vectors.dense(values).asBreeze();
  }

  /** What becomes of aggregates that are summed as arrays. */
  private static Object sum(Object... aggregates) {
    double[] sum = null;
    for (Object aggregate : aggregates) {
      double[] numbers = FORM.numbers(aggregate);
      if (sum == null) {
        sum = numbers;
      } else {
        assertEquals(sum.length, numbers.length);
        for (int i = 0; i < sum.length; i++) {
          sum[i] += numbers[i];
        }
      }
    }
    return FORM.aggregate(sum, null);
  }

  private static double[] values(Object vector) {
    return (double[]) ((DenseVector<?>) vector).data();
  }

  @Test
  void aTripleOfGradientLossAndCount() {
    Tuple3<?, ?, ?> sum =
        (Tuple3<?, ?, ?>)
            sum(
                new Tuple3<>(breeze(1, 2, 3), 0.5, 7L),
                new Tuple3<>(breeze(10, 20, 30), 0.25, 5L),
                new Tuple3<>(breeze(0, 0, -1), 0.0, 1L));
    assertArrayEquals(new double[] {11, 22, 32}, values(sum._1()));
    assertEquals(0.75, sum._2());
    assertEquals(13L, sum._3());
  }

  @Test
  void aPairWithAVectorOfMllib() {
    Tuple2<?, ?> sum =
        (Tuple2<?, ?>)
            sum(
                new Tuple2<>(Vectors.dense(1, 2), 3.0),
                new Tuple2<>(Vectors.sparse(2, new int[] {1}, new double[] {5}), 4.0));
    assertArrayEquals(new double[] {1, 7}, ((Vector) sum._1()).toArray());
    assertEquals(7.0, sum._2());
  }

  @Test
  void matricesAndOptions() {
    Object matrix = Matrices.dense(2, 3, new double[] {1, 2, 3, 4, 5, 6}).asBreeze();
    for (Option<?> option : List.of(Option.empty(), new Some<>(breeze(8, 9)))) {
      Object one = new Tuple3<>(matrix, option, 1L);
      Tuple3<?, ?, ?> sum = (Tuple3<?, ?, ?>) sum(one, one, one, one, one);
      DenseMatrix<?> sums = (DenseMatrix<?>) sum._1();
      assertEquals(2, sums.rows());
      assertEquals(3, sums.cols());
      assertArrayEquals(new double[] {5, 10, 15, 20, 25, 30}, (double[]) sums.data());
      assertEquals(option.isDefined(), ((Option<?>) sum._2()).isDefined());
      if (option.isDefined()) {
        assertArrayEquals(new double[] {40, 45}, values(((Option<?>) sum._2()).get()));
      }
      assertEquals(5L, sum._3());
    }
  }

  @Test
  void aTransposedMatrixAndAPartOfAVector() {
    DenseMatrix<?> matrix =
        (DenseMatrix<?>) Matrices.dense(2, 2, new double[] {1, 2, 3, 4}).transpose().asBreeze();
    assertArrayEquals(new double[] {1, 3, 2, 4}, (double[]) ((DenseMatrix<?>) sum(matrix)).data());
    Object part = new DenseVector<>(new double[] {0, 1, 2, 3, 4, 5}, 1, 2, 3);
    assertArrayEquals(new double[] {1, 3, 5}, values(sum(part)));
  }

  @Test
  void anyNumberOfAggregatesKeepsTheDescription() {
    Object one = new Tuple3<>(breeze(new double[1000]), 1.0, 1L);
    for (int count : new int[] {1, 3, 7, 1000}) {
      List<Object> all = new ArrayList<>();
      for (int i = 0; i < count; i++) {
        all.add(one);
      }
      Tuple3<?, ?, ?> sum = (Tuple3<?, ?, ?>) sum(all.toArray());
      assertEquals(1000, values(sum._1()).length);
      assertEquals((long) count, sum._3());
    }
  }

  /** A column of a larger matrix, and a matrix that begins behind the first element. */
  @Test
  void partsOfMatrices() {
    double[] elements = {0, 1, 2, 3, 4, 5, 6};
    DenseMatrix<?> apart = new DenseMatrix<>(2, 2, elements, 0, 3, false);
    assertArrayEquals(new double[] {0, 1, 3, 4}, (double[]) ((DenseMatrix<?>) sum(apart)).data());
    DenseMatrix<?> behind = new DenseMatrix<>(2, 2, elements, 1, 2, false);
    assertArrayEquals(new double[] {1, 2, 3, 4}, (double[]) ((DenseMatrix<?>) sum(behind)).data());
  }

  @Test
  @Tag("plain-jvm")
  void aMatrixIsCopiedOnce() {
    double[] elements = new double[1 << 20];
    Object matrix = Matrices.dense(1 << 10, 1 << 10, elements).asBreeze();
    Object aggregate = new Tuple3<>(matrix, Option.empty(), 1L);
    FORM.numbers(new Tuple3<>(Matrices.dense(1, 1, new double[1]).asBreeze(), Option.empty(), 1L));
    ThreadMXBean threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();
    long before = threads.getCurrentThreadAllocatedBytes();
    FORM.numbers(aggregate);
    long bytes = threads.getCurrentThreadAllocatedBytes() - before;
    assertTrue(bytes < 12L * elements.length, bytes + " bytes");
  }

  @Test
  void aVectorAloneIsNotCopied() {
    SummedVector form = SummedVector.FORM;
    DenseVector<?> vector = (DenseVector<?>) breeze(1, 2, 3);
    assertSame(vector.data(), form.numbers(vector));
    double[] sum = {4, 5};
    assertSame(sum, values(form.aggregate(sum, null)));
    Object part = new DenseVector<>(new double[] {0, 1, 2, 3, 4, 5}, 1, 2, 3);
    assertArrayEquals(new double[] {1, 3, 5}, form.numbers(part));
    assertNull(form.numbers(null));
    assertThrows(IllegalArgumentException.class, () -> form.numbers(1.0));
  }

  @Test
  void whatNothingWasAddedTo() {
    assertNull(FORM.numbers(null));
    assertNull(FORM.numbers(new Tuple3<>(null, 0.0, 0L)));
    assertNull(FORM.numbers(new Tuple2<>(new Some<>(null), 1.0)));
  }

  @Test
  void whatIsNoSum() {
    assertThrows(IllegalArgumentException.class, () -> FORM.numbers(List.of(1)));
    assertThrows(IllegalArgumentException.class, () -> FORM.numbers(new Tuple2<>("x", 1.0)));
  }
}
