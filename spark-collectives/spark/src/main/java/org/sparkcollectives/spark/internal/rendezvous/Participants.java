package org.sparkcollectives.spark.internal.rendezvous;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.IntStream;

/** Who of an attempt's ranks takes part, when all have come, and what each has brought. */
final class Participants {
  private final List<Arrival> all;
  private final boolean[] takes;

  /**
   * Decides who takes part.
   *
   * @param all the ranks, in order
   * @param admission which of them do
   */
  Participants(List<Arrival> all, Admission admission) {
    this.all = all;
    this.takes = new boolean[all.size()];
    Set<String> processes = new HashSet<>();
    for (int rank = 0; rank < takes.length; rank++) {
      Arrival arrival = all.get(rank);
      takes[rank] =
          switch (admission) {
            case ALL -> true;
            case WITH_VECTOR -> arrival.shapes() != null && !arrival.shapes().isEmpty();
            case ONE_PER_PROCESS -> processes.add(arrival.member().endpoint());
          };
    }
  }

  /** How many ranks have come, whether they take part or not. */
  int arrived() {
    return takes.length;
  }

  /** A rank that has come. */
  Arrival of(int rank) {
    return all.get(rank);
  }

  boolean takesPart(int rank) {
    return takes[rank];
  }

  /** Those that take part, in order. */
  IntStream ranks() {
    return IntStream.range(0, takes.length).filter(rank -> takes[rank]);
  }

  /** The processes of those that take part, in rank order. */
  List<Wire.Member> members() {
    return ranks().mapToObj(rank -> all.get(rank).member()).toList();
  }

  /** What all ranks bring. */
  List<Shape> shapes() {
    List<Shape> shapes = new ArrayList<>();
    for (Arrival arrival : all) {
      if (arrival.shapes() != null) {
        shapes.addAll(arrival.shapes());
      }
    }
    return shapes;
  }

  /** The small operands of all who take part, in rank order; empty if one has not sent its own. */
  List<byte[]> operands() {
    List<byte[]> operands = new ArrayList<>();
    for (int rank = 0; rank < takes.length; rank++) {
      byte[] operand = all.get(rank).join().operand();
      if (takes[rank] && operand == null) {
        return List.of();
      } else if (takes[rank]) {
        operands.add(operand);
      }
    }
    return operands;
  }
}
