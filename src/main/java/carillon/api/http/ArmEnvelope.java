package carillon.api.http;

import carillon.job.ErrorCode;
import carillon.job.JobException;
import carillon.job.Quoted;
import io.vertx.core.http.HttpMethod;
import io.vertx.core.http.HttpServerRequest;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import java.util.regex.Pattern;

/**
 * What Azure Resource Manager put around the provider: api-version, headers that name requests, and
 * budgets.
 *
 * <p>The service sent neither ETag nor Location. Carillon does, deliberately: If-Match guards
 * writes in this dialect too, and clients of the service look at neither.
 */
public final class ArmEnvelope {
  private static final String API_VERSION = "api-version";

  /** Of the provider, newest first. */
  static final List<String> VERSIONS = List.of("2016-03-01", "2016-01-01", "2014-08-01-preview");

  /** The one that knew no bursts. */
  private static final String FIRST_VERSION = "2014-08-01-preview";

  private static final Pattern ANY_VERSION = Pattern.compile("\\d{4}-\\d{2}-\\d{2}(-[a-z]+)?");
  private static final Set<HttpMethod> READS =
      Set.of(HttpMethod.GET, HttpMethod.HEAD, HttpMethod.OPTIONS, HttpMethod.TRACE);

  /** What a client may have echoed back to it. */
  private static final Pattern ECHOED = Pattern.compile("[!-~]{1,128}");

  private static final DateTimeFormatter ROUTING_TIME =
      DateTimeFormatter.ofPattern("yyyyMMdd'T'HHmmss'Z'", Locale.ROOT).withZone(ZoneOffset.UTC);

  private final ArmRateLimiter throttle;
  private final String region;

  /**
   * @param region where this node is, for the header that says how a request was routed
   */
  public ArmEnvelope(ArmRateLimiter throttle, String region) {
    this.throttle = throttle;
    this.region = region.replaceAll("[^A-Za-z0-9]", "").toUpperCase(Locale.ROOT);
  }

  /** Refuses a request that speaks of no version of the provider. */
  public static void checkVersion(QueryParameters query) {
    String version = version(query);
    if (!VERSIONS.contains(version)) {
      throw invalidVersion(version);
    }
  }

  /** Refuses a request that speaks of no version; Resource Manager's own are any date. */
  public static void checkManagerVersion(QueryParameters query) {
    String version = version(query);
    if (!ANY_VERSION.matcher(version).matches()) {
      throw invalidVersion(version);
    }
  }

  private static String version(QueryParameters query) {
    return query
        .text(API_VERSION)
        .filter(text -> !text.isEmpty())
        .orElseThrow(
            () ->
                HttpException.gateway(
                    "MissingApiVersionParameter",
                    "The api-version query parameter (?api-version=) is required for all"
                        + " requests."));
  }

  private static HttpException invalidVersion(String version) {
    return HttpException.gateway(
        "InvalidApiVersionParameter",
        "The api-version '"
            + Quoted.of(version)
            + "' is invalid. The supported versions are '"
            + String.join(",", VERSIONS)
            + "'.");
  }

  /** The headers of every answer, errors among them. */
  public Map<String, String> headers(HttpServerRequest request, Instant now) {
    String id = UUID.randomUUID().toString();
    String correlation = echoed(request, "x-ms-correlation-request-id").orElse(id);
    Map<String, String> headers = new HashMap<>();
    headers.put("Cache-Control", "no-cache");
    headers.put("Pragma", "no-cache");
    headers.put("Expires", "-1");
    headers.put("x-ms-request-id", id);
    headers.put("x-ms-correlation-request-id", correlation);
    headers.put(
        "x-ms-routing-request-id", region + ":" + ROUTING_TIME.format(now) + ":" + correlation);
    if ("true".equalsIgnoreCase(request.getHeader("x-ms-return-client-request-id"))) {
      echoed(request, "x-ms-client-request-id")
          .ifPresent(client -> headers.put("x-ms-client-request-id", client));
    }
    return headers;
  }

  private static Optional<String> echoed(HttpServerRequest request, String name) {
    return Optional.ofNullable(request.getHeader(name))
        .filter(value -> ECHOED.matcher(value).matches());
  }

  /** Azure's front door knew collections, and answered for the provider where there was none. */
  public static ApiResponse refusal(Throwable failure, HttpServerRequest request) {
    ApiResponse response = ErrorMapping.answer(failure, request);
    return failure instanceof JobException refusal
            && refusal.code() == ErrorCode.COLLECTION_NOT_FOUND
        ? response.with(HttpException.BY_GATEWAY)
        : response;
  }

  /** Counts the request, adds what is left to the headers, and refuses it when it is too much. */
  public void charge(
      HttpServerRequest request, String subscription, Instant now, Map<String, String> headers) {
    boolean isWrite = !READS.contains(request.method());
    String kind = isWrite ? "writes" : "reads";
    ArmRateLimiter.Remaining left = throttle.count(subscription, isWrite, now);
    headers.put("x-ms-ratelimit-remaining-subscription-" + kind, Integer.toString(left.hourly()));
    String query = request.query();
    if (query == null || !query.contains(FIRST_VERSION)) {
      headers.put(
          "x-ms-ratelimit-burst-remaining-scheduler-" + kind, Integer.toString(left.burst()));
    }
    if (left.isExceeded()) {
      throw HttpException.tooMany(
          "Subscription '"
              + Quoted.of(subscription)
              + "' has no "
              + kind
              + " left on this node; try again in "
              + left.refusedFor().toSeconds()
              + " seconds.",
          left.refusedFor());
    }
  }
}
