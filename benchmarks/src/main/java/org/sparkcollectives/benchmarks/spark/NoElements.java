package org.sparkcollectives.benchmarks.spark;

import java.io.Serial;
import java.io.Serializable;
import java.util.Collections;
import scala.collection.Iterator;
import scala.jdk.javaapi.CollectionConverters;
import scala.runtime.AbstractFunction1;

/** Reads no element of a partition and makes none. */
final class NoElements<T> extends AbstractFunction1<Iterator<T>, Iterator<T>>
    implements Serializable {
  @Serial private static final long serialVersionUID = 1L;

  @Override
  public Iterator<T> apply(Iterator<T> elements) {
    return CollectionConverters.asScala(Collections.<T>emptyIterator());
  }
}
