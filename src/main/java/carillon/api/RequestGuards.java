package carillon.api;

import carillon.access.Caller;
import carillon.api.edge.AdmissionLimits;
import carillon.api.edge.AllowedHosts;
import carillon.api.edge.BodyReader;
import carillon.api.edge.CorsPolicy;
import carillon.api.edge.LoadShedder;
import carillon.api.http.HttpException;
import carillon.api.http.Route;
import carillon.api.http.Route.BodyFormat;
import carillon.api.http.RoutePath;
import carillon.api.http.RoutePermission;
import carillon.api.http.RouteTable;
import carillon.job.name.Quoted;
import io.vertx.core.http.HttpHeaders;
import io.vertx.core.http.HttpMethod;
import io.vertx.core.http.HttpServerRequest;
import io.vertx.core.http.HttpVersion;
import io.vertx.core.net.HostAndPort;
import java.time.InstantSource;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Supplier;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Checks of each request before its body is read. Confined to an event loop.
 *
 * @param objectionToChanges why this node accepts none at present; empty if it does
 */
record RequestGuards(
    AdmissionLimits admission,
    LoadShedder loadShedder,
    Supplier<Optional<String>> objectionToChanges,
    CorsPolicy cors,
    InstantSource clock) {
  private static final Pattern JSON = Pattern.compile("application/([a-z.-]+\\+)?json\\s*(;.*)?");
  private static final Pattern ICALENDAR = Pattern.compile("text/calendar\\s*(;.*)?");
  private static final Pattern CHARSET = Pattern.compile(";\\s*charset\\s*=\\s*\"?([^\";\\s]*)\"?");

  /** Names of UTF-8. One is not registered, but many programs send it. */
  private static final Set<String> UTF_8 = Set.of("utf-8", "utf8");

  private static final Set<HttpMethod> CHANGES =
      Set.of(HttpMethod.PUT, HttpMethod.PATCH, HttpMethod.POST);

  private static final Set<String> NO_ENCODING = Set.of("", "identity");

  /** Names of headers that every request is checked for, hashed once. */
  private static final CharSequence JOB_HEADER = HttpHeaders.createOptimized("carillon-job");

  private static final CharSequence AZURE_JOB_HEADER =
      HttpHeaders.createOptimized("x-ms-scheduler-jobid");

  private static final CharSequence FETCH_SITE = HttpHeaders.createOptimized("sec-fetch-site");

  private static final Pattern MALFORMED = Pattern.compile("%(?![0-9A-Fa-f]{2})");

  /**
   * Pattern of paths that are not canonical: empty segments, dots, and letters, digits and -._~
   * percent-encoded (RFC 3986, section 6.2).
   */
  private static final Pattern NOT_CANONICAL =
      Pattern.compile(
          "//|/\\.\\.?(?:/|$)|%(?:2[DdEe]|3[0-9]|[46][1-9A-Fa-f]|[57][0-9Aa]|5[Ff]|7[Ee])");

  /** Refuses requests that break a rule of HTTP or come under a foreign host or origin. */
  void checkProtocol(HttpServerRequest request) {
    checkHost(request);
    checkName(request, admission.names());
    checkOrigin(request);
    checkTransfer(request.headers().getAll(HttpHeaders.TRANSFER_ENCODING));
    String raw = request.path();
    if (raw == null || !raw.startsWith("/") || (isEncoded(raw) && MALFORMED.matcher(raw).find())) {
      throw BodyReader.unreadable();
    }
  }

  /**
   * Refuses a body of a type or encoding that the API does not read. An unknown path answers 404
   * instead.
   */
  void checkBody(HttpServerRequest request, RoutePath path) {
    if (hasBody(request) && !RouteTable.isUnknown(path.route())) {
      checkType(request.getHeader(HttpHeaders.CONTENT_TYPE), path.route());
      checkEncoding(request.getHeader(HttpHeaders.CONTENT_ENCODING));
    }
  }

  /**
   * Refuses requests if the node is overloaded, changes if it cannot run jobs, changes that jobs
   * send, and ambiguous paths.
   */
  void admit(HttpServerRequest request, RoutePermission permission) {
    boolean isRead = isRead(request);
    if (!isMonitoring(request)) {
      loadShedder.check(isRead);
    }
    if (permission.isOfChanges()) {
      checkProgress(request.method());
    }
    if (!isRead && !admission.http().jobsMayWrite()) {
      checkLoop(request);
    }
    checkPath(request.path());
  }

  /**
   * Refuses changes if they cannot make progress. Deletions are still served: they may free the
   * memory that Redis lacks.
   */
  private void checkProgress(HttpMethod method) {
    if (CHANGES.contains(method)) {
      objectionToChanges
          .get()
          .ifPresent(
              reason -> {
                throw HttpException.busy(
                    reason + " It accepts no changes until it can; ask another node or try again.");
              });
    }
  }

  /** Applies the rate limit of callers: counts the request, and refuses it beyond the limit. */
  void count(Caller caller, HttpServerRequest request) {
    admission.rates().countCaller(caller, request, clock.instant());
  }

  /** Refuses paths that a proxy with rules on paths could read in another way. */
  private static void checkPath(String path) {
    boolean mayBe = isEncoded(path) || path.contains("//") || path.contains("/.");
    if (mayBe && NOT_CANONICAL.matcher(path).find()) {
      throw HttpException.of(
          400,
          "BadRequest",
          "The path '"
              + Quoted.of(path)
              + "' must not have empty segments, '.' or '..', nor percent-encode letters, digits,"
              + " '-', '.', '_' or '~'.",
          Map.of());
    }
  }

  private static boolean isEncoded(String path) {
    return path.indexOf('%') >= 0;
  }

  private static boolean isRead(HttpServerRequest request) {
    return request.method().equals(HttpMethod.GET) || request.method().equals(HttpMethod.HEAD);
  }

  /** Whether it is a probe or a scrape, which an overloaded node answers too. */
  private static boolean isMonitoring(HttpServerRequest request) {
    String path = request.path();
    return path.startsWith("/health") || path.equals("/metrics");
  }

  /** Refuses a write that a job sends: every job sends one of these headers. */
  private static void checkLoop(HttpServerRequest request) {
    if (request.headers().contains(JOB_HEADER) || request.headers().contains(AZURE_JOB_HEADER)) {
      throw HttpException.of(
          409,
          "LoopDetected",
          "This request comes from a job ("
              + JOB_HEADER
              + "), and a job that makes or runs jobs is a loop; the setting http.jobsMayWrite"
              + " allows it.",
          Map.of());
    }
  }

  private static void checkHost(HttpServerRequest request) {
    int hosts = request.headers().getAll(HttpHeaders.HOST).size();
    if (hosts > 1
        || (hosts == 0 && request.version() == HttpVersion.HTTP_1_1)
        || (hosts == 1 && request.authority() == null)) {
      throw HttpException.unreadable(
          400, "BadRequest", "A request must have exactly one valid Host header.");
    }
  }

  /** A request without a name, as HTTP/1.0 allows, is from no browser. */
  private static void checkName(HttpServerRequest request, AllowedHosts names) {
    HostAndPort authority = request.authority();
    if (authority != null && !names.contains(authority.host())) {
      throw HttpException.of(
          421,
          "MisdirectedRequest",
          "Authentication is disabled, so only requests to localhost and loopback addresses are"
              + " served, not to '"
              + Quoted.of(authority.host())
              + "' (the Host header): a page of another site could send them. Add names with"
              + " http.names, or require credentials with access.accept.",
          Map.of());
    }
  }

  /**
   * Refuses writes by pages of other sites in a browser, unless their origin is allowed. The
   * browser may identify its user by a cookie, a certificate or, with authentication disabled, its
   * address alone. Browsers send Sec-Fetch-Site (Fetch Metadata), old ones Origin (RFC 6454); other
   * clients send neither.
   */
  private void checkOrigin(HttpServerRequest request) {
    if (isRead(request)) {
      return;
    }
    String site = request.getHeader(FETCH_SITE);
    String origin = request.getHeader(HttpHeaders.ORIGIN);
    boolean isForeign =
        site != null
            ? !site.equals("same-origin") && !site.equals("none")
            : origin != null && !isOf(origin, request.getHeader(HttpHeaders.HOST));
    if (isForeign && !cors.permits(request)) {
      throw HttpException.forbidden(
          "Cross-origin request refused: a page of another site must not send this, unless"
              + " http.corsOrigins names its origin and, where credentials are required, the"
              + " request carries a key or token.");
    }
  }

  /** Compares without the scheme: a proxy in front may terminate TLS. */
  private static boolean isOf(String origin, String host) {
    int authority = origin.indexOf("://");
    return authority > 0 && origin.substring(authority + 3).equalsIgnoreCase(host);
  }

  /**
   * Refuses all transfer codings but one {@code chunked}. A proxy that understands fewer codings
   * would see another end of the request.
   */
  private static void checkTransfer(List<String> codings) {
    if (codings.size() > 1
        || (codings.size() == 1 && !codings.get(0).equalsIgnoreCase("chunked"))) {
      throw HttpException.unreadable(
          400, "BadRequest", "The only Transfer-Encoding that a request may have is chunked.");
    }
  }

  private static boolean hasBody(HttpServerRequest request) {
    String length = request.getHeader(HttpHeaders.CONTENT_LENGTH);
    return (length != null && !length.equals("0"))
        || request.headers().contains(HttpHeaders.TRANSFER_ENCODING);
  }

  private static void checkType(String type, Route route) {
    if (type == null || type.equals("application/json")) {
      return;
    }
    boolean isCalendar = route.body() == BodyFormat.JSON_OR_ICALENDAR;
    String folded = type.trim().toLowerCase(Locale.ROOT);
    boolean isKnown =
        JSON.matcher(folded).matches()
            || route.envelope().reads(type)
            || (isCalendar && ICALENDAR.matcher(folded).matches());
    if (!isKnown) {
      throw HttpException.unsupported(
          isCalendar
              ? "The body must be JSON or iCalendar in UTF-8; send 'Content-Type: application/json'"
                  + " or 'Content-Type: text/calendar'."
              : "The body must be JSON in UTF-8; send 'Content-Type: application/json'.");
    }
    checkCharset(folded);
  }

  private static void checkCharset(String type) {
    Matcher charset = CHARSET.matcher(type);
    if (charset.find() && !UTF_8.contains(charset.group(1))) {
      throw HttpException.unsupported(
          "The body must be in UTF-8, not in charset '" + Quoted.of(charset.group(1)) + "'.");
    }
  }

  private static void checkEncoding(String encoding) {
    if (encoding != null && !NO_ENCODING.contains(encoding.trim().toLowerCase(Locale.ROOT))) {
      throw HttpException.unsupported(
          "The body must not be compressed; send it with 'Content-Type: application/json'"
              + " and without Content-Encoding.");
    }
  }
}
