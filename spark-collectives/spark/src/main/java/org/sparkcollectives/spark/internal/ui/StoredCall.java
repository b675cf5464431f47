package org.sparkcollectives.spark.internal.ui;

import org.apache.spark.util.kvstore.KVIndex;
import org.sparkcollectives.spark.internal.events.CallEvent;

/**
 * A call as Spark's store of the UI keeps it: in memory, or as JSON on the History Server's disk.
 */
public final class StoredCall {
  /** Calls in the order in which they ended. */
  static final String ENDED = "ended";

  /** The call's number, {@link CallEvent#call}. */
  @KVIndex public long call;

  /** Which of all calls it was to end: more than those that ended before it. */
  @KVIndex(ENDED)
  public long ended;

  /** The call. */
  public CallEvent event = new CallEvent();

  /** Makes a call that tells nothing; for the store. */
  public StoredCall() {}

  StoredCall(CallEvent event, long ended) {
    this.ended = ended;
    this.call = event.call;
    this.event = event;
  }
}
