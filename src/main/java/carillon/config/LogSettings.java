package carillon.config;

/** Logging. */
public record LogSettings(Level level, Format format) {

  /** How a line is written. */
  public enum Format {
    TEXT,
    JSON
  }

  /** The least important messages that are written. */
  public enum Level {
    ERROR,
    WARN,
    INFO,
    DEBUG,
    TRACE
  }

  /** What holds where nothing is set. */
  static LogSettings defaults() {
    return new LogSettings(Level.INFO, Format.TEXT);
  }
}
