package org.sparkcollectives.spark.internal.rendezvous;

import java.util.List;

/** Rendezvous to which ranks have come, for tests of what is told of them. */
public final class Gatherings {
  private Gatherings() {}

  /**
   * The lowest ranks of an attempt have come, from two executors of one host.
   *
   * @param came how many
   * @param size how many there are to be
   * @param stage the stage, -1 for none
   * @return the attendance
   */
  public static Attendance of(int came, int size, int stage) {
    Attendance attendance = new Attendance(size);
    if (stage >= 0) {
      attendance.started(stage);
    }
    for (int rank = 0; rank < came; rank++) {
      String executor = "executor " + rank % 2;
      Wire.Member member = new Wire.Member(executor, "192.0.2.1", 4000, "node", executor);
      List<Shape> shapes = List.of(new Shape(rank, "double", 1 << 20, 8 << 20, false));
      attendance.joined(new Wire.Join(1, 0, rank, stage, member, shapes, null, Members.NONE));
    }
    return attendance;
  }

  /**
   * One rank has come, whose function tells how far it is.
   *
   * @param progress what it has told last
   * @return the attendance
   */
  public static Attendance telling(String progress) {
    Attendance attendance = of(1, 1, 7);
    attendance.progress(progress);
    return attendance;
  }

  /**
   * All ranks of an attempt have come, each from a host of its own.
   *
   * @param racks the rack of each
   * @return the attendance
   */
  public static Attendance inRacks(List<String> racks) {
    Attendance attendance = new Attendance(racks.size());
    for (int rank = 0; rank < racks.size(); rank++) {
      String executor = "executor " + rank;
      Wire.Member member = new Wire.Member(executor, "host " + rank, 1, "node " + rank, executor);
      attendance.joined(new Wire.Join(1, 0, rank, 7, member, null, null, Members.NONE));
      attendance.takesPart(rank, member.in(racks.get(rank)));
    }
    return attendance;
  }
}
