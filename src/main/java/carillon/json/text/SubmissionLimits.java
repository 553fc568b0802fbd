package carillon.json.text;

import carillon.config.Settings;
import carillon.config.Settings.LimitsSettings;
import java.time.Duration;

/**
 * Limits of submissions by clients.
 *
 * @param jobBytes of a job's document as sent; for a PATCH, of the whole job in its answered form
 * @param uri characters of a URI
 * @param headers maximum number per request
 * @param headerBytes characters of all header names and values of a request
 * @param body of a request, or message of a queue, in bytes of UTF-8
 * @param horizon how far ahead startTime may lie, and endTime after it; the longest retryInterval
 * @param minRetryInterval the shortest retryInterval
 * @param maxTimeout the longest timeout of an action
 */
public record SubmissionLimits(
    int jobBytes,
    int uri,
    int headers,
    int headerBytes,
    int body,
    Duration horizon,
    Duration minRetryInterval,
    Duration maxTimeout) {
  /** Longest possible time of 18 months. */
  private static final Duration EIGHTEEN_MONTHS = Duration.ofDays(550);

  /** Returns the limits from the settings. */
  public static SubmissionLimits of(Settings settings) {
    LimitsSettings limits = settings.limits();
    return new SubmissionLimits(
        limits.jobBytes(),
        limits.uri(),
        limits.headers(),
        limits.headerBytes(),
        limits.body(),
        limits.horizon(),
        settings.retry().minInterval(),
        settings.dispatch().maxTimeout());
  }

  /**
   * Returns the limits that the retired service documented. The deployment determines the shortest
   * retry interval and the longest timeout.
   */
  public static SubmissionLimits documented(Duration minRetryInterval, Duration maxTimeout) {
    return new SubmissionLimits(
        16 * 1024, 2048, 50, 4096, 8192, EIGHTEEN_MONTHS, minRetryInterval, maxTimeout);
  }
}
