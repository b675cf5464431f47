package org.sparkcollectives.spark.internal.sql;

/**
 * Where values come from, for messages.
 *
 * @param column the column
 * @param partition the partition of its rows
 */
record ColumnPlace(String column, int partition) {
  @Override
  public String toString() {
    return "a value of column '" + column + "' in partition " + partition;
  }
}
