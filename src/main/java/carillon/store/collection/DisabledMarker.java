package carillon.store.collection;

import java.time.Duration;
import java.time.Instant;
import java.time.format.DateTimeParseException;
import java.util.Optional;

/**
 * Disabled marker of a collection, in each partition's {@code gates} and in {@code carillon:gates}.
 * Its forms are {@code closed <since>[/<until>] <revision>}, {@code open <since> <revision>}, and
 * for a planned pause {@code planned <from>[/<until>] <revision>}. Groups and everything have their
 * own markers, see {@code PauseScope}.
 *
 * <p>Attempts of a disabled collection wait in the waiting list of the marker, see {@code
 * WaitingCause}. After the collection is enabled, its marker is {@code open} while the nodes
 * release these attempts, and is then removed.
 *
 * <p>{@code closed}, {@code open} and {@code gates} are older than the terms of the code. They stay
 * because scripts of operators may rely on the key. During an upgrade, nodes of both versions also
 * use the marker.
 */
public final class DisabledMarker {
  private static final String DISABLED = "closed ";
  private static final String UNTIL = "/";
  private static final String ENABLED = "open ";
  private static final String PLANNED = "planned ";

  private DisabledMarker() {}

  /**
   * Returns the marker of a disabled collection.
   *
   * @param until when its pause ends automatically
   * @param revision revision of the collection with this state
   */
  public static String disabled(Instant since, Optional<Instant> until, long revision) {
    return DISABLED + since + until.map(end -> UNTIL + end).orElse("") + " " + revision;
  }

  /**
   * Returns the marker of a planned pause, which disables from an instant on.
   *
   * @param until when the pause ends automatically
   */
  public static String planned(Instant from, Optional<Instant> until, long revision) {
    return PLANNED + from + until.map(end -> UNTIL + end).orElse("") + " " + revision;
  }

  /** Whether the marker is that of a planned pause. */
  public static boolean isPlanned(String marker) {
    return marker != null && marker.startsWith(PLANNED);
  }

  /** Whether the marker is that of a planned pause that has begun. */
  public static boolean hasBegun(String marker, long nowMillis) {
    if (!isPlanned(marker)) {
      return false;
    }
    try {
      String from = marker.substring(PLANNED.length()).split("[/ ]", 2)[0];
      return Instant.parse(from).toEpochMilli() <= nowMillis;
    } catch (DateTimeParseException e) {
      return true; // fsck repairs it
    }
  }

  /** Whether the marker holds jobs back at this instant. */
  public static boolean holds(String marker, long nowMillis) {
    return (disables(marker) || hasBegun(marker, nowMillis)) && !isOver(marker, nowMillis);
  }

  /** Whether the marker is that of a pause that is active or planned. */
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
      return false; // fsck repairs it
    }
  }

  /**
   * Returns the marker of a collection that is enabled again.
   *
   * @param revision revision of the collection with this state
   */
  public static String enabled(Instant since, long revision) {
    return ENABLED + since + " " + revision;
  }

  /**
   * Whether the marker disables the collection.
   *
   * @param marker null if there is none: the collection is not disabled, and was not recently
   */
  public static boolean disables(String marker) {
    return marker != null && marker.startsWith(DISABLED);
  }

  /**
   * Whether a marker that does not disable was set longer ago than {@code age}. Also true for an
   * unreadable one, because it is useless.
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
