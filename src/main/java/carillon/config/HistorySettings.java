package carillon.config;

import static carillon.config.SettingRules.KB;
import static carillon.config.SettingRules.MB;
import static carillon.config.SettingRules.TEN_YEARS;
import static java.time.Duration.ofDays;
import static java.time.Duration.ofMinutes;

import java.time.Duration;

/** How much of what happened is kept, per job. */
public record HistorySettings(int entries, Duration age, int bytes) {
  public HistorySettings {
    new SettingRules("history")
        .between("entries", entries, 1, 100_000)
        .between("age", age, ofMinutes(1), TEN_YEARS)
        .between("bytes", bytes, KB, 64 * MB)
        .check();
  }

  /** What holds where nothing is set. */
  static HistorySettings defaults() {
    return new HistorySettings(1000, ofDays(60), 256 * KB);
  }
}
