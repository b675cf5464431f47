package org.sparkcollectives.internal.observe;

import jdk.jfr.FlightRecorder;
import org.jspecify.annotations.Nullable;

/**
 * The way to {@link OperationEvent}, which nobody takes before something is recorded in this
 * process: a JVM registers a class of events when it loads it, which takes longer than many a first
 * operation. Once it is loaded, settings that name it apply to it, whenever they were made.
 */
public final class FlightRecording {
  /** Whether this JVM has Flight Recorder; images made by jlink may lack it. */
  private static final boolean THERE = ModuleLayer.boot().findModule("jdk.jfr").isPresent();

  private FlightRecording() {}

  /**
   * Begins the event of an operation.
   *
   * @return the event, or null where nothing has ever been recorded
   */
  public static @Nullable OperationEvent begin() {
    if (!THERE || !FlightRecorder.isInitialized()) {
      return null;
    }
    OperationEvent event = new OperationEvent();
    event.begin();
    return event;
  }
}
