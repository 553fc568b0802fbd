package carillon.config;

import static carillon.config.SettingRules.KB;
import static carillon.config.SettingRules.MB;
import static carillon.config.SettingRules.TEN_YEARS;
import static java.time.Duration.ofDays;

import java.time.Duration;

/** What a job may be. */
public record LimitsSettings(
    int jobBytes, int uri, int headers, int headerBytes, int body, Duration horizon) {
  public LimitsSettings {
    new SettingRules("limits")
        .between("jobBytes", jobBytes, KB, 16 * MB)
        .between("uri", uri, 64, 64 * KB)
        .between("headers", headers, 0, 1000)
        .between("headerBytes", headerBytes, 0, MB)
        .between("body", body, 0, 16 * MB)
        .require(
            body < jobBytes,
            "body",
            body,
            "must be less than limits.jobBytes (" + jobBytes + "), which the body is a part of",
            "limits.jobBytes")
        .between("horizon", horizon, ofDays(1), TEN_YEARS.multipliedBy(10))
        .check();
  }

  /** What holds where nothing is set. */
  static LimitsSettings defaults() {
    return new LimitsSettings(64 * KB, 8 * KB, 100, 16 * KB, 32 * KB, TEN_YEARS);
  }
}
