package org.sparkcollectives.internal.cost;

import java.util.Arrays;

/**
 * The network cards of all hosts: who uses them, who waits for them, and what they carried. A
 * message needs the sending side of one card and the receiving side of another; where the network
 * is not full-duplex, both sides of a card are one. Messages wait in two queues each, that of the
 * side that they leave by and that of the side that they reach, so that a side that becomes free
 * asks none but those that want it.
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

  /** By message, its hosts, and its number in the sequence in which messages began to wait. */
  private final int[] leaves;

  private final int[] reaches;
  private final long[] numbers;
  private long waited;

  /** The sides that have been given back and may be wanted: the hosts of the last message. */
  private int freeOut = NONE;

  private int freeIn = NONE;

  NetworkCards(int hosts, int messages, boolean fullDuplex) {
    this.fullDuplex = fullDuplex;
    sending = new boolean[hosts];
    receiving = fullDuplex ? new boolean[hosts] : sending;
    sent = new double[hosts];
    received = new double[hosts];
    leaving = new Queues(hosts, messages);
    reaching = new Queues(hosts, messages);
    leaves = new int[messages];
    reaches = new int[messages];
    numbers = new long[messages];
  }

  /** Takes what a message needs, or notes that it waits. */
  boolean tryTake(int message, int out, int in) {
    if (out == NONE) {
      return true;
    }
    if (sending[out] || receiving[in]) {
      leaves[message] = out;
      reaches[message] = in;
      numbers[message] = waited++;
      leaving.add(out, message);
      reaching.add(in, message);
      return false;
    }
    take(out, in);
    return true;
  }

  private void take(int out, int in) {
    sending[out] = true;
    receiving[in] = true;
  }

  void giveBack(int out, int in) {
    freeOut = out;
    freeIn = in;
    if (out != NONE) {
      sending[out] = false;
      receiving[in] = false;
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
    if (first != NONE) {
      take(leaves[first], reaches[first]);
      leaving.remove(leaves[first], first);
      reaching.remove(reaches[first], first);
    }
    return first;
  }

  /** The first message that can begin of those that leave a host. */
  private int firstLeaving(int host) {
    int message = sending[host] ? NONE : leaving.first(host);
    while (message != NONE && receiving[reaches[message]]) {
      message = leaving.after(message);
    }
    return message;
  }

  private int firstReaching(int host) {
    int message = receiving[host] ? NONE : reaching.first(host);
    while (message != NONE && sending[leaves[message]]) {
      message = reaching.after(message);
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

  /** A queue for each host, linked without objects; a message is in one of them at most. */
  private static final class Queues {
    private final int[] first;
    private final int[] last;
    private final int[] before;
    private final int[] after;

    Queues(int hosts, int messages) {
      first = filled(hosts);
      last = filled(hosts);
      before = filled(messages);
      after = filled(messages);
    }

    private static int[] filled(int length) {
      int[] array = new int[length];
      Arrays.fill(array, NONE);
      return array;
    }

    int first(int host) {
      return first[host];
    }

    int after(int message) {
      return after[message];
    }

    void add(int host, int message) {
      before[message] = last[host];
      after[message] = NONE;
      if (last[host] == NONE) {
        first[host] = message;
      } else {
        after[last[host]] = message;
      }
      last[host] = message;
    }

    void remove(int host, int message) {
      int previous = before[message];
      int next = after[message];
      if (previous == NONE) {
        first[host] = next;
      } else {
        after[previous] = next;
      }
      if (next == NONE) {
        last[host] = previous;
      } else {
        before[next] = previous;
      }
    }
  }
}
