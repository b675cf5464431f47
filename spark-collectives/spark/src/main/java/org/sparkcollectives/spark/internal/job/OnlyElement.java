package org.sparkcollectives.spark.internal.job;

import java.io.Serial;
import java.io.Serializable;
import org.jspecify.annotations.Nullable;
import scala.collection.Iterator;
import scala.runtime.AbstractFunction1;

/** What a task gives the driver: the only element of its partition. */
final class OnlyElement extends AbstractFunction1<Iterator<Object>, Object>
    implements Serializable {
  @Serial private static final long serialVersionUID = 1L;

  @Override
  public @Nullable Object apply(Iterator<Object> elements) {
    return elements.next();
  }
}
