package org.sparkcollectives.spark.internal.job;

import java.io.Serial;
import java.io.Serializable;
import java.util.Iterator;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.sparkcollectives.spark.internal.body.RankBody;
import org.sparkcollectives.spark.internal.bridge.Scala;
import org.sparkcollectives.spark.internal.conf.CollectiveConf;
import org.sparkcollectives.spark.internal.input.Calls;
import org.sparkcollectives.spark.internal.input.RankInput;
import org.sparkcollectives.spark.internal.rendezvous.Attempt;
import org.sparkcollectives.spark.internal.rendezvous.RankSession;
import scala.Tuple2;
import scala.runtime.AbstractFunction1;

/**
 * The function of a barrier task: one rank, whose failure the driver learns before Spark does. What
 * it returns is a pair of a value and the bytes of a {@link
 * org.sparkcollectives.spark.internal.rendezvous.RankReport}.
 */
final class RankTask
    extends AbstractFunction1<scala.collection.Iterator<Object>, scala.collection.Iterator<Object>>
    implements Serializable {
  @Serial private static final long serialVersionUID = 1L;

  // The attempt's components, settings as strings: the first record that a process reads, and
  // every class, takes it time.
  private final String operation;
  private final long job;
  private final int epoch;
  private final String[] conf;
  private final long results;
  private final RankBody body;

  RankTask(Attempt attempt, RankBody body) {
    this.operation = attempt.operation();
    this.job = attempt.job();
    this.epoch = attempt.epoch();
    this.conf = attempt.conf().encode();
    this.results = attempt.results();
    this.body = body;
  }

  @Override
  public scala.collection.Iterator<Object> apply(scala.collection.Iterator<Object> input) {
    CollectiveConf settings = CollectiveConf.decode(conf);
    Attempt attempt = new Attempt(operation, job, epoch, settings, results);
    RankSession session = RankSession.ofTask(attempt);
    try {
      @Nullable Object result = body.run(session, inputs(session, input));
      session.finish();
      Object told = new Tuple2<>(result, session.report().encode());
      return Scala.asScala(List.of(told).iterator());
    } catch (Throwable failure) {
      fail(session, failure);
      throw Calls.<RuntimeException>sneaky(failure);
    }
  }

  /** Tells the driver, if that can be done; what Spark is told is the failure in any case. */
  private static void fail(RankSession session, Throwable failure) {
    try {
      session.fail(failure);
    } catch (Throwable e) {
      if (e != failure) {
        failure.addSuppressed(e);
      }
    }
  }

  /** The partitions of a rank, which the session hears of when their turn comes. */
  private static Iterator<RankInput> inputs(
      RankSession session, scala.collection.Iterator<Object> input) {
    return new Iterator<>() {
      @Override
      public boolean hasNext() {
        session.computing(-1); // the next one may have to be fetched
        return input.hasNext();
      }

      @Override
      public RankInput next() {
        RankInput next = (RankInput) input.next();
        session.computing(next.partition());
        return next;
      }
    };
  }
}
