package org.sparkcollectives.internal.cost;

import java.util.Arrays;
import org.jspecify.annotations.Nullable;
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
  /** In place of a host or a message where there is none. */
  static final int NONE = -1;

  private final boolean[] sending;
  private final boolean[] receiving;
  private final double[] sent;
  private final double[] received;

  /** The messages that wait for a side, by host. */
  private final Queues leaving;

  private final Queues reaching;
  private final boolean fullDuplex;

  /** What messages between racks need more; null where there are no racks, or nothing limits. */
  private final @Nullable Uplinks uplinks;

  /** By message, its hosts, and its number in the sequence in which messages began to wait. */
  private final int[] leaves;

  private final int[] reaches;
  private final long[] numbers;
  private long waited;

  /** The sides that have been given back and may be wanted: the hosts of the last message. */
  private int freeOut = NONE;

  private int freeIn = NONE;

  /**
   * Cards and uplinks that nobody uses.
   *
   * @param topology the hosts and their racks
   * @param size the number of ranks; each has one message at a time, of its own number
   * @param model whether cards send and receive at once, and what an uplink carries
   */
  NetworkCards(Topology topology, int size, CostModel model) {
    int hosts = topology.hosts(size);
    fullDuplex = model.fullDuplex();
    sending = new boolean[hosts];
    receiving = fullDuplex ? new boolean[hosts] : sending;
    sent = new double[hosts];
    received = new double[hosts];
    leaving = new Queues(hosts, size);
    reaching = new Queues(hosts, size);
    leaves = new int[size];
    reaches = new int[size];
    numbers = new long[size];
    boolean limited = topology.hasRacks() && model.uplinkLanes() < topology.mostHostsPerRack(size);
    uplinks = limited ? new Uplinks(topology, size, model.uplinkLanes()) : null;
  }

  /** Takes what a message needs, or notes that it waits. */
  boolean tryTake(int message, int out, int in) {
    if (out == NONE) {
      return true;
    }
    leaves[message] = out;
    reaches[message] = in;
    if (canBegin(message)) {
      take(message);
      return true;
    }
    numbers[message] = waited++;
    leaving.add(out, message);
    reaching.add(in, message);
    if (uplinks != null) {
      uplinks.add(out, in, message);
    }
    return false;
  }

  private boolean canBegin(int message) {
    int out = leaves[message];
    int in = reaches[message];
    return !sending[out] && !receiving[in] && (uplinks == null || uplinks.isFree(out, in));
  }

  private void take(int message) {
    sending[leaves[message]] = true;
    receiving[reaches[message]] = true;
    if (uplinks != null) {
      uplinks.change(leaves[message], reaches[message], -1);
    }
  }

  /** Gives back what a message between two hosts needed. */
  void giveBack(int out, int in) {
    freeOut = out;
    freeIn = in;
    if (out != NONE) {
      sending[out] = false;
      receiving[in] = false;
      if (uplinks != null) {
        uplinks.change(out, in, 1);
      }
    }
  }

  /**
   * Takes what the first of the waiting messages needs that can begin since {@link #giveBack}, or
   * says that there is none.
   */
  int next() {
    if (freeOut == NONE) {
      return NONE;
    }
    int first = earlier(firstLeaving(freeOut), firstReaching(freeIn));
    if (!fullDuplex) {
      first = earlier(first, earlier(firstLeaving(freeIn), firstReaching(freeOut)));
    }
    if (uplinks != null) {
      first = earlier(first, firstCrossing(uplinks));
    }
    if (first != NONE) {
      take(first);
      leaving.remove(leaves[first], first);
      reaching.remove(reaches[first], first);
      if (uplinks != null) {
        uplinks.remove(leaves[first], reaches[first], first);
      }
    }
    return first;
  }

  /** The first message that can begin of those that leave a host. */
  private int firstLeaving(int host) {
    return sending[host] ? NONE : first(leaving, host);
  }

  private int firstReaching(int host) {
    return receiving[host] ? NONE : first(reaching, host);
  }

  /** The first message that can begin of those that wait for an uplink that has been given back. */
  private int firstCrossing(Uplinks all) {
    if (!all.crosses(freeOut, freeIn)) {
      return NONE;
    }
    return earlier(first(all.rising, all.rack(freeOut)), first(all.falling, all.rack(freeIn)));
  }

  private int first(Queues queues, int side) {
    int message = queues.first(side);
    while (message != NONE && !canBegin(message)) {
      message = queues.after(message);
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

  /** The lanes of all racks' uplinks that are free, and the messages between racks that wait. */
  private static final class Uplinks {
    private final Topology topology;
    private final int[] up;
    private final int[] down;
    private final Queues rising;
    private final Queues falling;

    Uplinks(Topology topology, int messages, int lanes) {
      this.topology = topology;
      this.up = new int[topology.racks()];
      this.down = new int[up.length];
      Arrays.fill(up, lanes);
      Arrays.fill(down, lanes);
      this.rising = new Queues(up.length, messages);
      this.falling = new Queues(up.length, messages);
    }

    int rack(int host) {
      return topology.rack(host);
    }

    boolean crosses(int out, int in) {
      return rack(out) != rack(in);
    }

    boolean isFree(int out, int in) {
      return !crosses(out, in) || (up[rack(out)] > 0 && down[rack(in)] > 0);
    }

    void change(int out, int in, int lanes) {
      if (crosses(out, in)) {
        up[rack(out)] += lanes;
        down[rack(in)] += lanes;
      }
    }

    void add(int out, int in, int message) {
      if (crosses(out, in)) {
        rising.add(rack(out), message);
        falling.add(rack(in), message);
      }
    }

    void remove(int out, int in, int message) {
      if (crosses(out, in)) {
        rising.remove(rack(out), message);
        falling.remove(rack(in), message);
      }
    }
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
