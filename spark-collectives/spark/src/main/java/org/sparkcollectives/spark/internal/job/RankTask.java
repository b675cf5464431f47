package org.sparkcollectives.spark.internal.job;

import java.io.Serial;
import java.io.Serializable;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;
import org.sparkcollectives.spark.internal.body.RankBody;
import org.sparkcollectives.spark.internal.input.Calls;
import org.sparkcollectives.spark.internal.input.RankInput;
import org.sparkcollectives.spark.internal.rendezvous.Attempt;
import org.sparkcollectives.spark.internal.rendezvous.RankSession;
import scala.collection.Iterator;
import scala.jdk.javaapi.CollectionConverters;
import scala.runtime.AbstractFunction1;

/** The function of a barrier task: one rank, whose failure the driver learns before Spark does. */
final class RankTask extends AbstractFunction1<Iterator<Object>, Iterator<Object>>
    implements Serializable {
  @Serial private static final long serialVersionUID = 1L;

  private final Attempt attempt;
  private final RankBody body;

  RankTask(Attempt attempt, RankBody body) {
    this.attempt = attempt;
    this.body = body;
  }

  @Override
  public Iterator<Object> apply(Iterator<Object> input) {
    RankSession session = RankSession.ofTask(attempt);
    try {
      @SuppressWarnings({"unchecked", "rawtypes"}) // of a RankRdd
      java.util.Iterator<RankInput> own = (java.util.Iterator) CollectionConverters.asJava(input);
      @Nullable Object result = body.run(session, own);
      session.finish();
      return CollectionConverters.asScala(Arrays.asList(result).iterator());
    } catch (Throwable failure) {
      session.fail(failure);
      throw Calls.<RuntimeException>sneaky(failure);
    }
  }
}
