package org.sparkcollectives.internal.cost;

/**
 * The network cards of all hosts: who uses them, who waits for them, and what they carried. A
 * message needs the sending side of one card and the receiving side of another; where the network
 * is not full-duplex, both sides of a card are one.
 */
final class NetworkCards {
  /** In place of a host or a message where there is none. */
  static final int NONE = -1;

  private final boolean[] sending;
  private final boolean[] receiving;
  private final double[] sent;
  private final double[] received;

  /** The messages that wait, in the sequence in which they came, and the hosts between. */
  private final int[] waiting;

  private final int[] leaves;
  private final int[] reaches;
  private int count;

  NetworkCards(int hosts, int messages, boolean fullDuplex) {
    sending = new boolean[hosts];
    receiving = fullDuplex ? new boolean[hosts] : sending;
    sent = new double[hosts];
    received = new double[hosts];
    waiting = new int[messages];
    leaves = new int[messages];
    reaches = new int[messages];
  }

  /** Takes what a message needs, or notes that it waits. */
  boolean tryTake(int message, int out, int in) {
    if (out == NONE) {
      return true;
    }
    if (sending[out] || receiving[in]) {
      waiting[count] = message;
      leaves[message] = out;
      reaches[message] = in;
      count++;
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
    if (out != NONE) {
      sending[out] = false;
      receiving[in] = false;
    }
  }

  /** Takes what the next waiting message needs that can begin, or says that there is none. */
  int next() {
    for (int i = 0; i < count; i++) {
      int message = waiting[i];
      if (!sending[leaves[message]] && !receiving[reaches[message]]) {
        take(leaves[message], reaches[message]);
        count--;
        System.arraycopy(waiting, i + 1, waiting, i, count - i);
        return message;
      }
    }
    return NONE;
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
}
