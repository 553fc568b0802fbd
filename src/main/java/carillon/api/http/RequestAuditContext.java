package carillon.api.http;

import carillon.access.Caller;
import carillon.job.AuditEntry.AuditContext;
import io.vertx.core.http.HttpServerRequest;
import java.time.Instant;
import java.util.Locale;

/** What a request is about to change, as the audit log tells it. */
public final class RequestAuditContext {
  private RequestAuditContext() {}

  /**
   * A request of a caller.
   *
   * @param kind what the path is; said in lower case
   */
  public static AuditContext of(HttpServerRequest http, Caller caller, Enum<?> kind, Instant now) {
    return of(http, caller, kind.name().toLowerCase(Locale.ROOT), now);
  }

  public static AuditContext of(HttpServerRequest http, Caller caller, String what, Instant now) {
    return new AuditContext(
        caller.text(), http.remoteAddress().hostAddress(), http.method().name() + " " + what, now);
  }
}
