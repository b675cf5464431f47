package org.sparkcollectives.spark;

import java.util.List;

/** What ranks do with the parts of their partitions. */
final class Parts {
  private Parts() {}

  /** What the rendezvous compares. */
  static List<Wire.Shape> shapes(Combiner combiner, List<Part> parts) {
    return parts.stream()
        .map(
            part ->
                combiner.shape(part.partition(), combiner.operand(part.value(), part.partition())))
        .toList();
  }

  /** All parts combined in partition order, in place of the first; there is at least one. */
  static Object fold(Combiner combiner, List<Part> parts) {
    Part first = parts.get(0);
    Object sum = combiner.operand(first.value(), first.partition());
    for (Part part : parts.subList(1, parts.size())) {
      Object next = combiner.operand(part.value(), part.partition());
      sum = combiner.combine(sum, next, part.partition());
    }
    return sum;
  }
}
