package org.sparkcollectives.ml.internal.takeover;

import java.io.Serial;
import java.nio.ByteBuffer;
import java.util.Iterator;
import java.util.List;
import org.apache.spark.SparkEnv;
import org.apache.spark.api.java.function.FlatMapFunction;
import org.apache.spark.serializer.SerializerInstance;
import org.jspecify.annotations.Nullable;
import scala.Function2;
import scala.reflect.ClassTag;
import scala.reflect.ClassTag$;

/**
 * Adds the elements of a partition to a zero, as {@code treeAggregate} does: each partition begins
 * with a copy of the zero. The aggregate is held as the only element of an array.
 */
final class Fold implements FlatMapFunction<Iterator<Object>, Object[]> {
  @Serial private static final long serialVersionUID = 1L;

  private static final ClassTag<Object> ANY = ClassTag$.MODULE$.apply(Object.class);

  /** As Spark's serializer of closures has written it. */
  private final byte[] zero;

  private final Function2<Object, Object, Object> seqOp;

  private Fold(byte[] zero, Function2<Object, Object, Object> seqOp) {
    this.zero = zero;
    this.seqOp = seqOp;
  }

  /**
   * Makes a fold, at the driver.
   *
   * @param zero the zero, which may be null
   * @param seqOp adds an element to an aggregate, which it may change and return
   * @return the fold
   */
  static Fold of(@Nullable Object zero, Function2<Object, Object, Object> seqOp) {
    ByteBuffer written = serializer().serialize(zero, ANY);
    byte[] bytes = new byte[written.remaining()];
    written.get(bytes);
    return new Fold(bytes, seqOp);
  }

  @Override
  public Iterator<Object[]> call(Iterator<Object> elements) {
    return List.<Object[]>of(new Object[] {aggregate(elements)}).iterator();
  }

  /**
   * Aggregates a partition.
   *
   * @param elements its elements
   * @return the aggregate, which shares nothing with them
   */
  @Nullable Object aggregate(Iterator<Object> elements) {
    Object sum = zero();
    while (elements.hasNext()) {
      Object element = elements.next();
      sum = seqOp.apply(sum, element);
      if (sum == element && sum != null) {
        sum = copy(serializer().serialize(sum, ANY)); // others may hold it, and it will be changed
      }
    }
    return sum;
  }

  /**
   * The aggregate of no elements.
   *
   * @return a zero of its own, as the only element
   */
  @Nullable Object[] start() {
    return new Object[] {zero()};
  }

  private Object zero() {
    return copy(ByteBuffer.wrap(zero));
  }

  private static Object copy(ByteBuffer written) {
    return serializer().deserialize(written, Thread.currentThread().getContextClassLoader(), ANY);
  }

  private static SerializerInstance serializer() {
    return SparkEnv.get().closureSerializer().newInstance();
  }
}
