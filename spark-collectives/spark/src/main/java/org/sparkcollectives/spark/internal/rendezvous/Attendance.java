package org.sparkcollectives.spark.internal.rendezvous;

import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Who has come to a rendezvous, when, and with what, and how far they are. Thread-safe. */
public final class Attendance {
  private final long opened = System.nanoTime();
  private final @Nullable Present[] present;
  private int stage = -1;
  private long bytes;
  private String type = "";
  private boolean gathered;
  private String progress = "";

  /**
   * A rank that has come.
   *
   * @param host the executor's host
   * @param node name of the machine
   * @param process identity of the executor's endpoint
   * @param executor the executor, for people
   * @param rack name of the machine's rack, empty where it is not known
   * @param nanos how long after the rendezvous was opened
   */
  public record Present(
      String host, String node, String process, String executor, String rack, long nanos) {}

  Attendance(int size) {
    this.present = new Present[size];
  }

  synchronized void started(int ofStage) {
    stage = ofStage;
  }

  synchronized void joined(Wire.Join join) {
    stage = join.stage();
    Wire.Member member = join.member();
    Present before = present[join.rank()]; // it comes again where it has to listen
    long nanos = before == null ? System.nanoTime() - opened : before.nanos();
    present[join.rank()] = present(member, nanos);
    if (join.shapes() != null) {
      for (Shape shape : join.shapes()) {
        bytes = Math.max(bytes, shape.bytes());
        type = shape.type();
      }
    }
  }

  /** A rank that has come takes part as one of this process, whose rack is known now. */
  synchronized void takesPart(int rank, Wire.Member member) {
    Present before = present[rank];
    present[rank] = present(member, before == null ? System.nanoTime() - opened : before.nanos());
  }

  private static Present present(Wire.Member member, long nanos) {
    return new Present(
        member.host(), member.node(), member.endpoint(), member.label(), member.rack(), nanos);
  }

  synchronized void gather() {
    gathered = true;
  }

  synchronized void progress(String text) {
    progress = text;
  }

  /**
   * How far the ranks' function is.
   *
   * @return what rank 0 has told last, for people; empty before
   */
  public synchronized String progress() {
    return progress;
  }

  /**
   * The stage of the ranks' tasks.
   *
   * @return its number, -1 if none has told of itself
   */
  public synchronized int stage() {
    return stage;
  }

  /**
   * The ranks.
   *
   * @return one for each of the attempt, null for those that have not come
   */
  public synchronized List<@Nullable Present> ranks() {
    List<@Nullable Present> ranks = new ArrayList<>();
    for (Present each : present) {
      ranks.add(each);
    }
    return ranks;
  }

  /**
   * The size of the largest vector that a rank has brought.
   *
   * @return bytes; 0 where nobody has brought one, or its size is not known
   */
  public synchronized long bytes() {
    return bytes;
  }

  /**
   * What the vectors are of.
   *
   * @return the name of the elements' type, empty where nobody has brought a vector
   */
  public synchronized String type() {
    return type;
  }

  /**
   * Whether the vectors came with the ranks, and were combined without an algorithm.
   *
   * @return true where none has run
   */
  public synchronized boolean gathered() {
    return gathered;
  }
}
