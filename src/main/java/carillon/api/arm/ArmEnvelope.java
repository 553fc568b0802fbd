package carillon.api.arm;

import static carillon.json.text.Dialect.Switch.CAPITAL_TYPES;
import static carillon.json.text.Dialect.Switch.ENVELOPED;
import static carillon.json.text.Dialect.Switch.TIME_SPANS;

import carillon.api.http.ApiRequest;
import carillon.api.http.ApiResponse;
import carillon.api.http.DialectEnvelope;
import carillon.api.http.ErrorMapping;
import carillon.api.http.HttpException;
import carillon.api.http.QueryParameters;
import carillon.api.http.RequestRateLimiter;
import carillon.api.http.RoutePath;
import carillon.auth.RequestId;
import carillon.job.name.CollectionName;
import carillon.job.name.ErrorCode;
import carillon.job.name.JobException;
import carillon.job.name.Quoted;
import carillon.json.DialectCodecs;
import carillon.json.text.Dialect;
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
import java.util.function.Predicate;
import java.util.regex.Pattern;

/**
 * Envelope of the ARM dialect, as Azure Resource Manager put it around the provider: api-version,
 * headers that identify requests, and rate limits.
 *
 * <p>The service sent neither ETag nor Location. Carillon does, deliberately: If-Match guards
 * writes in this dialect too, and clients of the service look at neither.
 */
public final class ArmEnvelope implements DialectEnvelope {
  /** Enveloped documents as the retired service had them. */
  public static final Dialect DIALECT = Dialect.of(ENVELOPED, CAPITAL_TYPES, TIME_SPANS);

  private static final String API_VERSION = "api-version";

  /** Versions of the provider, newest first. */
  static final List<String> VERSIONS = List.of("2016-03-01", "2016-01-01", "2014-08-01-preview");

  /** Version without bursts. */
  private static final String FIRST_VERSION = "2014-08-01-preview";

  private static final Pattern ANY_VERSION = Pattern.compile("\\d{4}-\\d{2}-\\d{2}(-[a-z]+)?");
  private static final Set<HttpMethod> READS =
      Set.of(HttpMethod.GET, HttpMethod.HEAD, HttpMethod.OPTIONS, HttpMethod.TRACE);

  /** Pattern of client values that may be echoed. */
  private static final Pattern ECHOED = Pattern.compile("[!-~]{1,128}");

  private static final DateTimeFormatter ROUTING_TIME =
      DateTimeFormatter.ofPattern("yyyyMMdd'T'HHmmss'Z'", Locale.ROOT).withZone(ZoneOffset.UTC);

  private final DialectCodecs codec;
  private final RequestRateLimiter rates;
  private final ArmRateLimiter armRates;
  private final String region;
  private final Predicate<String> versions;

  /**
   * Envelope for requests to the provider.
   *
   * @param region location of this node, for the header with the route of a request
   */
  ArmEnvelope(
      DialectCodecs codec, RequestRateLimiter rates, ArmRateLimiter armRates, String region) {
    this(
        codec,
        rates,
        armRates,
        region.replaceAll("[^A-Za-z0-9]", "").toUpperCase(Locale.ROOT),
        VERSIONS::contains);
  }

  private ArmEnvelope(
      DialectCodecs codec,
      RequestRateLimiter rates,
      ArmRateLimiter armRates,
      String region,
      Predicate<String> versions) {
    this.codec = codec;
    this.rates = rates;
    this.armRates = armRates;
    this.region = region;
    this.versions = versions;
  }

  /** Envelope for requests to Resource Manager itself. Its versions are any date. */
  ArmEnvelope ofManager() {
    return new ArmEnvelope(
        codec, rates, armRates, region, version -> ANY_VERSION.matcher(version).matches());
  }

  @Override
  public String word() {
    return "arm";
  }

  @Override
  public DialectCodecs codec() {
    return codec;
  }

  @Override
  public boolean refuses(String path) {
    String folded = path.toLowerCase(Locale.ROOT);
    return folded.startsWith("/subscriptions/") || folded.startsWith("/providers/");
  }

  /**
   * Admits a request and charges it to the subscription's budget. Callers without permission do not
   * get here: they use no budget, and do not learn how much remains.
   */
  @Override
  public void admit(ApiRequest request, Map<String, String> headers) {
    charge(request, headers);
    String version = version(request.query());
    if (!versions.test(version)) {
      throw invalidVersion(version);
    }
    rates.countCollection(request);
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

  @Override
  public Map<String, String> headers(HttpServerRequest request, Instant now) {
    String id = id(request);
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

  /** Returns the id of the request. If the client sent an id, the service uses another, new one. */
  private static String id(HttpServerRequest request) {
    return RequestId.isSent(request) ? UUID.randomUUID().toString() : RequestId.of(request);
  }

  private static Optional<String> echoed(HttpServerRequest request, String name) {
    return Optional.ofNullable(request.getHeader(name))
        .filter(value -> ECHOED.matcher(value).matches());
  }

  /**
   * Answers a refusal. Azure's front door knew the collections, and answered for the provider if a
   * collection was missing.
   */
  @Override
  public ApiResponse refusal(Throwable failure, HttpServerRequest request, RoutePath path) {
    return failure instanceof JobException refusal
            && refusal.code() == ErrorCode.COLLECTION_NOT_FOUND
        ? noResource(path.collection()).answer()
        : ErrorMapping.refusal(failure, request).answer();
  }

  @Override
  public ApiResponse withHeaders(
      ApiResponse response, RoutePath path, Map<String, String> headers) {
    return response.withoutNewline().with(headers);
  }

  private static HttpException noResource(CollectionName name) {
    return HttpException.of(
        404,
        "ResourceNotFound",
        "The Resource 'Microsoft.Scheduler/jobcollections/"
            + name.collection()
            + "' under resource group '"
            + name.group()
            + "' was not found.",
        HttpException.BY_GATEWAY);
  }

  /**
   * Counts the request, adds the remaining budget to the headers, and refuses the request if the
   * budget is exceeded.
   */
  private void charge(ApiRequest request, Map<String, String> headers) {
    boolean isWrite = !READS.contains(request.http().method());
    String kind = isWrite ? "writes" : "reads";
    String subscription = request.path().name(RoutePath.SUBSCRIPTION).orElse("");
    ArmRateLimiter.Remaining left = armRates.count(subscription, isWrite, request.now());
    headers.put("x-ms-ratelimit-remaining-subscription-" + kind, Integer.toString(left.hourly()));
    String query = request.http().query();
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
