package carillon.config;

import java.nio.file.Path;

/** Where files are kept. */
public record DataSettings(Path dir) {

  /** What holds where nothing is set. */
  static DataSettings defaults() {
    return new DataSettings(Path.of("data"));
  }
}
