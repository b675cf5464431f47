package org.sparkcollectives.internal.cache;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class BoundedMapTest {
  private static List<String> afterUseOfTheFirst(Map<String, Integer> map) {
    map.put("a", 1);
    map.put("b", 2);
    map.get("a");
    map.put("c", 3);
    return List.copyOf(map.keySet());
  }

  @Test
  void theOldestEntryIsForgotten() {
    assertEquals(List.of("b", "c"), afterUseOfTheFirst(BoundedMap.ofLatest(2)));
  }

  @Test
  void theEntryThatWasUsedLeastRecentlyIsForgotten() {
    assertEquals(List.of("a", "c"), afterUseOfTheFirst(BoundedMap.ofLastUsed(2)));
  }
}
