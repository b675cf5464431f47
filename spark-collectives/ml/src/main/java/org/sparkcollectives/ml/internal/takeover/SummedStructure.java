package org.sparkcollectives.ml.internal.takeover;

import breeze.linalg.DenseMatrix;
import breeze.linalg.DenseVector;
import java.util.ArrayList;
import java.util.List;
import org.apache.spark.mllib.linalg.Matrices;
import org.apache.spark.mllib.linalg.Vector;
import org.apache.spark.mllib.linalg.Vectors;
import org.jspecify.annotations.Nullable;
import scala.Option;
import scala.Product;
import scala.Some;
import scala.Tuple2;
import scala.Tuple3;

/**
 * Vectors, matrices and numbers, in pairs, triples and options: first their numbers, then a
 * description of the structure, its length, and 1. The description is the same in all that are
 * summed, so that its sum, divided by the sum of these ones, is the description itself.
 */
enum SummedStructure implements Summed {
  /** The only one. */
  FORM;

  private static final int VECTOR = 1;
  private static final int MATRIX = 2;
  private static final int MLLIB_VECTOR = 3;
  private static final int DOUBLE = 4;
  private static final int LONG = 5;
  private static final int NONE = 6;
  private static final int SOME = 7;
  private static final int PAIR = 8;
  private static final int TRIPLE = 9;

  /** {@inheritDoc} A vector or a matrix that is null says that no element was added. */
  @Override
  public double @Nullable [] numbers(@Nullable Object aggregate) {
    Writer writer = new Writer();
    return writer.write(aggregate) ? writer.all() : null;
  }

  @Override
  public Object aggregate(double[] numbers, @Nullable Object zero) {
    return new Reader(numbers).next();
  }

  /** Takes a structure apart. */
  private static final class Writer {
    private final List<double[]> numbers = new ArrayList<>();
    private final List<Integer> description = new ArrayList<>();

    /** Takes a value; false where a part is null. */
    boolean write(@Nullable Object value) {
      if (value instanceof DenseVector<?> vector) {
        add(SummedVector.array(vector), VECTOR, vector.length());
      } else if (value instanceof DenseMatrix<?> matrix) {
        add(array(matrix), MATRIX, matrix.rows(), matrix.cols());
      } else if (value instanceof Vector vector) {
        add(vector.toArray(), MLLIB_VECTOR, vector.size());
      } else if (value instanceof Double number) {
        add(new double[] {number}, DOUBLE);
      } else if (value instanceof Long number) {
        add(new double[] {number}, LONG);
      } else if (value instanceof Option<?> option && option.isEmpty()) {
        description.add(NONE);
      } else if (value instanceof Some<?> || value instanceof Tuple2 || value instanceof Tuple3) {
        Product parts = (Product) value;
        description.add(List.of(SOME, PAIR, TRIPLE).get(parts.productArity() - 1));
        boolean complete = true;
        for (int i = 0; i < parts.productArity(); i++) {
          complete &= write(parts.productElement(i));
        }
        return complete;
      } else if (value == null) {
        return false;
      } else {
        throw new IllegalArgumentException("not a structure of sums: " + value.getClass());
      }
      return true;
    }

    private void add(double[] values, Integer... described) {
      numbers.add(values);
      description.addAll(List.of(described));
    }

    double[] all() {
      int length = numbers.stream().mapToInt(each -> each.length).sum();
      double[] all = new double[length + description.size() + 2];
      int next = 0;
      for (double[] each : numbers) {
        System.arraycopy(each, 0, all, next, each.length);
        next += each.length;
      }
      for (int each : description) {
        all[next++] = each;
      }
      all[next] = description.size();
      all[next + 1] = 1;
      return all;
    }

    /** A matrix's elements, column by column: its own array where that has no more than these. */
    private static double[] array(DenseMatrix<?> matrix) {
      double[] data = (double[]) matrix.data();
      boolean whole =
          !matrix.isTranspose()
              && matrix.offset() == 0
              && matrix.majorStride() == matrix.rows()
              && data.length == matrix.size();
      return whole ? data : SummedVector.array(matrix.toDenseVector());
    }
  }

  /** Puts a structure together. */
  private static final class Reader {
    private final double[] all;
    private final double count;
    private int number;
    private int described;

    Reader(double[] all) {
      this.all = all;
      this.count = all[all.length - 1];
      this.described = all.length - 2 - (int) Math.round(all[all.length - 2] / count);
    }

    Object next() {
      int kind = describedNext();
      return switch (kind) {
        case VECTOR -> Vectors.dense(values(describedNext())).asBreeze();
        case MATRIX -> {
          int rows = describedNext();
          int columns = describedNext();
          yield Matrices.dense(rows, columns, values(rows * columns)).asBreeze();
        }
        case MLLIB_VECTOR -> Vectors.dense(values(describedNext()));
        case DOUBLE -> values(1)[0];
        case LONG -> Math.round(values(1)[0]);
        case NONE -> Option.empty();
        case SOME -> new Some<>(next());
        case PAIR -> new Tuple2<>(next(), next());
        case TRIPLE -> new Tuple3<>(next(), next(), next());
        default -> throw new IllegalStateException("unknown kind " + kind);
      };
    }

    private int describedNext() {
      return (int) Math.round(all[described++] / count);
    }

    private double[] values(int length) {
      double[] values = new double[length];
      System.arraycopy(all, number, values, 0, length);
      number += length;
      return values;
    }
  }
}
