package carillon.api;

import carillon.access.Identity;
import carillon.codec.Wire;
import carillon.job.Change;
import carillon.job.JobName;
import carillon.job.TraceContext;
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
 * @param visit tells how it ended
 * @param now the one moment at which everything about this request happens
 */
record ApiRequest(
    HttpServerRequest http,
    Optional<Buffer> content,
    ResourcePath path,
    Query query,
    Wire wire,
    Identity caller,
    Visit visit,
    Instant now) {
  byte[] body() {
    return content.map(Buffer::getBytes).orElseGet(() -> new byte[0]);
  }

  /** The trace in which the job that is written is kept, if there is one. */
  Optional<TraceContext> trace(JobName job) {
    return visit.submits(http, job);
  }

  String method() {
    return http.method().name();
  }

  /** As the audit log is to tell of it. */
  Change change() {
    return Changes.of(http, caller, path.kind(), now);
  }

  HttpRefusal notAllowed(String allowed) {
    return HttpRefusal.methodNotAllowed(method(), allowed);
  }

  /** The absolute address at which the list at hand goes on, as a proxy in front is addressed. */
  String nextLink(String token) {
    return NextLink.of(http, query, token);
  }
}
