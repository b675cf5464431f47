package org.sparkcollectives.internal.group;

import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * Whom rank 0 has sent away, and why, for its message at the deadline: the last few. Who comes from
 * a host again and again for one reason, each time from another port, is one of them.
 */
final class SentAway {
  private static final int MOST = 8;

  private final Map<List<String>, String> texts = new LinkedHashMap<>();

  /**
   * Notes one more.
   *
   * @param host where it came from
   * @param reason why it was sent away
   * @param text what is told of it, in place of what was told of the same host and reason
   */
  void add(String host, String reason, String text) {
    List<String> key = List.of(host, reason);
    texts.remove(key); // else it would keep its place
    texts.put(key, text);
    if (texts.size() > MOST) {
      texts.remove(texts.keySet().iterator().next());
    }
  }

  /** What is told of them, the last at the end. */
  Collection<String> texts() {
    return texts.values();
  }
}
