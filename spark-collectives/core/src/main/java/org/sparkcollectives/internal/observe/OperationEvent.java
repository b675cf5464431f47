package org.sparkcollectives.internal.observe;

import jdk.jfr.Category;
import jdk.jfr.DataAmount;
import jdk.jfr.Description;
import jdk.jfr.Event;
import jdk.jfr.Label;
import jdk.jfr.Name;
import jdk.jfr.StackTrace;
import org.jspecify.annotations.Nullable;
import org.sparkcollectives.schedule.Problem;

/**
 * An operation of a rank, for Flight Recorder; {@link FlightRecording} begins it. A JVM without
 * Flight Recorder cannot load this class.
 */
@Name("org.sparkcollectives.Operation")
@Label("Collective Operation")
@Description("A collective operation as one rank has run it")
@Category("Spark Collectives")
@StackTrace(false)
public final class OperationEvent extends Event {
  @Label("Collective")
  @Nullable String collective;

  @Label("Algorithm")
  @Nullable String algorithm;

  @Label("Rank")
  int rank;

  @Label("Ranks")
  int ranks;

  @Label("Blocks")
  int blocks;

  @Label("Vector Size")
  @DataAmount
  long bytes;

  @Label("Sent")
  @Description("Payload sent to other ranks")
  @DataAmount
  long sent;

  @Label("Succeeded")
  boolean succeeded;

  OperationEvent() {}

  /**
   * Fills the event and hands it over, if it is recorded.
   *
   * @param problem what was done
   * @param by the algorithm's slug
   * @param ofRank the rank
   * @param vectorBytes the bytes of the vector
   * @param sentBytes payload bytes sent to other ranks
   * @param well whether it ended well
   */
  public void done(
      Problem problem, String by, int ofRank, long vectorBytes, long sentBytes, boolean well) {
    if (shouldCommit()) {
      collective = problem.collective().slug();
      algorithm = by;
      rank = ofRank;
      ranks = problem.size();
      blocks = problem.blocks();
      bytes = vectorBytes;
      sent = sentBytes;
      succeeded = well;
      commit();
    }
  }
}
