package carillon.config;

import static carillon.config.SettingRules.TEN_YEARS;
import static java.time.Duration.ofDays;
import static java.time.Duration.ofHours;
import static java.time.Duration.ofMillis;
import static java.time.Duration.ofSeconds;

import java.time.Duration;

/** The retry policy of jobs that give none. */
public record RetrySettings(
    int count, Duration interval, Duration minInterval, Duration maxRetryAfter) {
  public RetrySettings {
    new SettingRules("retry")
        .between("count", count, 0, 1000)
        .between("interval", interval, ofMillis(1), TEN_YEARS)
        .between("minInterval", minInterval, ofMillis(1), ofDays(1))
        .between("maxRetryAfter", maxRetryAfter, ofSeconds(0), ofDays(30))
        .require(
            interval.compareTo(minInterval) >= 0,
            "interval",
            interval,
            "must be at least retry.minInterval (" + DurationText.format(minInterval) + ")",
            "retry.minInterval")
        .check();
  }

  /** What holds where nothing is set. */
  static RetrySettings defaults() {
    return new RetrySettings(4, ofSeconds(30), ofSeconds(1), ofHours(1));
  }
}
