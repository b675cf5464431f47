package org.sparkcollectives.spark.internal.ui;

import org.apache.spark.scheduler.SparkListener;
import org.apache.spark.scheduler.SparkListenerEvent;
import org.apache.spark.status.ElementTrackingStore;
import org.sparkcollectives.spark.internal.events.CallEvent;
import org.sparkcollectives.spark.internal.events.TrainingEvent;

/** Keeps what an event log tells of calls and trainings. */
final class ReplayListener extends SparkListener {
  private final ElementTrackingStore store;
  private long trainings;

  ReplayListener(ElementTrackingStore store) {
    this.store = store;
  }

  @Override
  public void onOtherEvent(SparkListenerEvent event) {
    if (event instanceof CallEvent call) {
      CallStore.add(store, call);
    } else if (event instanceof TrainingEvent training) {
      CallStore.add(store, ++trainings, training);
    }
  }
}
