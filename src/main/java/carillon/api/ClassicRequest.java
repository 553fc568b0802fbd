package carillon.api;

import carillon.access.Identity;
import carillon.job.Change;
import carillon.job.Excerpt;
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
    Query query,
    Identity caller,
    Instant now) {

  byte[] body() {
    return content.map(Buffer::getBytes).orElseGet(() -> new byte[0]);
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
      throw invalidParameter(parameter + ": '" + Excerpt.of(given) + "' must be " + word);
    }
  }

  static HttpRefusal invalidParameter(String message) {
    return ClassicErrors.badRequest("MissingOrInvalidRequiredQueryParameter", message);
  }
}
