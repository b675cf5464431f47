package org.sparkcollectives.spark.internal.sql;

import java.lang.invoke.MethodType;
import java.util.Iterator;
import org.apache.spark.api.java.JavaRDD;
import org.apache.spark.api.java.function.Function2;
import org.apache.spark.sql.AnalysisException;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.catalyst.InternalRow;
import org.apache.spark.sql.types.DataType;

/**
 * Makes elements of a partition's rows of one column.
 *
 * @param column the column's name
 * @param reader makes an element of a row
 * @param <V> the elements' class
 */
public record ColumnVectors<V>(String column, ValueReader reader)
    implements Function2<Integer, Iterator<InternalRow>, Iterator<V>> {

  /**
   * The values of a column as elements of an RDD. It is the output of the physical plan of this
   * column alone, in Spark SQL's own memory format: plans are optimized, compiled and adapted as
   * for {@code Dataset.rdd}, but nothing is made into rows of objects.
   *
   * @param dataset the dataset
   * @param column the column, as {@code Dataset.select} takes it
   * @param type the class of the elements: that of a number, of a primitive array, or MLlib's
   *     {@code Vector}
   * @param <V> this class
   * @return the RDD; stages before the last one have run if the plan is an adaptive one
   * @throws org.sparkcollectives.error.InvalidInputException if there is no such column, or it
   *     holds others
   */
  public static <V> JavaRDD<V> of(Dataset<?> dataset, String column, Class<V> type) {
    Dataset<Row> selected = select(dataset, column);
    DataType held = selected.schema().fields()[0].dataType();
    ValueReader reader = ValueReader.of(held);
    if (reader == null) {
      throw ColumnErrors.notVectors(column, held, dataset.schema());
    }
    Class<?> asked = MethodType.methodType(type).wrap().returnType();
    if (!asked.isAssignableFrom(reader.type())) {
      throw ColumnErrors.otherClass(column, held.catalogString(), asked, reader);
    }
    return selected
        .queryExecution()
        .toRdd()
        .toJavaRDD()
        .mapPartitionsWithIndex(new ColumnVectors<>(column, reader), false);
  }

  @Override
  public Iterator<V> call(Integer partition, Iterator<InternalRow> rows) {
    ColumnPlace where = new ColumnPlace(column, partition);
    return new Iterator<>() {
      @Override
      public boolean hasNext() {
        return rows.hasNext();
      }

      @Override
      @SuppressWarnings("unchecked") // the reader's class is V's
      public V next() {
        InternalRow row = rows.next();
        if (row.isNullAt(0)) {
          throw ColumnErrors.nullValue(where, reader);
        }
        return (V) reader.read(row, where);
      }
    };
  }

  private static Dataset<Row> select(Dataset<?> dataset, String column) {
    Dataset<Row> selected;
    try {
      selected = dataset.select(column);
    } catch (Exception e) {
      if (e instanceof AnalysisException) { // checked, and not declared
        throw ColumnErrors.notOneColumn(column, dataset.schema(), e);
      }
      throw e;
    }
    if (selected.schema().length() != 1) {
      throw ColumnErrors.notOneColumn(column, dataset.schema(), null);
    }
    return selected;
  }
}
