package org.sparkcollectives.internal.cost;

import java.util.Arrays;

/**
 * What happens next on the simulator's clock. Each number has one event at a time: something begins
 * or ends. At the same time ends come before beginnings, lower numbers before higher ones. A binary
 * heap without objects.
 */
final class EventQueue {
  private double[] nanos;
  private boolean[] begins;
  private int[] heap;
  private int size;

  /**
   * A queue without events.
   *
   * @param numbers how many numbers there may be until there are more
   */
  EventQueue(int numbers) {
    nanos = new double[numbers];
    begins = new boolean[numbers];
    heap = new int[numbers];
  }

  boolean isEmpty() {
    return size == 0;
  }

  double nanos(int number) {
    return nanos[number];
  }

  void add(int number, double time, boolean begin) {
    if (number >= nanos.length) {
      nanos = Arrays.copyOf(nanos, 2 * number);
      begins = Arrays.copyOf(begins, nanos.length);
      heap = Arrays.copyOf(heap, nanos.length);
    }
    nanos[number] = time;
    begins[number] = begin;
    int at = size++;
    while (at > 0 && before(number, heap[(at - 1) / 2])) {
      heap[at] = heap[(at - 1) / 2];
      at = (at - 1) / 2;
    }
    heap[at] = number;
  }

  /** Takes the next event out, and says its number. */
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
