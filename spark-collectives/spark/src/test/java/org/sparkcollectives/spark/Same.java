package org.sparkcollectives.spark;

import java.io.Serial;
import java.io.Serializable;
import scala.collection.Iterator;
import scala.runtime.AbstractFunction1;

/**
 * Leaves the elements of partitions as they are.
 *
 * @param <T> the elements' class
 */
public final class Same<T> extends AbstractFunction1<Iterator<T>, Iterator<T>>
    implements Serializable {
  @Serial private static final long serialVersionUID = 1L;

  /** A function without state. */
  public Same() {}

  @Override
  public Iterator<T> apply(Iterator<T> elements) {
    return elements;
  }
}
