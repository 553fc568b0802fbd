package carillon.api;

import io.netty.handler.codec.http.TooLongHttpHeaderException;
import io.netty.handler.codec.http.TooLongHttpLineException;
import io.vertx.core.http.HttpServerRequest;

/** Answers what could not even be parsed as HTTP, and hangs up. */
final class InvalidRequests {
  private InvalidRequests() {}

  static void answer(HttpServerRequest request) {
    refusal(request.decoderResult().cause()).answer().send(request);
  }

  private static HttpRefusal refusal(Throwable cause) {
    if (cause instanceof TooLongHttpLineException) {
      return HttpRefusal.unreadable(414, "RequestUriTooLong", "The request line is too long.");
    }
    if (cause instanceof TooLongHttpHeaderException) {
      return HttpRefusal.unreadable(
          431, "RequestHeaderFieldsTooLarge", "The headers are too large.");
    }
    return HttpRefusal.unreadable(400, "BadRequest", "The request is not well-formed HTTP.");
  }
}
