package org.sparkcollectives.ml.internal.rows;

import static org.junit.jupiter.api.Assertions.assertEquals;
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
      IntStream.range(0, 7).mapToObj(i -> row(i, i % 3 == 1)).toList();

  private static Tuple2<Object, Vector> row(int number, boolean sparse) {
    return new Tuple2<>(
        (double) number,
        sparse
            ? Vectors.sparse(10, new int[] {number, 9}, new double[] {number + 1, number + 2})
            : Vectors.dense(number + 0.5, new double[] {number, -0.0, number * 2}));
  }

  @Test
  void arraysOfTheirOwnAreNotCopied() {
    List<Tuple2<Object, Vector>> held = held(ROWS.iterator());
    assertEquals(ROWS.size(), held.size());
    IntStream.range(0, held.size()).forEach(i -> assertSame(ROWS.get(i), held.get(i)));
    assertEquals(List.of(), held(List.<Tuple2<Object, Vector>>of().iterator()));
  }

  /** From the first row on, and from a later one, as where partitions are put together. */
  @Test
  void oneArrayForManyRows() {
    for (int first : new int[] {0, 1, 4, 5}) {
      for (boolean sparse : new boolean[] {false, true}) {
        List<Tuple2<Object, Vector>> rows =
            IntStream.range(0, 9).mapToObj(i -> row(i, sparse)).toList();
        assertEquals(rows, held(new Reusing(rows, first)), first + " " + sparse);
      }
    }
  }

  @Test
  void noRowAfterTheLast() {
    LastingRows rows = new LastingRows(ROWS.subList(0, 1).iterator());
    assertSame(ROWS.get(0), rows.next());
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
