package carillon.api.http;

import io.netty.handler.codec.http.TooLongHttpHeaderException;
import io.netty.handler.codec.http.TooLongHttpLineException;
import io.vertx.core.http.HttpServerRequest;

/** Answers what could not even be parsed as HTTP, and hangs up. */
public final class MalformedRequestHandler {
  private MalformedRequestHandler() {}

  public static void answer(HttpServerRequest request) {
    refusal(request.decoderResult().cause()).answer().send(request);
  }

  private static HttpException refusal(Throwable cause) {
    if (cause instanceof TooLongHttpLineException) {
      return HttpException.unreadable(414, "RequestUriTooLong", "The request line is too long.");
    }
    if (cause instanceof TooLongHttpHeaderException) {
      return HttpException.unreadable(
          431, "RequestHeaderFieldsTooLarge", "The headers are too large.");
    }
    return HttpException.unreadable(400, "BadRequest", "The request is not well-formed HTTP.");
  }
}
