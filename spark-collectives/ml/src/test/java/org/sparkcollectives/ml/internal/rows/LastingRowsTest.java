package org.sparkcollectives.ml.internal.rows;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotSame;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.NoSuchElementException;
import java.util.stream.IntStream;
import org.apache.spark.mllib.linalg.DenseVector;
import org.apache.spark.mllib.linalg.SparseVector;
import org.apache.spark.mllib.linalg.Vector;
import org.apache.spark.mllib.linalg.Vectors;
import org.junit.jupiter.api.Test;
import scala.Tuple2;

/** Rows that are held are those that were read. */
class LastingRowsTest {
  /** Each with numbers and a length of its own. */
  private static final List<Tuple2<Object, Vector>> ROWS =
      IntStream.range(0, 40).mapToObj(i -> row(i, i % 3 == 1)).toList();

  private static Tuple2<Object, Vector> row(int number, boolean sparse) {
    return new Tuple2<>(
        (double) number,
        sparse
            ? Vectors.sparse(99, new int[] {number, 98}, new double[] {number + 1, number + 2})
            : Vectors.dense(number + 0.5, new double[] {number, -0.0, number * 2}));
  }

  /** But for the first: the next partition may use their arrays again. */
  @Test
  void arraysOfTheirOwnAreNotCopied() {
    List<Tuple2<Object, Vector>> held = held(ROWS.iterator());
    assertEquals(ROWS, held);
    for (int i = 0; i < held.size(); i++) {
      if (i < LastingRows.FIRST) {
        assertNotSame(ROWS.get(i)._2(), held.get(i)._2(), "row " + i);
      } else {
        assertSame(ROWS.get(i), held.get(i), "row " + i);
      }
    }
    assertEquals(List.of(), held(List.<Tuple2<Object, Vector>>of().iterator()));
  }

  /** From the first row on, and from a later one, as where partitions are put together. */
  @Test
  void oneArrayForManyRows() {
    for (int first : new int[] {0, 1, 4, 30, 37}) {
      for (boolean sparse : new boolean[] {false, true}) {
        List<Tuple2<Object, Vector>> rows =
            IntStream.range(0, 39).mapToObj(i -> row(i, sparse)).toList();
        assertEquals(rows, held(new Reusing(rows, first)), first + " " + sparse);
      }
    }
  }

  /** One array for the rows of all partitions of a rank, or one that comes now and then. */
  @Test
  void oneArrayForRowsThatAreNoNeighbours() {
    double[] array = new double[2];
    List<Tuple2<Object, Vector>> held = new ArrayList<>();
    for (int partition = 0; partition < 3; partition++) {
      int number = partition;
      Iterator<Tuple2<Object, Vector>> rows =
          IntStream.range(0, 1 + 30 * partition).mapToObj(i -> now(array, number, i)).iterator();
      held.addAll(held(rows));
    }
    assertEquals(1 + 31 + 61, held.size());
    for (int i = 0; i < held.size(); i++) {
      int partition = i < 1 ? 0 : i < 32 ? 1 : 2;
      int number = i - List.of(0, 1, 32).get(partition);
      Vector expected = number % 3 == 1 ? Vectors.zeros(5) : Vectors.dense(partition, number);
      assertEquals(expected, held.get(i)._2(), "row " + i);
    }
  }

  /** A row in an array that others are written into, but for some. */
  private static Tuple2<Object, Vector> now(double[] array, int partition, int number) {
    if (number % 3 == 1) {
      return new Tuple2<>(1.0, Vectors.zeros(5));
    }
    array[0] = partition;
    array[1] = number;
    return new Tuple2<>(0.0, Vectors.dense(array));
  }

  @Test
  void noRowAfterTheLast() {
    LastingRows rows = new LastingRows(ROWS.subList(0, 1).iterator());
    assertEquals(ROWS.get(0), rows.next());
    assertThrows(NoSuchElementException.class, rows::next);
  }

  private static List<Tuple2<Object, Vector>> held(Iterator<Tuple2<Object, Vector>> source) {
    List<Tuple2<Object, Vector>> held = new ArrayList<>();
    new LastingRows(source).forEachRemaining(held::add);
    return held;
  }

  /** Hands out rows of one kind, from some row on all in the same arrays. */
  private static final class Reusing implements Iterator<Tuple2<Object, Vector>> {
    private final List<Tuple2<Object, Vector>> rows;
    private final int first;
    private final int[] indices = new int[2];
    private final double[] values;
    private int next;

    Reusing(List<Tuple2<Object, Vector>> rows, int first) {
      this.rows = rows;
      this.first = first;
      this.values = new double[values(rows.get(0)._2()).length];
    }

    @Override
    public boolean hasNext() {
      return next < rows.size();
    }

    @Override
    public Tuple2<Object, Vector> next() {
      Tuple2<Object, Vector> row = rows.get(next);
      return next++ < first ? row : new Tuple2<>(row._1(), moved(row._2()));
    }

    private Vector moved(Vector features) {
      System.arraycopy(values(features), 0, values, 0, values.length);
      if (features instanceof SparseVector sparse) {
        System.arraycopy(sparse.indices(), 0, indices, 0, indices.length);
        return new SparseVector(features.size(), indices, values);
      }
      return new DenseVector(values);
    }

    private static double[] values(Vector features) {
      return features instanceof SparseVector sparse ? sparse.values() : features.toArray();
    }
  }
}
