package carillon.bounded;

import java.util.LinkedHashMap;
import java.util.Map;

/** Map with a bound: the entry that was not used for longest makes room. Not thread-safe. */
public final class LruMap<K, V> extends LinkedHashMap<K, V> {
  private static final long serialVersionUID = 1L;

  private final int maxEntries;

  /**
   * An empty map.
   *
   * @param maxEntries entries that it keeps
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
