package org.sparkcollectives.spark.internal.events;

import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.sparkcollectives.internal.select.Selector;
import org.sparkcollectives.select.Explanation;
import org.sparkcollectives.select.Policy;
import org.sparkcollectives.select.Request;

/** What the choice of an algorithm rests on, kept for calls that come again. Thread-safe. */
final class Explainer {
  private static final int KEPT = 128;

  private @Nullable Policy policy;
  private final Map<Key, Explanation> kept =
      new LinkedHashMap<>(16, 0.75f, true) {
        private static final long serialVersionUID = 1L;

        @Override
        protected boolean removeEldestEntry(Map.Entry<Key, Explanation> eldest) {
          return size() > KEPT;
        }
      };

  private record Key(Request request, String ran) {}

  /**
   * Why an algorithm has run.
   *
   * @param by how algorithms are chosen
   * @param request what was asked for
   * @param ran the algorithm's slug
   * @return the explanation of that algorithm: as the one chosen, or else as one that was named
   */
  synchronized Explanation explain(Policy by, Request request, String ran) {
    if (!by.equals(policy)) {
      kept.clear();
      policy = by;
    }
    return kept.computeIfAbsent(
        new Key(request, ran),
        key -> {
          Selector selector = new Selector(by);
          Explanation chosen = selector.explain(request, null);
          return chosen.choice().algorithm().equals(ran) ? chosen : selector.explain(request, ran);
        });
  }
}
