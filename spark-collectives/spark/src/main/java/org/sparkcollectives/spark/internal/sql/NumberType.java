package org.sparkcollectives.spark.internal.sql;

import org.apache.spark.sql.catalyst.InternalRow;
import org.apache.spark.sql.catalyst.util.ArrayData;
import org.apache.spark.sql.types.DataType;
import org.apache.spark.sql.types.DataTypes;
import org.jspecify.annotations.Nullable;

/** The types of Spark SQL whose values are elements of vectors. */
enum NumberType {
  /** Spark SQL's {@code double}. */
  DOUBLE(Double.class, double[].class, "Double") {
    @Override
    Object number(InternalRow row) {
      return row.getDouble(0);
    }

    @Override
    Object array(ArrayData values) {
      return values.toDoubleArray();
    }
  },

  /** Spark SQL's {@code float}. */
  FLOAT(Float.class, float[].class, "Float") {
    @Override
    Object number(InternalRow row) {
      return row.getFloat(0);
    }

    @Override
    Object array(ArrayData values) {
      return values.toFloatArray();
    }
  },

  /** Spark SQL's {@code bigint}. */
  LONG(Long.class, long[].class, "Long") {
    @Override
    Object number(InternalRow row) {
      return row.getLong(0);
    }

    @Override
    Object array(ArrayData values) {
      return values.toLongArray();
    }
  },

  /** Spark SQL's {@code int}. */
  INT(Integer.class, int[].class, "Int") {
    @Override
    Object number(InternalRow row) {
      return row.getInt(0);
    }

    @Override
    Object array(ArrayData values) {
      return values.toIntArray();
    }
  };

  private final Class<?> boxed;
  private final Class<?> array;
  private final String scalaName;

  NumberType(Class<?> boxed, Class<?> array, String scalaName) {
    this.boxed = boxed;
    this.array = array;
    this.scalaName = scalaName;
  }

  /** The constant of a type, or null where its values are no elements of vectors. */
  static @Nullable NumberType of(DataType type) {
    if (type.equals(DataTypes.DoubleType)) {
      return DOUBLE;
    } else if (type.equals(DataTypes.FloatType)) {
      return FLOAT;
    } else if (type.equals(DataTypes.LongType)) {
      return LONG;
    }
    return type.equals(DataTypes.IntegerType) ? INT : null;
  }

  /** The class of a number. */
  Class<?> boxed() {
    return boxed;
  }

  /** The class of an array of numbers. */
  Class<?> array() {
    return array;
  }

  /** What Scala calls a number. */
  String scalaName() {
    return scalaName;
  }

  /** The number that is a row's only column. */
  abstract Object number(InternalRow row);

  /** A primitive array of numbers, none of which is null; it shares nothing with them. */
  abstract Object array(ArrayData values);
}
