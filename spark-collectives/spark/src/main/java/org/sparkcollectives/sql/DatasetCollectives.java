package org.sparkcollectives.sql;

import org.apache.spark.api.java.JavaRDD;
import org.apache.spark.sql.Dataset;
import org.sparkcollectives.spark.CollectiveFunction;
import org.sparkcollectives.spark.JavaCollectives;
import org.sparkcollectives.spark.RddCollectives;
import org.sparkcollectives.spark.internal.sql.ColumnVectors;

/**
 * Collectives on a dataset, without a detour by the user over its RDD.
 *
 * <p>Ranks compute the dataset's physical plan themselves: it is optimized, compiled to Java code
 * by stages, and adapted while it runs, as for Spark SQL's own actions. The stages before its last
 * shuffle run as ordinary jobs; adaptive execution chooses the last stage by what they brought, and
 * the ranks run this one. What Spark SQL throws until then comes as it is. Rows are in the
 * dataset's order. As each action of Spark SQL does, each call executes the dataset anew unless it
 * is cached; calls on the same {@link #vectors} share the shuffles' outputs, as do calls of
 * collectively on the same dataset object. What ranks do is no query to Spark SQL: its listeners,
 * and those who wait for metrics of {@code Dataset.observe}, hear nothing of it.
 *
 * @param <T> the class of the dataset's rows
 */
public final class DatasetCollectives<T> {
  private final Dataset<T> dataset;

  private DatasetCollectives(Dataset<T> dataset) {
    this.dataset = dataset;
  }

  /**
   * Collectives on a dataset.
   *
   * @param dataset any dataset that is not a stream
   * @param <T> the class of its rows
   * @return the operations
   */
  public static <T> DatasetCollectives<T> of(Dataset<T> dataset) {
    return new DatasetCollectives<>(dataset);
  }

  /**
   * Collectives on the vectors of a column. Only this column is computed, and its values go from
   * Spark SQL's memory into arrays without boxes between.
   *
   * <table>
   *   <caption>What the values of a column are as elements</caption>
   *   <tr><th>type of the column</th><th>class of the elements and results</th></tr>
   *   <tr><td>double, float, bigint, int</td><td>Double, Float, Long, Integer</td></tr>
   *   <tr><td>array of these</td><td>double[], float[], long[], int[]</td></tr>
   *   <tr><td>vector of MLlib</td><td>Vector; sums of sparse ones are sparse if few elements are kept</td></tr>
   * </table>
   *
   * @param column the column's name, as {@code Dataset.select} takes it
   * @param type the class of the elements
   * @param <V> this class
   * @return the operations. They throw an {@link org.sparkcollectives.error.InvalidInputException}
   *     where a value, or a number in an array, is null
   * @throws org.sparkcollectives.error.InvalidInputException if there is no such column, or its
   *     values are no vectors, or are of another class; nothing has run then
   */
  public <V> RddCollectives<V> vectors(String column, Class<V> type) {
    return JavaCollectives.of(ColumnVectors.of(dataset, column, type));
  }

  /**
   * Runs a program on all ranks at once, that may do as many collectives as it likes; as {@link
   * RddCollectives#collectively}.
   *
   * @param program what each rank does with the rows of its partitions, end to end
   * @param <R> the class of its results
   * @return all ranks' results, one partition per rank, kept on the executors
   */
  public <R> JavaRDD<R> collectively(CollectiveFunction<T, R> program) {
    return JavaCollectives.of(dataset.javaRDD()).collectively(program);
  }
}
