package carillon.api.http;

import carillon.auth.RequestId;
import carillon.job.CollectionName;
import carillon.job.ErrorCode;
import carillon.job.JobException;
import carillon.job.Quoted;
import carillon.json.Dialect.DialectCodec;
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
  private static final String API_VERSION = "api-version";

  /** Of the provider, newest first. */
  public static final List<String> VERSIONS =
      List.of("2016-03-01", "2016-01-01", "2014-08-01-preview");

  /** The one that knew no bursts. */
  private static final String FIRST_VERSION = "2014-08-01-preview";

  private static final Pattern ANY_VERSION = Pattern.compile("\\d{4}-\\d{2}-\\d{2}(-[a-z]+)?");
  private static final Set<HttpMethod> READS =
      Set.of(HttpMethod.GET, HttpMethod.HEAD, HttpMethod.OPTIONS, HttpMethod.TRACE);

  /** What a client may have echoed back to it. */
  private static final Pattern ECHOED = Pattern.compile("[!-~]{1,128}");

  private static final DateTimeFormatter ROUTING_TIME =
      DateTimeFormatter.ofPattern("yyyyMMdd'T'HHmmss'Z'", Locale.ROOT).withZone(ZoneOffset.UTC);

  private final DialectCodec codec;
  private final RequestRateLimiter rates;
  private final ArmRateLimiter armRates;
  private final String region;
  private final Predicate<String> versions;

  /**
   * What is put around requests to the provider.
   *
   * @param region where this node is, for the header that says how a request was routed
   */
  public ArmEnvelope(
      DialectCodec codec, RequestRateLimiter rates, ArmRateLimiter armRates, String region) {
    this(
        codec,
        rates,
        armRates,
        region.replaceAll("[^A-Za-z0-9]", "").toUpperCase(Locale.ROOT),
        VERSIONS::contains);
  }

  private ArmEnvelope(
      DialectCodec codec,
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

  /** What is put around requests to Resource Manager itself, whose versions are any date. */
  public ArmEnvelope ofManager() {
    return new ArmEnvelope(
        codec, rates, armRates, region, version -> ANY_VERSION.matcher(version).matches());
  }

  @Override
  public String word() {
    return "arm";
  }

  @Override
  public DialectCodec codec() {
    return codec;
  }

  /**
   * Whoever may not ask does not get here: it takes nothing from the budget of the subscription,
   * and is not told what is left of it.
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

  /** The id that was made for the request; one of its own where the client sent an id. */
  private static String id(HttpServerRequest request) {
    return RequestId.isSent(request) ? UUID.randomUUID().toString() : RequestId.of(request);
  }

  private static Optional<String> echoed(HttpServerRequest request, String name) {
    return Optional.ofNullable(request.getHeader(name))
        .filter(value -> ECHOED.matcher(value).matches());
  }

  /** Azure's front door knew collections, and answered for the provider where there was none. */
  @Override
  public ApiResponse refusal(Throwable failure, HttpServerRequest request, RoutePath path) {
    return failure instanceof JobException refusal
            && refusal.code() == ErrorCode.COLLECTION_NOT_FOUND
        ? ErrorMapping.refusal(noResource(path.collection()), request)
            .answer()
            .with(HttpException.BY_GATEWAY)
        : ErrorMapping.refusal(failure, request).answer();
  }

  @Override
  public ApiResponse withHeaders(
      ApiResponse response, RoutePath path, Map<String, String> headers) {
    return response.withoutNewline().with(headers);
  }

  private static JobException noResource(CollectionName name) {
    return new JobException(
        ErrorCode.COLLECTION_NOT_FOUND,
        "The Resource 'Microsoft.Scheduler/jobcollections/"
            + name.collection()
            + "' under resource group '"
            + name.group()
            + "' was not found.");
  }

  /** Counts the request, adds what is left to the headers, and refuses it when it is too much. */
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
