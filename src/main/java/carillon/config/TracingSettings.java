package carillon.config;

import static java.time.Duration.ofMillis;
import static java.time.Duration.ofMinutes;
import static java.time.Duration.ofSeconds;

import java.time.Duration;
import java.util.List;
import java.util.regex.Pattern;

/**
 * Section {@code tracing}: where traces are sent. May hold a key: {@code toString} does not show
 * it.
 */
public record TracingSettings(
    String endpoint, @Setting(secret = true) List<String> headers, int oneIn, Duration timeout) {
  private static final Pattern ENDPOINT = Pattern.compile("(https?://[^\\s@?#]+)?");
  private static final Pattern HEADER = Pattern.compile("[A-Za-z0-9!#$%&'*+.^_`|~-]+=[ -~]*");

  public TracingSettings {
    headers = List.copyOf(headers);
    new SettingRules("tracing")
        .matches(
            "endpoint",
            endpoint,
            ENDPOINT,
            "must be http://host[:port]/path or https://..., without user and query, or empty")
        .require(
            headers.stream().allMatch(header -> HEADER.matcher(header).matches()),
            "headers",
            "(not shown)",
            "must be a list of NAME=VALUE")
        .between("oneIn", oneIn, 1, 1_000_000)
        .between("timeout", timeout, ofMillis(100), ofMinutes(1))
        .check();
  }

  /** Returns the default settings. */
  static TracingSettings defaults() {
    return new TracingSettings("", List.of(), 1, ofSeconds(10));
  }

  /** Whether anything is traced. */
  public boolean isOn() {
    return !endpoint.isEmpty();
  }

  /** Shows the number of headers. */
  @Override
  public String toString() {
    return "Tracing[" + endpoint + ", " + headers.size() + " headers]";
  }
}
