package carillon.store.collection;

import java.time.Duration;
import java.time.Instant;
import java.time.format.DateTimeParseException;

/**
 * Disabled marker of a collection, as it stands in each partition's {@code gates} and in {@code
 * carillon:gates}: {@code closed <since> <revision>} or {@code open <since> <revision>}. What a
 * closed gate held back waits in the partition's {@code gated} set; an entry stays {@code open}
 * while the nodes let that go, and is then removed.
 */
public final class DisabledMarker {
  private static final String CLOSED = "closed ";
  private static final String OPEN = "open ";

  private DisabledMarker() {}

  /**
   * The entry of a gate that is closed.
   *
   * @param revision of the collection that has this state
   */
  public static String closed(Instant since, long revision) {
    return CLOSED + since + " " + revision;
  }

  /**
   * The entry of a gate that was opened.
   *
   * @param revision of the collection that has this state
   */
  public static String open(Instant since, long revision) {
    return OPEN + since + " " + revision;
  }

  /**
   * True if the marker disables the collection.
   *
   * @param entry null when there is none: the gate was never closed
   */
  public static boolean isClosed(String entry) {
    return entry != null && entry.startsWith(CLOSED);
  }

  /**
   * True if the marker, which does not disable, was set longer ago than {@code age}; also for one
   * that cannot be read, as nobody can use it.
   */
  public static boolean isOpenFor(String entry, Duration age, long nowMillis) {
    try {
      Instant since = Instant.parse(entry.substring(OPEN.length()).split(" ", 2)[0]);
      return nowMillis - since.toEpochMilli() > age.toMillis();
    } catch (DateTimeParseException | IndexOutOfBoundsException e) {
      return true;
    }
  }
}
