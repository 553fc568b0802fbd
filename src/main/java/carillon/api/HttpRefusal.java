package carillon.api;

import java.time.Duration;
import java.util.Map;

/**
 * A request that HTTP itself forbids, before any job is in question. Carries no stack trace: it is
 * an answer.
 */
final class HttpRefusal extends RuntimeException {
  private static final long serialVersionUID = 1L;

  /** Says so, as Azure did, when it is not the provider that refuses. */
  static final Map<String, String> BY_GATEWAY = Map.of("x-ms-failure-cause", "gateway");

  private final int status;
  private final String code;
  private final transient Map<String, String> headers;

  private HttpRefusal(int status, String code, String message, Map<String, String> headers) {
    super(message, null, false, false);
    this.status = status;
    this.code = code;
    this.headers = Map.copyOf(headers);
  }

  /** By what stood before the provider in Azure. */
  static HttpRefusal gateway(String code, String message) {
    return new HttpRefusal(400, code, message, BY_GATEWAY);
  }

  static HttpRefusal tooMany(String message, Duration retryAfter) {
    return new HttpRefusal(
        429,
        "TooManyRequests",
        message,
        Map.of("Retry-After", Long.toString(retryAfter.toSeconds())));
  }

  /** Whoever asks has not proved who he is. */
  static HttpRefusal unauthenticated(String message, String challenge) {
    return new HttpRefusal(
        401, "AuthenticationFailed", message, Map.of("WWW-Authenticate", challenge));
  }

  /** Whoever asks may not do this. */
  static HttpRefusal forbidden(String message) {
    return new HttpRefusal(403, "AuthorizationFailed", message, Map.of());
  }

  static HttpRefusal notFound(String path) {
    return new HttpRefusal(404, "NotFound", "Nothing is at '" + path + "'.", Map.of());
  }

  /** Not 404, which a client would take for the absence of what it asks for. */
  static HttpRefusal misdirected() {
    return new HttpRefusal(
        421,
        "MisdirectedRequest",
        "This node does not serve the API (node.roles); ask another one.",
        Map.of());
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

  static HttpRefusal of(int status, String code, String message, Map<String, String> headers) {
    return new HttpRefusal(status, code, message, headers);
  }

  int status() {
    return status;
  }

  String code() {
    return code;
  }

  Map<String, String> headers() {
    return headers;
  }

  /** The answer in JSON. */
  Answer answer() {
    return Answer.error(status, code, getMessage()).with(headers);
  }
}
