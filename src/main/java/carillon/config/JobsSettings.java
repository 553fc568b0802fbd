package carillon.config;

import static carillon.config.SettingRules.TEN_YEARS;
import static java.time.Duration.ofDays;

import java.time.Duration;

/** What becomes of jobs. */
public record JobsSettings(Duration keepFinished) {
  public JobsSettings {
    new SettingRules("jobs")
        .between("keepFinished", keepFinished, Duration.ZERO, TEN_YEARS)
        .check();
  }

  /** What holds where nothing is set. */
  static JobsSettings defaults() {
    return new JobsSettings(ofDays(60));
  }
}
