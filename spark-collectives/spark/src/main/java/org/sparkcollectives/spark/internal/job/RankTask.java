package org.sparkcollectives.spark;

import java.io.Serial;
import java.io.Serializable;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;
import scala.collection.Iterator;
import scala.jdk.javaapi.CollectionConverters;
import scala.runtime.AbstractFunction1;

/** The function of a barrier task: one rank, whose failure the driver learns before Spark does. */
final class RankTask extends AbstractFunction1<Iterator<Object>, Iterator<Object>>
    implements Serializable {
  @Serial private static final long serialVersionUID = 1L;

  private final JobSpec spec;
  private final RankBody body;

  RankTask(JobSpec spec, RankBody body) {
    this.spec = spec;
    this.body = body;
  }

  @Override
  public Iterator<Object> apply(Iterator<Object> input) {
    RankSession session = RankSession.ofTask(spec);
    try {
      @Nullable Object result = body.run(session, spec.conf(), input);
      session.finish();
      return CollectionConverters.asScala(Arrays.asList(result).iterator());
    } catch (Throwable failure) {
      session.fail(failure);
      throw Calls.<RuntimeException>sneaky(failure);
    }
  }
}
