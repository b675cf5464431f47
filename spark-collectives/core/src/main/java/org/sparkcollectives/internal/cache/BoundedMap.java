package org.sparkcollectives.internal.cache;

import java.util.LinkedHashMap;
import java.util.Map;

/**
 * A map that forgets an entry when it gets one too many. For one thread at a time.
 *
 * @param <K> what entries are found by
 * @param <V> what is kept
 */
public final class BoundedMap<K, V> extends LinkedHashMap<K, V> {
  private static final long serialVersionUID = 1L;

  private final int most;

  private BoundedMap(int most, boolean byUse) {
    super(16, 0.75f, byUse);
    this.most = most;
  }

  /**
   * A map that forgets the entry that has been in it for longest.
   *
   * @param most how many entries are kept
   * @param <K> what entries are found by
   * @param <V> what is kept
   * @return an empty map
   */
  public static <K, V> Map<K, V> ofLatest(int most) {
    return new BoundedMap<>(most, false);
  }

  /**
   * A map that forgets the entry that has not been asked for or put for longest.
   *
   * @param most how many entries are kept
   * @param <K> what entries are found by
   * @param <V> what is kept
   * @return an empty map
   */
  public static <K, V> Map<K, V> ofLastUsed(int most) {
    return new BoundedMap<>(most, true);
  }

  @Override
  protected boolean removeEldestEntry(Map.Entry<K, V> eldest) {
    return size() > most;
  }
}
