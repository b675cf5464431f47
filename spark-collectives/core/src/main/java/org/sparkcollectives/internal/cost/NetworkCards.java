package org.sparkcollectives.internal.cost;

import java.util.Arrays;
import org.jspecify.annotations.Nullable;
import org.sparkcollectives.cost.CostModel;
import org.sparkcollectives.schedule.Topology;

/**
 * The network cards of all hosts and the uplinks of all racks: who uses them, who waits for them,
 * and what cards carried. To leave, a message needs the sender's card and, between racks, a lane of
 * the uplink of each, one up and one down. Then it waits in the network until all that has left
 * before it for the same card has reached that. Where the network is not full-duplex, it needs both
 * cards at once instead. Messages wait in a queue for each card and uplink that they need, so that
 * one that becomes free asks none but those that want it.
 */
final class NetworkCards {
  /** In place of a host or a message where there is none. */
  static final int NONE = -1;

  private final boolean[] busy;

  /** By host, when its card has received all that has left for it. */
  private final double[] reached;

  private final double[] sent;
  private final double[] received;

  /** By host, the messages that wait for its card to leave. */
  private final Queues leaving;

  /** And those that wait for it to be received, if they need both cards. */
  private final Queues reaching;

  private final boolean fullDuplex;

  /** What messages between racks need more; null where there are no racks, or nothing limits. */
  private final @Nullable Uplinks uplinks;

  /** By message, its hosts, and its number in the sequence in which messages began to wait. */
  private int[] leaves = new int[0];

  private int[] reaches = new int[0];
  private long[] numbers = new long[0];
  private long waited;

  /** The cards that have been given back and may be wanted: those of the last message. */
  private int freeOut;

  private int freeIn;

  /**
   * Cards and uplinks that nobody uses.
   *
   * @param topology the hosts and their racks
   * @param size the number of ranks
   * @param model whether cards send and receive at once, and what an uplink carries
   */
  NetworkCards(Topology topology, int size, CostModel model) {
    int hosts = topology.hosts(size);
    fullDuplex = model.fullDuplex();
    busy = new boolean[hosts];
    reached = new double[hosts];
    sent = new double[hosts];
    received = new double[hosts];
    leaving = new Queues(hosts);
    reaching = new Queues(hosts);
    boolean limited = Simulator.limitsByUplinks(model, topology, size);
    uplinks = limited ? new Uplinks(topology, model) : null;
  }

  /** Takes what a message between two hosts needs to leave, or notes that it waits. */
  boolean tryTake(int message, int out, int in) {
    if (message >= leaves.length) {
      leaves = Arrays.copyOf(leaves, 2 * message + 1);
      reaches = Arrays.copyOf(reaches, leaves.length);
      numbers = Arrays.copyOf(numbers, leaves.length);
    }
    leaves[message] = out;
    reaches[message] = in;
    if (canBegin(message)) {
      take(message);
      return true;
    }
    numbers[message] = waited++;
    leaving.add(out, message);
    if (!fullDuplex) {
      reaching.add(in, message);
    }
    if (uplinks != null) {
      uplinks.add(out, in, message);
    }
    return false;
  }

  private boolean canBegin(int message) {
    int out = leaves[message];
    int in = reaches[message];
    return !busy[out] && (fullDuplex || !busy[in]) && (uplinks == null || uplinks.isFree(out, in));
  }

  private void take(int message) {
    setBusy(leaves[message], reaches[message], true);
    if (uplinks != null) {
      uplinks.change(leaves[message], reaches[message], -1);
    }
  }

  private void setBusy(int out, int in, boolean value) {
    busy[out] = value;
    if (!fullDuplex) {
      busy[in] = value;
    }
  }

  /**
   * When a message that begins to leave has reached a card.
   *
   * @param in the receiver's host
   * @param nanos when it begins
   * @param occupied how long it keeps a card occupied
   */
  double reach(int in, double nanos, double occupied) {
    reached[in] = (fullDuplex ? Math.max(nanos, reached[in]) : nanos) + occupied;
    return reached[in];
  }

  /**
   * How many times longer the bytes of a message that begins to leave take than alone: of an uplink
   * that more messages pass than it carries, each has a part.
   */
  double sharing(int message) {
    return uplinks == null ? 1 : uplinks.sharing(leaves[message], reaches[message]);
  }

  /** Gives back what a message needed to leave. */
  void giveBack(int message) {
    freeOut = leaves[message];
    freeIn = reaches[message];
    setBusy(freeOut, freeIn, false);
    if (uplinks != null) {
      uplinks.change(freeOut, freeIn, 1);
    }
  }

  /**
   * Takes what the first of the waiting messages needs that can begin since {@link #giveBack}, or
   * says that there is none.
   */
  int next() {
    int first = firstOf(freeOut);
    if (!fullDuplex) {
      first = earlier(first, firstOf(freeIn));
    }
    if (uplinks != null) {
      first = earlier(first, firstCrossing(uplinks));
    }
    if (first != NONE) {
      take(first);
      leaving.remove(leaves[first], first);
      if (!fullDuplex) {
        reaching.remove(reaches[first], first);
      }
      if (uplinks != null) {
        uplinks.remove(leaves[first], reaches[first], first);
      }
    }
    return first;
  }

  /** The first message that can begin of those that wait for a card. */
  private int firstOf(int host) {
    if (busy[host]) {
      return NONE;
    }
    return earlier(first(leaving, host), first(reaching, host));
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
    sent[out] += bytes;
    received[in] += bytes;
  }

  double[] sent() {
    return sent;
  }

  double[] received() {
    return received;
  }

  /**
   * The lanes of all racks' uplinks that are free, and the messages between racks that wait. An
   * uplink has a lane for each card that it carries, or for a part of one.
   */
  private static final class Uplinks {
    private final Topology topology;
    private final double cards;
    private final int lanes;
    private final int[] up;
    private final int[] down;
    private final Queues rising;
    private final Queues falling;

    Uplinks(Topology topology, CostModel model) {
      this.topology = topology;
      this.cards = model.uplinkCards();
      this.lanes = model.uplinkLanes();
      this.up = new int[topology.racks()];
      this.down = new int[up.length];
      Arrays.fill(up, lanes);
      Arrays.fill(down, lanes);
      this.rising = new Queues(up.length);
      this.falling = new Queues(up.length);
    }

    int rack(int host) {
      return topology.rack(host);
    }

    boolean crosses(int out, int in) {
      return rack(out) != rack(in);
    }

    double sharing(int out, int in) {
      if (!crosses(out, in)) {
        return 1;
      }
      int passing = lanes - Math.min(up[rack(out)], down[rack(in)]);
      return Math.max(1, passing / cards);
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
    private int[] before = new int[0];
    private int[] after = new int[0];

    Queues(int sides) {
      first = filled(sides);
      last = filled(sides);
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
      if (message >= before.length) {
        before = Arrays.copyOf(before, 2 * message + 1);
        after = Arrays.copyOf(after, before.length);
      }
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
