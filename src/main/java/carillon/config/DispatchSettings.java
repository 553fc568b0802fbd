package carillon.config;

import static carillon.config.SettingRules.KB;
import static carillon.config.SettingRules.MB;
import static java.time.Duration.ofHours;
import static java.time.Duration.ofMillis;
import static java.time.Duration.ofSeconds;

import java.time.Duration;
import java.util.regex.Pattern;

/** Section {@code dispatch}: how targets are called. */
public record DispatchSettings(
    int maxInFlight,
    int maxPerDestination,
    Duration timeout,
    int maxResponse,
    String region,
    int maxCrashes,
    String trustedCa) {
  private static final Pattern HEADER_VALUE = Pattern.compile("[!-~]([ -~]{0,62}[!-~])?");

  public DispatchSettings {
    new SettingRules("dispatch")
        .between("maxInFlight", maxInFlight, 1, 100_000)
        .between("maxPerDestination", maxPerDestination, 1, 100_000)
        .between("timeout", timeout, ofMillis(100), ofHours(1))
        .between("maxResponse", maxResponse, 0, 16 * MB)
        .matches("region", region, HEADER_VALUE, "must be 1 to 64 printable ASCII characters")
        .between("maxCrashes", maxCrashes, 1, 1000)
        .readable("trustedCa", trustedCa)
        .check();
  }

  /** What holds where nothing is set. */
  static DispatchSettings defaults() {
    return new DispatchSettings(1024, 256, ofSeconds(60), 64 * KB, "local", 5, "");
  }
}
