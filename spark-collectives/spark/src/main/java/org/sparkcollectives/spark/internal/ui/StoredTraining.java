package org.sparkcollectives.spark.internal.ui;

import org.apache.spark.util.kvstore.KVIndex;
import org.sparkcollectives.spark.internal.events.TrainingEvent;

/** A training as Spark's store of the UI keeps it. */
public final class StoredTraining {
  /** The training's number in its application, from 1. */
  @KVIndex public long id;

  /** The training. */
  public TrainingEvent event = new TrainingEvent();

  /** Makes a training that tells nothing; for the store. */
  public StoredTraining() {}

  StoredTraining(long id, TrainingEvent event) {
    this.id = id;
    this.event = event;
  }
}
