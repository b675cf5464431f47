package org.sparkcollectives.internal.cost;

import java.util.Arrays;

/**
 * The messages that have been handed over and have not left: the sender and the round of each. A
 * number is used again once its message has left.
 */
final class Messages {
  private static final int FIRST = 64;

  private int[] senders = new int[FIRST];
  private int[] rounds = new int[FIRST];

  /** Numbers that have been given back, as a stack. */
  private int[] free = new int[FIRST];

  private int freed;
  private int used;

  int sender(int message) {
    return senders[message];
  }

  int round(int message) {
    return rounds[message];
  }

  /** The number of a message that is handed over. */
  int add(int sender, int round) {
    int message = freed > 0 ? free[--freed] : used++;
    if (message == senders.length) {
      senders = Arrays.copyOf(senders, 2 * message);
      rounds = Arrays.copyOf(rounds, 2 * message);
      free = Arrays.copyOf(free, 2 * message);
    }
    senders[message] = sender;
    rounds[message] = round;
    return message;
  }

  void remove(int message) {
    free[freed++] = message;
  }
}
