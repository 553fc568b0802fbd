package carillon.redis;

import java.util.Locale;

/**
 * What becomes of an accepted change (one that was answered 2xx) when something fails. Each level
 * includes the ones before it; all but the first are enforced: a server that does not give the
 * level is not used.
 */
public enum Durability {
  /** Whatever Redis is set to; it is only reported. */
  ANY,
  /**
   * Append-only file, forced to the disk every second: a power failure can cost two seconds of
   * changes.
   */
  EVERYSEC,
  /** Append-only file, forced to the disk before each answer. */
  FSYNC,
  /**
   * As {@link #FSYNC}, and a replica has each accepted change before it is answered ({@code WAIT});
   * a master that has lost its replicas refuses writes ({@code min-replicas-to-write}).
   */
  REPLICA;

  /** As it stands in the settings. */
  String word() {
    return name().toLowerCase(Locale.ROOT);
  }
}
