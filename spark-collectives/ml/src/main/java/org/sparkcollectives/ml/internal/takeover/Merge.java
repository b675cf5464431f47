package org.sparkcollectives.ml.internal.takeover;

import org.apache.spark.api.java.function.Function2;

/**
 * Combines aggregates of any class, null too, by Spark's function. Each is held as the only element
 * of an array; an empty array is none.
 *
 * @param combOp combines two aggregates, the first of which it may change and return
 */
record Merge(scala.Function2<Object, Object, Object> combOp)
    implements Function2<Object[], Object[], Object[]> {
  @Override
  public Object[] call(Object[] left, Object[] right) {
    if (left.length == 0) {
      return new Object[] {right[0]};
    }
    left[0] = combOp.apply(left[0], right[0]);
    return left;
  }
}
