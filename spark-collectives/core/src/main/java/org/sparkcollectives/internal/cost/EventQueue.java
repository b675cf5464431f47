package org.sparkcollectives.internal.cost;

/**
 * What happens next on the simulator's clock. A message is named by its sender, who has one at a
 * time: its beginning or its end. At the same time ends come before beginnings, lower senders
 * before higher ones. A binary heap without objects.
 */
final class EventQueue {
  private final double[] nanos;
  private final boolean[] begins;
  private final int[] heap;
  private int size;

  EventQueue(int senders) {
    nanos = new double[senders];
    begins = new boolean[senders];
    heap = new int[senders];
  }

  boolean isEmpty() {
    return size == 0;
  }

  double nanos(int sender) {
    return nanos[sender];
  }

  boolean begins(int sender) {
    return begins[sender];
  }

  void add(int sender, double time, boolean begin) {
    nanos[sender] = time;
    begins[sender] = begin;
    int at = size++;
    while (at > 0 && before(sender, heap[(at - 1) / 2])) {
      heap[at] = heap[(at - 1) / 2];
      at = (at - 1) / 2;
    }
    heap[at] = sender;
  }

  /** Takes the sender of the next event out. */
  int poll() {
    int first = heap[0];
    int last = heap[--size];
    int at = 0;
    for (int child = 1; child < size; child = 2 * at + 1) {
      if (child + 1 < size && before(heap[child + 1], heap[child])) {
        child++;
      }
      if (!before(heap[child], last)) {
        break;
      }
      heap[at] = heap[child];
      at = child;
    }
    heap[at] = last;
    return first;
  }

  private boolean before(int one, int other) {
    if (nanos[one] != nanos[other]) {
      return nanos[one] < nanos[other];
    }
    return begins[one] == begins[other] ? one < other : begins[other];
  }
}
