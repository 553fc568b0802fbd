package carillon.api;

import java.util.Map;

/**
 * A request that HTTP itself forbids, before any job is in question. Carries no stack trace: it is
 * an answer.
 */
final class HttpRefusal extends RuntimeException {
  private static final long serialVersionUID = 1L;

  private final int status;
  private final String code;
  private final transient Map<String, String> headers;

  private HttpRefusal(int status, String code, String message, Map<String, String> headers) {
    super(message, null, false, false);
    this.status = status;
    this.code = code;
    this.headers = Map.copyOf(headers);
  }

  static HttpRefusal badRequest(String code, String message) {
    return new HttpRefusal(400, code, message, Map.of());
  }

  static HttpRefusal notFound(String path) {
    return new HttpRefusal(404, "NotFound", "Nothing is at '" + path + "'.", Map.of());
  }

  static HttpRefusal methodNotAllowed(String method, String allowed) {
    return new HttpRefusal(
        405,
        "MethodNotAllowed",
        "The method '" + method + "' is not allowed here; use " + allowed + ".",
        Map.of("Allow", allowed));
  }

  static HttpRefusal busy(String message) {
    return new HttpRefusal(503, "ServerBusy", message, Map.of("Retry-After", "1"));
  }

  static HttpRefusal tooLarge(String message) {
    return new HttpRefusal(413, "RequestEntityTooLarge", message, Map.of("Connection", "close"));
  }

  static HttpRefusal unsupported(String message) {
    return new HttpRefusal(415, "UnsupportedMediaType", message, Map.of("Connection", "close"));
  }

  /** A request that is no HTTP: the connection cannot be trusted any more. */
  static HttpRefusal unreadable(int status, String code, String message) {
    return new HttpRefusal(status, code, message, Map.of("Connection", "close"));
  }

  Answer answer() {
    return Answer.error(status, code, getMessage()).with(headers);
  }
}
