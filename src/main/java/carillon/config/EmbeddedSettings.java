package carillon.config;

/** The Redis that Carillon starts itself when {@code redis.uri} is empty. */
public record EmbeddedSettings(Fsync appendfsync) {

  /** When the append-only file is forced to the disk. */
  public enum Fsync {
    EVERYSEC,
    ALWAYS
  }

  /** What holds where nothing is set. */
  static EmbeddedSettings defaults() {
    return new EmbeddedSettings(Fsync.EVERYSEC);
  }
}
