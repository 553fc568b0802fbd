package carillon.api.classic;

import carillon.access.Caller;
import carillon.api.http.HttpException;
import carillon.api.http.QueryParameters;
import carillon.api.http.RequestAuditContext;
import carillon.job.AuditEntry.AuditContext;
import carillon.job.Quoted;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpServerRequest;
import java.time.Instant;
import java.util.Locale;
import java.util.Optional;

/**
 * A request in the classic dialect that is spoken in XML.
 *
 * @param content of the request's body
 * @param caller who asks
 * @param now the one moment at which everything about this request happens
 */
record ClassicRequest(
    HttpServerRequest http,
    Optional<Buffer> content,
    ClassicPath path,
    QueryParameters query,
    Caller caller,
    Instant now) {

  byte[] body() {
    return content.map(Buffer::getBytes).orElseGet(() -> new byte[0]);
  }

  String method() {
    return http.method().name();
  }

  /** As the audit log is to tell of it. */
  AuditContext change() {
    return RequestAuditContext.of(http, caller, path.kind(), now);
  }

  HttpException notAllowed(String allowed) {
    return HttpException.methodNotAllowed(method(), allowed);
  }

  /** A parameter of the query that must be there. */
  String required(String parameter) {
    return query
        .text(parameter.toLowerCase(Locale.ROOT))
        .filter(text -> !text.isBlank())
        .orElseThrow(() -> invalidParameter(parameter + ": this query parameter is missing"));
  }

  /** A parameter of the query that must be one word, in any case. */
  void require(String parameter, String word) {
    String given = required(parameter);
    if (!given.equalsIgnoreCase(word)) {
      throw invalidParameter(parameter + ": '" + Quoted.of(given) + "' must be " + word);
    }
  }

  static HttpException invalidParameter(String message) {
    return ClassicErrors.badRequest("MissingOrInvalidRequiredQueryParameter", message);
  }
}
