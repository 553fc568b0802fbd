package carillon.api.http;

import carillon.access.AuditEntry.AuditContext;
import carillon.access.Caller;
import carillon.access.Scope;
import carillon.auth.ClientNetwork;
import carillon.job.action.TraceContext;
import carillon.job.action.TraceContext.TraceSpan;
import carillon.job.name.JobName;
import carillon.job.name.Quoted;
import carillon.json.DialectCodecs;
import carillon.json.text.JsonFields;
import carillon.json.text.StrictJsonParser;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpServerRequest;
import io.vertx.core.net.HostAndPort;
import io.vertx.core.net.SocketAddress;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.regex.Pattern;

/**
 * Request that has been read, as handlers of any dialect get it. Confined to the event loop of its
 * connection.
 */
public final class ApiRequest {
  /** Caller of a request that needs no identity: has no permission at all. */
  public static final Caller NOBODY =
      new Caller("nobody", Caller.AuthenticationMethod.NONE, "", List.of());

  private static final Pattern SCHEME = Pattern.compile("https?");
  private static final Pattern AUTHORITY =
      Pattern.compile("([A-Za-z0-9.-]{1,253}|\\[[0-9A-Fa-f:.]{2,45}])(:\\d{1,5})?");

  private final HttpServerRequest http;
  private final Optional<Buffer> content;
  private final RoutePath path;
  private final Caller caller;
  private final Instant now;
  private final ApiObserver observer;
  private final long begunNanos;
  private QueryParameters query; // once it is asked for
  private Optional<TraceSpan> span = Optional.empty(); // once a job is written

  /**
   * Creates a request whose body has been read.
   *
   * @param content empty without a body
   * @param begunNanos instant at which its head was read, by {@link System#nanoTime}
   */
  public ApiRequest(
      HttpServerRequest http,
      Optional<Buffer> content,
      RoutePath path,
      Caller caller,
      Instant now,
      ApiObserver observer,
      long begunNanos) {
    this.http = http;
    this.content = content;
    this.path = path;
    this.caller = caller;
    this.now = now;
    this.observer = observer;
    this.begunNanos = begunNanos;
  }

  public HttpServerRequest http() {
    return http;
  }

  public String method() {
    return http.method().name();
  }

  /** The route and the names in the path. */
  public RoutePath path() {
    return path;
  }

  /** Reads and writes the documents of the dialect. */
  public DialectCodecs codec() {
    return path.route().envelope().codec();
  }

  /** The parameters of the query. Throws INVALID if it cannot be read. */
  public QueryParameters query() {
    if (query == null) {
      query = QueryParameters.parse(http.query());
    }
    return query;
  }

  /** Refuses parameters of the query that the route does not take, and a query it cannot read. */
  void checkQuery() {
    Route route = path.route();
    if (http.query() != null && !route.parameters().contains(Route.ANY_PARAMETER)) {
      query().allowOnly(route.parameters(), route.method() + " " + route.path());
    }
  }

  /**
   * Refuses fields in a body if the route ignores bodies; otherwise they would be dropped silently.
   * A body without properties is accepted, because some clients always send one.
   */
  void checkBody() {
    Route route = path.route();
    if (route.takesNoBody() && content.filter(bytes -> bytes.length() > 0).isPresent()) {
      JsonFields.root(StrictJsonParser.parse(body(), "Malformed body"))
          .allowNone(route.parameters(), route.method() + " " + route.path());
    }
  }

  /** Returns the content of the body; empty if there is none. */
  public byte[] body() {
    return content.map(Buffer::getBytes).orElseGet(() -> new byte[0]);
  }

  /** The authenticated caller. */
  public Caller caller() {
    return caller;
  }

  /** Name of the caller in rate limits: without authentication, the network of the address. */
  public String callerName() {
    return callerName(caller, http);
  }

  /** Name of the caller of a request in rate limits. */
  public static String callerName(Caller caller, HttpServerRequest http) {
    return caller.proof() == Caller.AuthenticationMethod.NONE
        ? ClientNetwork.of(http.remoteAddress().hostAddress())
        : caller.text();
  }

  /** Refuses a caller who lacks the permission that the route asks for. */
  public void checkPermission(Caller by) {
    path.route().permission().check(this, by);
  }

  /**
   * Returns the scopes that the caller may see in the subscription or group of the path; {@link
   * Caller#visible}.
   */
  public List<Scope> visible() {
    return path.subscription().isEmpty() || path.group().filter(String::isEmpty).isPresent()
        ? List.of()
        : caller.visible(Scope.group(path.subscription(), path.group().orElse("")));
  }

  /** Instant of the request: the only "now" of its handler. */
  public Instant now() {
    return now;
  }

  /** Returns the trace to keep in a new or changed job, if there is one. */
  public Optional<TraceContext> trace(JobName job) {
    if (span.isEmpty()) {
      Optional<TraceContext> parent =
          TraceContext.of(http.getHeader(TraceContext.PARENT), http.getHeader(TraceContext.STATE));
      span = Optional.of(observer.submits(path.route().envelope().word(), method(), job, parent));
    }
    return span.get().context();
  }

  /** Notifies the observer of the status of the answer. */
  public void answered(int status) {
    Route route = path.route();
    observer.answered(route.envelope().word(), route.label(), method(), status, begunNanos);
    span.ifPresent(
        work -> {
          work.status(status);
          work.ended();
        });
  }

  /** The context of the change that this request makes. */
  public AuditContext auditContext() {
    return auditContext(path.route().label(), caller);
  }

  /**
   * The context of a change that this request makes.
   *
   * @param what label of the changed resource
   * @param by its author
   */
  public AuditContext auditContext(String what, Caller by) {
    return new AuditContext(
        by.text(), http.remoteAddress().hostAddress(), method() + " " + what, now);
  }

  /** Returns the refusal of an unknown path. */
  public HttpException notFound() {
    return HttpException.notFound(Quoted.of(http.path()));
  }

  /** Absolute URL of the next page, with the scheme and host that a proxy forwards. */
  public String nextLink(String token) {
    return forwarded("X-Forwarded-Proto", SCHEME).orElse(http.scheme())
        + "://"
        + forwarded("X-Forwarded-Host", AUTHORITY).orElseGet(this::authority)
        + http.path()
        + query().continuedAt(token);
  }

  /**
   * Returns the authority of the request without the default port of the scheme. A request of
   * HTTP/1.0 may come without a host: it gets the address that it was sent to.
   */
  private String authority() {
    SocketAddress here = http.localAddress();
    HostAndPort authority =
        http.authority() == null
            ? HostAndPort.create(here.hostAddress(), here.port())
            : http.authority();
    return authority.port() == (http.isSSL() ? 443 : 80)
        ? HostAndPort.create(authority.host(), -1).toString()
        : authority.toString();
  }

  /** Value of the first proxy, if it is valid. It only goes back to the client that sent it. */
  private Optional<String> forwarded(String header, Pattern valid) {
    return Optional.ofNullable(http.getHeader(header))
        .map(value -> value.split(",", 2)[0].trim())
        .filter(value -> valid.matcher(value).matches());
  }
}
