package carillon.api.http;

import carillon.auth.RequestId;
import carillon.json.text.JsonOut;
import com.fasterxml.jackson.core.JsonGenerator;
import io.netty.handler.codec.http.TooLongHttpHeaderException;
import io.netty.handler.codec.http.TooLongHttpLineException;
import io.vertx.core.http.HttpServerOptions;
import io.vertx.core.http.HttpServerRequest;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Refusal of a request with a status, a code and headers of HTTP. Carries no stack trace: it is an
 * answer.
 */
public final class HttpException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  /** Header of refusals that Azure's front door made, and not the provider. */
  public static final Map<String, String> BY_GATEWAY = Map.of("x-ms-failure-cause", "gateway");

  /** Maximum number of headers of a request. */
  public static final int MAX_HEADERS = 100;

  private final int status;
  private final String code;
  private final transient Map<String, String> headers;
  private final transient List<ErrorDetail> details;

  private HttpException(int status, String code, String message, Map<String, String> headers) {
    this(status, code, message, headers, List.of());
  }

  private HttpException(
      int status,
      String code,
      String message,
      Map<String, String> headers,
      List<ErrorDetail> details) {
    super(message, null, false, false);
    this.status = status;
    this.code = code;
    this.headers = Map.copyOf(headers);
    this.details = List.copyOf(details);
  }

  /**
   * Detail of one error in a request.
   *
   * @param target the field; empty for the whole document
   */
  public record ErrorDetail(String code, String message, String target) {}

  /** Refusal that Azure's front door made before the provider. */
  public static HttpException gateway(String code, String message) {
    return new HttpException(400, code, message, BY_GATEWAY);
  }

  public static HttpException tooMany(String message, Duration retryAfter) {
    return new HttpException(
        429,
        "TooManyRequests",
        message,
        Map.of("Retry-After", Long.toString(retryAfter.toSeconds())));
  }

  /** Refusal of a request without a valid credential. */
  static HttpException unauthenticated(String message, String challenge) {
    return new HttpException(
        401, "AuthenticationFailed", message, Map.of("WWW-Authenticate", challenge));
  }

  /** Refusal of a caller who lacks the permission. */
  public static HttpException forbidden(String message) {
    return new HttpException(403, "AuthorizationFailed", message, Map.of());
  }

  public static HttpException notFound(String path) {
    return new HttpException(404, "NotFound", "Nothing is at '" + path + "'.", Map.of());
  }

  /**
   * Refusal on a node without the API. It is not 404, which would mean that the resource is absent.
   */
  public static HttpException misdirected() {
    return new HttpException(
        421,
        "MisdirectedRequest",
        "This node does not serve the API (node.roles); ask another one.",
        Map.of());
  }

  /**
   * The refusal of a method.
   *
   * @param useful the methods that do something here, for the message
   * @param allowed all that are answered, for the header
   */
  public static HttpException methodNotAllowed(String method, String useful, String allowed) {
    return new HttpException(
        405,
        "MethodNotAllowed",
        "The method '" + method + "' is not allowed here; use " + useful + ".",
        Map.of("Allow", allowed));
  }

  public static HttpException busy(String message) {
    return new HttpException(503, "ServerBusy", message, Map.of("Retry-After", "1"));
  }

  /** Refusal of a request that takes too long to arrive. */
  public static HttpException late(String message) {
    return unreadable(408, "RequestTimeout", message);
  }

  /** Refusal of a request that may still take effect. */
  public static HttpException unanswered(String message) {
    return new HttpException(
        503, "ServerBusy", message, Map.of("Retry-After", "1", "Connection", "close"));
  }

  public static HttpException tooLarge(String message) {
    return new HttpException(413, "RequestEntityTooLarge", message, Map.of("Connection", "close"));
  }

  public static HttpException unsupported(String message) {
    return new HttpException(415, "UnsupportedMediaType", message, Map.of("Connection", "close"));
  }

  /** Refusal of a request that could not even be parsed as HTTP. */
  public static HttpException malformed(Throwable cause) {
    if (cause instanceof TooLongHttpLineException) {
      return unreadable(
          414,
          "RequestUriTooLong",
          "The request line is longer than "
              + HttpServerOptions.DEFAULT_MAX_INITIAL_LINE_LENGTH
              + " bytes.");
    }
    if (cause instanceof TooLongHttpHeaderException) {
      return unreadable(
          431,
          "RequestHeaderFieldsTooLarge",
          "The request has more than "
              + MAX_HEADERS
              + " headers, or they are larger than "
              + HttpServerOptions.DEFAULT_MAX_HEADER_SIZE
              + " bytes together.");
    }
    if (cause instanceof UnknownVersionException) {
      return unreadable(505, "HttpVersionNotSupported", "The API speaks HTTP/1.1 and HTTP/1.0.");
    }
    return unreadable(400, "BadRequest", "The request is not well-formed HTTP.");
  }

  /** Refusal of invalid HTTP, after which the connection is closed. */
  public static HttpException unreadable(int status, String code, String message) {
    return new HttpException(status, code, message, Map.of("Connection", "close"));
  }

  public static HttpException of(
      int status, String code, String message, Map<String, String> headers) {
    return new HttpException(status, code, message, headers);
  }

  /** Returns this refusal with each of its reasons. */
  HttpException with(List<ErrorDetail> reasons) {
    return new HttpException(status, code, getMessage(), headers, reasons);
  }

  public int status() {
    return status;
  }

  public String code() {
    return code;
  }

  public Map<String, String> headers() {
    return headers;
  }

  /** Returns the answer in JSON, for dialects whose errors do not name the request. */
  public ApiResponse answer() {
    return ApiResponse.json(status, JsonOut.object(this::writeError)).with(headers);
  }

  /** The answer in JSON, with the id of the request. */
  public ApiResponse answer(HttpServerRequest request) {
    return ApiResponse.json(status, document(request)).with(headers);
  }

  /** The body of that answer. */
  public byte[] document(HttpServerRequest request) {
    Optional<String> id = Optional.of(RequestId.of(request));
    return JsonOut.object(json -> writeError(json, id));
  }

  /** Writes the error into the object at hand. */
  public void writeError(JsonGenerator json) throws IOException {
    writeError(json, Optional.empty());
  }

  private void writeError(JsonGenerator json, Optional<String> requestId) throws IOException {
    json.writeObjectFieldStart("error");
    json.writeStringField("code", code);
    json.writeStringField("message", getMessage());
    if (!details.isEmpty()) {
      json.writeArrayFieldStart("details");
      for (ErrorDetail detail : details) {
        json.writeStartObject();
        json.writeStringField("code", detail.code());
        json.writeStringField("message", detail.message());
        if (!detail.target().isEmpty()) {
          json.writeStringField("target", detail.target());
        }
        json.writeEndObject();
      }
      json.writeEndArray();
    }
    if (requestId.isPresent()) {
      json.writeStringField("requestId", requestId.get());
    }
    json.writeEndObject();
  }

  /** A request is of a version of HTTP that is not spoken here. */
  public static final class UnknownVersionException extends Exception {
    private static final long serialVersionUID = 1;
  }
}
