package org.sparkcollectives.internal.cost;

import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.Map;

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

  /** The hosts that a waiting message leaves and reaches, in the sequence in which they came. */
  private final Map<Integer, int[]> waiting = new LinkedHashMap<>();

  NetworkCards(int hosts, boolean fullDuplex) {
    sending = new boolean[hosts];
    receiving = fullDuplex ? new boolean[hosts] : sending;
    sent = new double[hosts];
    received = new double[hosts];
  }

  /** Takes what a message needs, or notes that it waits. */
  boolean tryTake(int message, int out, int in) {
    if (out == NONE) {
      return true;
    }
    if (sending[out] || receiving[in]) {
      waiting.put(message, new int[] {out, in});
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
    Iterator<Map.Entry<Integer, int[]>> entries = waiting.entrySet().iterator();
    while (entries.hasNext()) {
      Map.Entry<Integer, int[]> entry = entries.next();
      int out = entry.getValue()[0];
      int in = entry.getValue()[1];
      if (!sending[out] && !receiving[in]) {
        take(out, in);
        entries.remove();
        return entry.getKey();
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
