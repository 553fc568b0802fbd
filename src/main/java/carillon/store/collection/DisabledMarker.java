package carillon.store.collection;

import java.time.Duration;
import java.time.Instant;
import java.time.format.DateTimeParseException;
import java.util.Optional;

/**
 * Disabled marker of a collection, as it stands in each partition's {@code gates} and in {@code
 * carillon:gates}: {@code closed <since>[/<until>] <revision>}, {@code open <since> <revision>} or,
 * of a pause to come, {@code planned <from>[/<until>] <revision>}. Groups and everything have
 * markers beside them, see {@code PauseScope}. What a disabled collection holds back waits in the
 * partition's {@code held} set; once the collection is enabled, its marker stays {@code open} while
 * the nodes let that go, and is then removed.
 *
 * <p>{@code closed}, {@code open} and {@code gates} are older than the words of the code. They
 * stay: scripts of operators may rely on the key, and in an upgrade nodes of both versions go by
 * the marker.
 */
public final class DisabledMarker {
  private static final String DISABLED = "closed ";
  private static final String UNTIL = "/";
  private static final String ENABLED = "open ";
  private static final String PLANNED = "planned ";

  private DisabledMarker() {}

  /**
   * Marker of a collection that is disabled.
   *
   * @param until when its pause ends by itself
   * @param revision of the collection that has this state
   */
  public static String disabled(Instant since, Optional<Instant> until, long revision) {
    return DISABLED + since + until.map(end -> UNTIL + end).orElse("") + " " + revision;
  }

  /**
   * Marker of a pause to come: it disables from an instant on.
   *
   * @param until when the pause ends by itself
   */
  public static String planned(Instant from, Optional<Instant> until, long revision) {
    return PLANNED + from + until.map(end -> UNTIL + end).orElse("") + " " + revision;
  }

  /** Whether the marker is that of a pause to come. */
  public static boolean isPlanned(String marker) {
    return marker != null && marker.startsWith(PLANNED);
  }

  /** Whether the marker is that of a pause to come whose instant has come. */
  public static boolean hasBegun(String marker, long nowMillis) {
    if (!isPlanned(marker)) {
      return false;
    }
    try {
      String from = marker.substring(PLANNED.length()).split("[/ ]", 2)[0];
      return Instant.parse(from).toEpochMilli() <= nowMillis;
    } catch (DateTimeParseException e) {
      return true; // fsck sets it anew
    }
  }

  /** Whether the marker holds jobs back at this instant. */
  public static boolean holds(String marker, long nowMillis) {
    return (disables(marker) || hasBegun(marker, nowMillis)) && !isOver(marker, nowMillis);
  }

  /** Whether the marker is of a pause, and that goes on or is to come. */
  static boolean pauses(String marker, long nowMillis) {
    return (disables(marker) || isPlanned(marker)) && !isOver(marker, nowMillis);
  }

  /** Whether the marker is that of a pause that is over. */
  public static boolean isOver(String marker, long nowMillis) {
    int at = disables(marker) || isPlanned(marker) ? marker.indexOf(UNTIL) : -1;
    try {
      return at >= 0
          && Instant.parse(marker.substring(at + 1).split(" ", 2)[0]).toEpochMilli() <= nowMillis;
    } catch (DateTimeParseException e) {
      return false; // fsck sets it anew
    }
  }

  /**
   * Marker of a collection that is enabled again.
   *
   * @param revision of the collection that has this state
   */
  public static String enabled(Instant since, long revision) {
    return ENABLED + since + " " + revision;
  }

  /**
   * True if the marker disables the collection.
   *
   * @param marker null when there is none: the collection is not, and lately was not, disabled
   */
  public static boolean disables(String marker) {
    return marker != null && marker.startsWith(DISABLED);
  }

  /**
   * True if the marker, which does not disable, was set longer ago than {@code age}; also for one
   * that cannot be read, as nobody can use it.
   */
  public static boolean isEnabledFor(String marker, Duration age, long nowMillis) {
    try {
      Instant since = Instant.parse(marker.substring(ENABLED.length()).split(" ", 2)[0]);
      return nowMillis - since.toEpochMilli() > age.toMillis();
    } catch (DateTimeParseException | IndexOutOfBoundsException e) {
      return true;
    }
  }
}
