package org.sparkcollectives.internal.engine;

import java.util.Arrays;

/**
 * The scratch cells of a program in the making. A cell that was freed is taken again, the eldest
 * first, but not before it has rested: looking ahead is then not held up by its last reader.
 */
final class CellPool {
  private static final int REST_EVENTS = 16;
  private static final int NONE = -1;

  private int count;
  private int eldest = NONE;
  private int latest = NONE;

  /** Of free cells, when they were freed, and which was freed next. */
  private int[] freedAt = new int[8];

  private int[] freedNext = new int[8];

  /** How many cells there are, free or not. */
  int count() {
    return count;
  }

  /**
   * Takes a cell: one that has rested, or a new one, which has the next number.
   *
   * @param event the number of the present event
   * @param roundBegun the first event of its round: what was freed in the same round may still have
   *     to be sent, and a receive must not wait for that
   */
  int take(int event, int roundBegun) {
    int cell = eldest;
    if (cell != NONE && event - freedAt[cell] >= REST_EVENTS && freedAt[cell] < roundBegun) {
      eldest = freedNext[cell];
      return cell;
    }
    if (count == freedAt.length) {
      freedAt = Arrays.copyOf(freedAt, 2 * count);
      freedNext = Arrays.copyOf(freedNext, 2 * count);
    }
    return count++;
  }

  /**
   * Frees a cell.
   *
   * @param cell a cell that is taken
   * @param event the number of the event that was the last to use it
   */
  void free(int cell, int event) {
    freedAt[cell] = event;
    freedNext[cell] = NONE;
    if (eldest == NONE) {
      eldest = cell;
    } else {
      freedNext[latest] = cell;
    }
    latest = cell;
  }
}
