package carillon.config;

import static java.time.Duration.ofMillis;
import static java.time.Duration.ofSeconds;

import java.time.Duration;

/** Finding what is due. */
public record TimerSettings(Duration look, int batch) {
  public TimerSettings {
    new SettingRules("timer")
        .between("look", look, ofMillis(10), ofSeconds(1))
        .between("batch", batch, 1, 256)
        .check();
  }

  /** What holds where nothing is set. */
  static TimerSettings defaults() {
    return new TimerSettings(ofMillis(500), 256);
  }
}
