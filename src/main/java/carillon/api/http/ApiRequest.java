package carillon.api.http;

import carillon.access.Caller;
import carillon.access.Scope;
import carillon.auth.ClientNetwork;
import carillon.job.AuditEntry.AuditContext;
import carillon.job.JobName;
import carillon.job.Quoted;
import carillon.job.TraceContext;
import carillon.job.TraceContext.TraceSpan;
import carillon.json.DialectCodec;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpServerRequest;
import io.vertx.core.net.HostAndPort;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.regex.Pattern;

/**
 * A request that has been read: what handlers answer, in any dialect. Confined to the event loop of
 * its connection.
 */
public final class ApiRequest {
  /** Who asks where it is not asked who does: somebody who may do nothing. */
  static final Caller NOBODY =
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
  private final long begun = System.nanoTime();
  private QueryParameters query; // once it is asked for
  private Optional<TraceSpan> span = Optional.empty(); // once a job is written

  ApiRequest(
      HttpServerRequest http,
      Optional<Buffer> content,
      RoutePath path,
      Caller caller,
      Instant now,
      ApiObserver observer) {
    this.http = http;
    this.content = content;
    this.path = path;
    this.caller = caller;
    this.now = now;
    this.observer = observer;
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
  public DialectCodec codec() {
    return path.route().envelope().codec();
  }

  /** The parameters of the query. Throws INVALID if it cannot be read. */
  public QueryParameters query() {
    if (query == null) {
      query = QueryParameters.parse(http.query());
    }
    return query;
  }

  /** The content of the body; empty where there is none. */
  public byte[] body() {
    return content.map(Buffer::getBytes).orElseGet(() -> new byte[0]);
  }

  /** Who asks. */
  public Caller caller() {
    return caller;
  }

  /** The caller as budgets know them: where nobody says who they are, by their addresses. */
  public String callerName() {
    return callerName(caller, http);
  }

  /** The caller of a request as budgets know them. */
  public static String callerName(Caller caller, HttpServerRequest http) {
    return caller.proof() == Caller.AuthenticationMethod.NONE
        ? ClientNetwork.of(http.remoteAddress().hostAddress())
        : caller.text();
  }

  /** Refuses a caller who lacks the permission that the route asks for. */
  public void checkPermission(Caller by) {
    path.route().permission().check(this, by);
  }

  /** What the caller may see of the subscription or group in the path; {@link Caller#visible}. */
  public List<Scope> visible() {
    return path.subscription().isEmpty() || path.group().filter(String::isEmpty).isPresent()
        ? List.of()
        : caller.visible(new Scope(path.subscription(), path.group().orElse(""), ""));
  }

  /** The one moment at which everything about this request happens. */
  public Instant now() {
    return now;
  }

  /** The trace in which the job that is written is kept, if there is one. */
  public Optional<TraceContext> trace(JobName job) {
    if (span.isEmpty()) {
      Optional<TraceContext> parent =
          TraceContext.of(http.getHeader(TraceContext.PARENT), http.getHeader(TraceContext.STATE));
      span = Optional.of(observer.submits(path.route().envelope().word(), method(), job, parent));
    }
    return span.get().context();
  }

  /** Tells the observer how the request ended. */
  void answered(int status) {
    Route route = path.route();
    observer.answered(route.envelope().word(), route.label(), method(), status, begun);
    span.ifPresent(
        work -> {
          work.status(status);
          work.ended();
        });
  }

  /** What the request changes, as the audit log tells it. */
  public AuditContext change() {
    return change(path.route().label(), caller);
  }

  /**
   * A change as the audit log tells it.
   *
   * @param what is changed
   * @param by who changes it
   */
  public AuditContext change(String what, Caller by) {
    return new AuditContext(
        by.text(), http.remoteAddress().hostAddress(), method() + " " + what, now);
  }

  /** The refusal where nothing is at the path. */
  public HttpException notFound() {
    return HttpException.notFound(Quoted.of(http.path()));
  }

  /** The absolute address at which the list at hand goes on, as a proxy in front is addressed. */
  public String nextLink(String token) {
    return forwarded("X-Forwarded-Proto", SCHEME).orElse(http.scheme())
        + "://"
        + forwarded("X-Forwarded-Host", AUTHORITY).orElseGet(this::authority)
        + http.path()
        + query().continuedAt(token);
  }

  /** Without the port that the scheme has anyway. */
  private String authority() {
    HostAndPort authority = http.authority();
    return authority.port() == (http.isSSL() ? 443 : 80)
        ? HostAndPort.create(authority.host(), -1).toString()
        : authority.toString();
  }

  /** What the first of the proxies says, if it makes sense. It only comes back to who said it. */
  private Optional<String> forwarded(String header, Pattern valid) {
    return Optional.ofNullable(http.getHeader(header))
        .map(value -> value.split(",", 2)[0].trim())
        .filter(value -> valid.matcher(value).matches());
  }
}
