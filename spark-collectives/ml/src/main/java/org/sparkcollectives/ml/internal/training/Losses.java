package org.sparkcollectives.ml.internal.training;

import java.io.Serial;
import java.io.Serializable;
import java.util.Arrays;

/**
 * The losses of a training so far, which do not change. Those with one more share their memory, so
 * that a training of many batches takes time and memory in proportion to these. Thread-safe.
 */
final class Losses implements Serializable {
  @Serial private static final long serialVersionUID = 1L;
  private static final int FIRST_CAPACITY = 16;

  private final transient Room room;
  private final transient int count;

  /** The memory of all that one came from another of; the longest of them uses all that is full. */
  private static final class Room {
    private double[] values;
    private int full;

    Room(double[] values) {
      this.values = values;
      this.full = values.length;
    }

    /** Puts a value behind so many; false if there is another one already. */
    synchronized boolean append(int count, double value) {
      if (count != full) {
        return false;
      }
      if (full == values.length) {
        values = Arrays.copyOf(values, Math.max(FIRST_CAPACITY, 2 * full));
      }
      values[full++] = value;
      return true;
    }

    synchronized double[] first(int count) {
      return Arrays.copyOf(values, count);
    }

    synchronized double get(int index) {
      return values[index];
    }
  }

  /** What is serialized: the losses alone. */
  private static final class Form implements Serializable {
    @Serial private static final long serialVersionUID = 1L;
    private final double[] values;

    Form(double[] values) {
      this.values = values;
    }

    @Serial
    private Object readResolve() {
      return new Losses(values);
    }
  }

  /** Losses; the array is not to be used otherwise. */
  Losses(double... values) {
    this(new Room(values), values.length);
  }

  private Losses(Room room, int count) {
    this.room = room;
    this.count = count;
  }

  /** These, and one more. */
  Losses and(double loss) {
    if (room.append(count, loss)) {
      return new Losses(room, count + 1);
    }
    Room own = new Room(room.first(count)); // another attempt has gone on from here
    own.append(count, loss);
    return new Losses(own, count + 1);
  }

  int count() {
    return count;
  }

  /** The first one. */
  double first() {
    return get(0);
  }

  /** The latest one. */
  double last() {
    return get(count - 1);
  }

  private double get(int index) {
    if (index < 0 || index >= count) {
      throw new IndexOutOfBoundsException(
          "there are " + count + " losses, none with number " + index);
    }
    return room.get(index);
  }

  /** All of them, as an array of the caller's own. */
  double[] toArray() {
    return room.first(count);
  }

  @Serial
  private Object writeReplace() {
    return new Form(toArray());
  }
}
