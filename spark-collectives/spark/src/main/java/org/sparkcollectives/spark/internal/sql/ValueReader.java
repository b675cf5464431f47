package org.sparkcollectives.spark.internal.sql;

import java.io.Serializable;
import java.util.Set;
import org.apache.spark.sql.catalyst.InternalRow;
import org.apache.spark.sql.catalyst.util.ArrayData;
import org.apache.spark.sql.types.ArrayType;
import org.apache.spark.sql.types.DataType;
import org.apache.spark.sql.types.StructType;
import org.apache.spark.sql.types.UserDefinedType;
import org.jspecify.annotations.Nullable;

/**
 * Makes elements of the values of a column, which is the only one of the rows. An element shares
 * nothing with the row, for Spark SQL writes all rows of a partition into the same memory.
 */
sealed interface ValueReader extends Serializable {
  /** MLlib's vectors by name: it need not be on the class path. */
  Set<String> VECTORS =
      Set.of("org.apache.spark.ml.linalg.Vector", "org.apache.spark.mllib.linalg.Vector");

  /** The reader of a type, or null where its values are no vectors. */
  static @Nullable ValueReader of(DataType type) {
    if (type instanceof ArrayType array) {
      NumberType number = NumberType.of(array.elementType());
      return number == null ? null : new OfArrays(number, array.containsNull());
    } else if (type instanceof UserDefinedType<?> own) {
      Class<?> values = own.userClass(); // null where only Python knows them
      return values != null
              && VECTORS.contains(values.getName())
              && own.sqlType() instanceof StructType form
          ? new OfVectors(own, form.length())
          : null;
    }
    NumberType number = NumberType.of(type);
    return number == null ? null : new OfNumbers(number);
  }

  /** The class of the elements. */
  Class<?> type();

  /** What Scala calls this class. */
  String scalaName();

  /**
   * Reads a row.
   *
   * @param row its value is not null
   * @param where the column, for messages
   * @return the element
   */
  Object read(InternalRow row, ColumnPlace where);

  /** Numbers, boxed. */
  record OfNumbers(NumberType number) implements ValueReader {
    @Override
    public Class<?> type() {
      return number.boxed();
    }

    @Override
    public String scalaName() {
      return number.scalaName();
    }

    @Override
    public Object read(InternalRow row, ColumnPlace where) {
      return number.number(row);
    }
  }

  /** Arrays of numbers, some of which may be null as far as Spark SQL knows, or not. */
  record OfArrays(NumberType number, boolean nullable) implements ValueReader {
    @Override
    public Class<?> type() {
      return number.array();
    }

    @Override
    public String scalaName() {
      return "Array[" + number.scalaName() + "]";
    }

    @Override
    public Object read(InternalRow row, ColumnPlace where) {
      ArrayData values = row.getArray(0);
      if (nullable) {
        int length = values.numElements();
        for (int i = 0; i < length; i++) {
          if (values.isNullAt(i)) {
            throw ColumnErrors.nullNumber(where, i, length);
          }
        }
      }
      return number.array(values);
    }
  }

  /** Vectors of MLlib, which reads its own. */
  record OfVectors(UserDefinedType<?> form, int fields) implements ValueReader {
    @Override
    public Class<?> type() {
      return form.userClass();
    }

    @Override
    public String scalaName() {
      return form.userClass().getSimpleName();
    }

    @Override
    public Object read(InternalRow row, ColumnPlace where) {
      return form.deserialize(row.getStruct(0, fields));
    }
  }
}
