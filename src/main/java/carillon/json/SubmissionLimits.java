package carillon.json;

import carillon.config.Settings.LimitsSettings;
import carillon.config.Settings.RetrySettings;
import java.time.Duration;

/**
 * Limits of what a client may submit.
 *
 * @param jobBytes of a job's document as it is sent; after a PATCH, of the whole job as it would be
 *     answered
 * @param uri characters of a URI
 * @param headers how many per request
 * @param headerBytes characters of all header names and values of a request
 * @param body of a request, or message of a queue, in bytes of UTF-8
 * @param horizon how far ahead startTime may lie, and endTime after it; the longest retryInterval
 * @param minRetryInterval the shortest retryInterval
 */
public record SubmissionLimits(
    int jobBytes,
    int uri,
    int headers,
    int headerBytes,
    int body,
    Duration horizon,
    Duration minRetryInterval) {
  /** No stretch of 18 months is longer. */
  private static final Duration EIGHTEEN_MONTHS = Duration.ofDays(550);

  /** The values that the settings give. */
  public static SubmissionLimits of(LimitsSettings limits, RetrySettings retry) {
    return new SubmissionLimits(
        limits.jobBytes(),
        limits.uri(),
        limits.headers(),
        limits.headerBytes(),
        limits.body(),
        limits.horizon(),
        retry.minInterval());
  }

  /**
   * The values that the retired service documented; it is the deployment that says how fast to
   * retry.
   */
  public static SubmissionLimits documented(Duration minRetryInterval) {
    return new SubmissionLimits(16 * 1024, 2048, 50, 4096, 8192, EIGHTEEN_MONTHS, minRetryInterval);
  }
}
