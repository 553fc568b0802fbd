package carillon.dispatch;

import java.util.LinkedHashMap;
import java.util.Map;

/** A map with a bound: the entry that was not used for longest makes room. Not thread-safe. */
final class LruMap<K, V> extends LinkedHashMap<K, V> {
  private static final long serialVersionUID = 1L;

  private final int most;

  LruMap(int most) {
    super(16, 0.75f, true);
    this.most = most;
  }

  @Override
  protected boolean removeEldestEntry(Map.Entry<K, V> eldest) {
    return size() > most;
  }
}
