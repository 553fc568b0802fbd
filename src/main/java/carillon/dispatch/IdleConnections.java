package carillon.dispatch;

import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * Connections to targets that no call uses, each kept for {@link #LONGEST} whatever the target says
 * of keeping it. No more than a given number are kept; the one that was idle for longest goes.
 * Confined to an event loop.
 */
final class IdleConnections {
  static final Duration LONGEST = Duration.ofSeconds(10);

  private final InstantSource clock;
  private final int most;

  /** Since when, the longest first. */
  private final Map<ConnectionGuard, Instant> since = new LinkedHashMap<>();

  IdleConnections(InstantSource clock, int most) {
    this.clock = clock;
    this.most = most;
  }

  /** Opened, or its call has ended. */
  void add(ConnectionGuard connection) {
    since.put(connection, clock.instant());
    if (since.size() > most) {
      Iterator<ConnectionGuard> oldest = since.keySet().iterator();
      ConnectionGuard surplus = oldest.next();
      oldest.remove();
      surplus.close();
    }
  }

  /** A call uses it, or it has ended. */
  void remove(ConnectionGuard connection) {
    since.remove(connection);
  }

  /** Ends those that have been idle for too long. */
  void closeOld() {
    Instant limit = clock.instant().minus(LONGEST);
    since.entrySet().stream()
        .takeWhile(entry -> !entry.getValue().isAfter(limit))
        .map(Map.Entry::getKey)
        .toList()
        .forEach(ConnectionGuard::close);
  }
}
