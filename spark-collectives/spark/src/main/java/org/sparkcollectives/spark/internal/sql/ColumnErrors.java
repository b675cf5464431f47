package org.sparkcollectives.spark.internal.sql;

import java.util.Arrays;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.apache.spark.sql.catalyst.expressions.Cast;
import org.apache.spark.sql.types.DataType;
import org.apache.spark.sql.types.DataTypes;
import org.apache.spark.sql.types.StructType;
import org.apache.spark.sql.types.UserDefinedType;
import org.jspecify.annotations.Nullable;
import org.sparkcollectives.error.InvalidInputException;

/** The messages about columns. */
final class ColumnErrors {
  private static final int NAMED = 20;

  private ColumnErrors() {}

  /**
   * A name that is not that of one column.
   *
   * @param column the name
   * @param schema the columns that there are
   * @param original what Spark SQL says, or null where it knows several
   * @return the exception
   */
  static InvalidInputException notOneColumn(
      String column, StructType schema, @Nullable Throwable original) {
    return InvalidInputException.of(
        "the name '" + column + "' is not that of one column",
        "the columns are " + columns(schema),
        "give the name of a column as Dataset.select takes it",
        original);
  }

  /**
   * A column whose values are no vectors.
   *
   * @param column its name
   * @param type its type
   * @param schema the columns that there are
   * @return the exception
   */
  static InvalidInputException notVectors(String column, DataType type, StructType schema) {
    return InvalidInputException.of(
        "the values of column '" + column + "' are no vectors",
        "they are of "
            + (type instanceof UserDefinedType ? "a user's type, kept as " : "type ")
            + type.catalogString()
            + ", and vectors are double, float, bigint, int, an array of these, or an MLlib Vector;"
            + " the columns are "
            + columns(schema),
        "choose another column" + cast(column, type));
  }

  /** How a column becomes one of vectors, or nothing where Spark SQL cannot cast it. */
  private static String cast(String column, DataType type) {
    return Stream.of(DataTypes.DoubleType, DataTypes.createArrayType(DataTypes.DoubleType))
        .filter(vectors -> Cast.canAnsiCast(type, vectors))
        .findFirst()
        .map(DataType::catalogString)
        .map(to -> ", or cast this one (col(\"" + column + "\").cast(\"" + to + "\"))")
        .orElse("");
  }

  /**
   * A column whose values are of another class than that asked for.
   *
   * @param column its name
   * @param type what Spark SQL calls its type
   * @param asked the class asked for
   * @param reader what its values become
   * @return the exception
   */
  static InvalidInputException otherClass(
      String column, String type, Class<?> asked, ValueReader reader) {
    String is = reader.type().getTypeName();
    String simple = reader.type().getSimpleName();
    return InvalidInputException.of(
        "the values of column '" + column + "' are no " + asked.getTypeName(),
        "its type " + type + " gives elements of " + is,
        "ask for these: vectors["
            + reader.scalaName()
            + "](\""
            + column
            + "\"), in Java vectors(\""
            + column
            + "\", "
            + simple
            + ".class)");
  }

  /**
   * A value that is null.
   *
   * @param where where it is
   * @param reader what the column's values become; Spark SQL fills only columns of numbers
   * @return the exception
   */
  static InvalidInputException nullValue(ColumnPlace where, ValueReader reader) {
    return InvalidInputException.of(
        where + " is null",
        "it cannot be combined with other vectors",
        reader instanceof ValueReader.OfNumbers
            ? "drop such rows (df.na.drop) or fill them (df.na.fill) first"
            : "drop such rows (df.na.drop) first");
  }

  /**
   * A null within an array.
   *
   * @param where where the array is
   * @param index the index of the null
   * @param length the length of the array
   * @return the exception
   */
  static InvalidInputException nullNumber(ColumnPlace where, int index, int length) {
    return InvalidInputException.of(
        where + " has a null at index " + index + " of " + length,
        "it cannot be combined with numbers",
        "replace nulls first, as transform(column, x -> coalesce(x, 0)) does");
  }

  private static String columns(StructType schema) {
    if (schema.isEmpty()) {
      return "none";
    }
    String named =
        Arrays.stream(schema.fields())
            .limit(NAMED)
            .map(field -> field.name() + " (" + field.dataType().catalogString() + ")")
            .collect(Collectors.joining(", "));
    int more = schema.length() - NAMED;
    return more > 0 ? named + " and " + more + " more" : named;
  }
}
