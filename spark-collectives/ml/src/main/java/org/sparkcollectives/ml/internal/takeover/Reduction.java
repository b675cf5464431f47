package org.sparkcollectives.ml.internal.takeover;

import java.io.IOException;
import java.util.Collections;
import java.util.Iterator;
import java.util.List;
import org.apache.spark.api.java.function.FlatMapFunction;
import org.jspecify.annotations.Nullable;
import scala.Function2;

/**
 * Reduces the elements of a partition to one, from left to right as Spark does it, as the only
 * element of an array; those of an empty partition to nothing.
 *
 * @param operator reduces two elements to one, which may be the first of them, changed
 */
record Reduction(Function2<Object, Object, Object> operator)
    implements FlatMapFunction<Iterator<Object>, Object[]> {

  /**
   * {@inheritDoc} The first element is a copy, since a call that fails is repeated on elements that
   * are cached; and so is the result, which may be or hold another element.
   */
  @Override
  public Iterator<Object[]> call(Iterator<Object> elements) throws IOException {
    if (!elements.hasNext()) {
      return Collections.emptyIterator();
    }
    @Nullable Object reduced = Copies.of(elements.next());
    boolean more = elements.hasNext();
    while (elements.hasNext()) {
      reduced = operator.apply(reduced, elements.next());
    }
    @Nullable Object own = more ? Copies.of(reduced) : reduced;
    return List.<Object[]>of(new Object[] {own}).iterator();
  }
}
