package carillon.api.http;

import carillon.access.Caller;
import carillon.job.AuditEntry.AuditContext;
import carillon.job.JobName;
import carillon.job.TraceContext;
import carillon.json.DialectCodec;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpServerRequest;
import java.time.Instant;
import java.util.Optional;

/**
 * A request for a resource.
 *
 * @param content of the request's body
 * @param wire speaks the dialect of the path
 * @param caller who asks
 * @param telemetry tells how it ended
 * @param now the one moment at which everything about this request happens
 */
public record ApiRequest(
    HttpServerRequest http,
    Optional<Buffer> content,
    ResourcePath path,
    QueryParameters query,
    DialectCodec wire,
    Caller caller,
    RequestTelemetry telemetry,
    Instant now) {
  public byte[] body() {
    return content.map(Buffer::getBytes).orElseGet(() -> new byte[0]);
  }

  /** The trace in which the job that is written is kept, if there is one. */
  public Optional<TraceContext> trace(JobName job) {
    return telemetry.submits(http, job);
  }

  public String method() {
    return http.method().name();
  }

  /** As the audit log is to tell of it. */
  public AuditContext change() {
    return RequestAuditContext.of(http, caller, path.kind(), now);
  }

  public HttpException notAllowed(String allowed) {
    return HttpException.methodNotAllowed(method(), allowed);
  }

  /** The absolute address at which the list at hand goes on, as a proxy in front is addressed. */
  public String nextLink(String token) {
    return NextLink.of(http, query, token);
  }
}
