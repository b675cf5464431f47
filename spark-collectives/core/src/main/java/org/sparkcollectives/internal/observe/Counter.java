package org.sparkcollectives.internal.observe;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.atomic.AtomicLong;

/**
 * A sum that many threads add to and any thread reads. Each adds to a cell of its own, by a plain
 * write that others see soon: short operations would feel an atomic addition.
 */
final class Counter {
  private final Set<Cell> cells = new HashSet<>();
  private long ended;

  /** What one thread at a time has added. */
  static final class Cell {
    private final Counter counter;
    private final AtomicLong value = new AtomicLong();

    private Cell(Counter counter) {
      this.counter = counter;
    }

    void add(long amount) {
      value.setRelease(value.getPlain() + amount);
    }

    long get() {
      return value.getAcquire();
    }
  }

  /** The cells of one writer, of several counters. */
  static final class Cells {
    private final List<Cell> all = new ArrayList<>();

    /** A new cell of a counter. */
    synchronized Cell of(Counter counter) {
      Cell cell = counter.open();
      all.add(cell);
      return cell;
    }

    /** Keeps the values and forgets the cells; called when nobody can add to them any more. */
    synchronized void end() {
      all.forEach(cell -> cell.counter.end(cell));
    }
  }

  private synchronized Cell open() {
    Cell cell = new Cell(this);
    cells.add(cell);
    return cell;
  }

  private synchronized void end(Cell cell) {
    if (cells.remove(cell)) {
      ended += cell.get();
    }
  }

  synchronized long sum() {
    return ended + cells.stream().mapToLong(Cell::get).sum();
  }
}
