package org.sparkcollectives;

import java.nio.file.Path;
import jdk.jfr.Recording;
import jdk.jfr.consumer.RecordingFile;
import org.sparkcollectives.vector.ReduceOp;

/** A process that records its second operation, of two ranks, and not its first. */
final class RecordedLater {
  static final String NAME = "org.sparkcollectives.Operation";
  static final String RAN = "ran without a recording";
  static final String RECORDED = "recorded ";
  static final String END = ".";

  private RecordedLater() {}

  /**
   * Runs both.
   *
   * @param args the file of the recording
   * @throws Exception if one fails
   */
  public static void main(String[] args) throws Exception {
    operate();
    System.out.println(RAN);
    Path file = Path.of(args[0]);
    try (Recording recording = new Recording()) {
      recording.enable(NAME).withoutThreshold();
      recording.start();
      operate();
      recording.stop();
      recording.dump(file);
    }
    long events =
        RecordingFile.readAllEvents(file).stream()
            .filter(event -> event.getEventType().getName().equals(NAME))
            .count();
    System.out.println(RECORDED + events + END);
  }

  private static void operate() {
    Group.threads(
        2,
        CommunicatorOptions.DEFAULT,
        communicator -> communicator.by("ring").allReduce(new double[2], ReduceOp.SUM));
  }
}
