package carillon.bounded;

import java.util.LinkedHashMap;
import java.util.Map;

/** Map with a maximum size, which evicts the least recently used entry. Not thread-safe. */
public final class LruMap<K, V> extends LinkedHashMap<K, V> {
  private static final long serialVersionUID = 1L;

  private final int maxEntries;

  /**
   * Creates an empty map.
   *
   * @param maxEntries maximum number of entries
   */
  public LruMap(int maxEntries) {
    super(16, 0.75f, true);
    this.maxEntries = maxEntries;
  }

  @Override
  protected boolean removeEldestEntry(Map.Entry<K, V> eldest) {
    return size() > maxEntries;
  }
}
