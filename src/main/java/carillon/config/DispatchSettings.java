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
    Duration maxTimeout,
    int maxResponse,
    String region,
    int maxCrashes,
    String trustedCa,
    boolean azureHeaders) {
  private static final Duration LONGEST = ofHours(1);
  private static final Pattern HEADER_VALUE = Pattern.compile("[!-~]([ -~]{0,62}[!-~])?");

  public DispatchSettings {
    new SettingRules("dispatch")
        .between("maxInFlight", maxInFlight, 1, 100_000)
        .between("maxPerDestination", maxPerDestination, 1, 100_000)
        .between("timeout", timeout, ofMillis(100), LONGEST)
        .between("maxTimeout", maxTimeout, ofMillis(100), LONGEST)
        .require(
            maxTimeout.compareTo(timeout) >= 0 || timeout.compareTo(LONGEST) > 0,
            "maxTimeout",
            maxTimeout,
            "must be at least dispatch.timeout (" + DurationText.format(timeout) + ")",
            "dispatch.timeout")
        .between("maxResponse", maxResponse, 0, 16 * MB)
        .matches("region", region, HEADER_VALUE, "must be 1 to 64 printable ASCII characters")
        .between("maxCrashes", maxCrashes, 1, 1000)
        .readable("trustedCa", trustedCa)
        .check();
  }

  /** Returns the default settings. */
  static DispatchSettings defaults() {
    return new DispatchSettings(1024, 256, ofSeconds(60), LONGEST, 64 * KB, "local", 5, "", false);
  }
}
