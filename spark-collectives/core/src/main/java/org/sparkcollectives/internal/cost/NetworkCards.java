package org.sparkcollectives.internal.cost;

import java.util.Arrays;
import org.sparkcollectives.cost.CostModel;
import org.sparkcollectives.schedule.Topology;

/**
 * The network cards of all hosts and the uplinks of all racks: who uses them, who waits for them,
 * and what cards carried. A message needs the sending side of one card and the receiving side of
 * another; where the network is not full-duplex, both sides of a card are one. Between racks it
 * needs a lane of the uplink of each, too, one up and one down. Messages wait in a queue for each
 * side that they need, so that a side that becomes free asks none but those that want it.
 */
final class NetworkCards {
  /** In place of a host, a rack or a message where there is none. */
  static final int NONE = -1;

  /** The kinds of sides: of the sender's and the receiver's card, and of the uplinks of both. */
  private static final int OUT = 0;

  private static final int IN = 1;
  private static final int UP = 2;
  private static final int DOWN = 3;

  private final Topology topology;
  private final boolean fullDuplex;
  private final int kinds;

  /** By kind and host or rack, how many more messages may use the side. */
  private final int[][] free;

  /** By kind, the messages that wait for each side. */
  private final Queues[] waiting;

  /** By kind and message, the host or rack whose side it needs, or none. */
  private final int[][] needs;

  /** By message, its number in the sequence in which messages began to wait. */
  private final long[] numbers;

  private long waited;

  /** By kind, the side that has been given back and may be wanted: those of the last message. */
  private final int[] given;

  private final double[] sent;
  private final double[] received;

  /**
   * Cards and uplinks that nobody uses.
   *
   * @param topology the hosts and their racks
   * @param size the number of ranks; each has one message at a time, of its own number
   * @param model whether cards send and receive at once, and what an uplink carries
   */
  NetworkCards(Topology topology, int size, CostModel model) {
    int hosts = topology.hosts(size);
    this.topology = topology;
    this.fullDuplex = model.fullDuplex();
    this.kinds = topology.hasRacks() ? DOWN + 1 : IN + 1;
    this.free = new int[kinds][];
    this.waiting = new Queues[kinds];
    this.needs = new int[kinds][size];
    this.numbers = new long[size];
    this.given = new int[kinds];
    this.sent = new double[hosts];
    this.received = new double[hosts];
    for (int kind = 0; kind < kinds; kind++) {
      int sides = kind < UP ? hosts : topology.racks();
      free[kind] = new int[sides];
      Arrays.fill(free[kind], kind < UP ? 1 : model.uplinkLanes());
      waiting[kind] = new Queues(sides, size);
    }
    if (!fullDuplex) {
      free[IN] = free[OUT];
    }
    Arrays.fill(given, NONE);
  }

  /** Takes what a message needs, or notes that it waits. */
  boolean tryTake(int message, int out, int in) {
    if (out == NONE) {
      return true;
    }
    for (int kind = 0; kind < kinds; kind++) {
      needs[kind][message] = side(kind, out, in);
    }
    if (canBegin(message)) {
      take(message);
      return true;
    }
    numbers[message] = waited++;
    for (int kind = 0; kind < kinds; kind++) {
      if (needs[kind][message] != NONE) {
        waiting[kind].add(needs[kind][message], message);
      }
    }
    return false;
  }

  /** The host or rack whose side of a kind a message between two hosts needs. */
  private int side(int kind, int out, int in) {
    if (kind < UP) {
      return kind == OUT ? out : in;
    }
    int from = topology.rack(out);
    int to = topology.rack(in);
    if (from == to) {
      return NONE;
    }
    return kind == UP ? from : to;
  }

  private boolean canBegin(int message) {
    for (int kind = 0; kind < kinds; kind++) {
      int side = needs[kind][message];
      if (side != NONE && free[kind][side] == 0) {
        return false;
      }
    }
    return true;
  }

  private void take(int message) {
    for (int kind = 0; kind < kinds; kind++) {
      int side = needs[kind][message];
      if (side != NONE) {
        free[kind][side]--;
      }
    }
  }

  /** Gives back what a message between two hosts needed. */
  void giveBack(int out, int in) {
    for (int kind = 0; kind < kinds; kind++) {
      given[kind] = out == NONE ? NONE : side(kind, out, in);
      if (given[kind] != NONE) {
        free[kind][given[kind]]++;
      }
    }
  }

  /**
   * Takes what the first of the waiting messages needs that can begin since {@link #giveBack}, or
   * says that there is none.
   */
  int next() {
    int first = NONE;
    for (int kind = 0; kind < kinds; kind++) {
      first = earlier(first, firstOf(kind, given[kind]));
    }
    if (!fullDuplex) {
      first = earlier(first, earlier(firstOf(OUT, given[IN]), firstOf(IN, given[OUT])));
    }
    if (first != NONE) {
      take(first);
      for (int kind = 0; kind < kinds; kind++) {
        if (needs[kind][first] != NONE) {
          waiting[kind].remove(needs[kind][first], first);
        }
      }
    }
    return first;
  }

  /** The first message that can begin of those that want a side. */
  private int firstOf(int kind, int side) {
    if (side == NONE || free[kind][side] == 0) {
      return NONE;
    }
    int message = waiting[kind].first(side);
    while (message != NONE && !canBegin(message)) {
      message = waiting[kind].after(message);
    }
    return message;
  }

  private int earlier(int one, int other) {
    if (one == NONE || other == NONE) {
      return one == NONE ? other : one;
    }
    return numbers[one] <= numbers[other] ? one : other;
  }

  void count(int out, int in, double bytes) {
    if (out != NONE) {
      sent[out] += bytes;
      received[in] += bytes;
    }
  }

  double[] sent() {
    return sent;
  }

  double[] received() {
    return received;
  }

  /** A queue for each side, linked without objects; a message is in one of them at most. */
  private static final class Queues {
    private final int[] first;
    private final int[] last;
    private final int[] before;
    private final int[] after;

    Queues(int sides, int messages) {
      first = filled(sides);
      last = filled(sides);
      before = filled(messages);
      after = filled(messages);
    }

    private static int[] filled(int length) {
      int[] array = new int[length];
      Arrays.fill(array, NONE);
      return array;
    }

    int first(int side) {
      return first[side];
    }

    int after(int message) {
      return after[message];
    }

    void add(int side, int message) {
      before[message] = last[side];
      after[message] = NONE;
      if (last[side] == NONE) {
        first[side] = message;
      } else {
        after[last[side]] = message;
      }
      last[side] = message;
    }

    void remove(int side, int message) {
      int previous = before[message];
      int next = after[message];
      if (previous == NONE) {
        first[side] = next;
      } else {
        after[previous] = next;
      }
      if (next == NONE) {
        last[side] = previous;
      } else {
        before[next] = previous;
      }
    }
  }
}
