package carillon.api.http;

import carillon.json.JsonOut;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.Vertx;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpHeaders;
import io.vertx.core.http.HttpMethod;
import io.vertx.core.http.HttpServerRequest;
import io.vertx.core.http.HttpServerResponse;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Response to a request.
 *
 * @param body JSON, XML, or empty
 */
public record ApiResponse(int status, Buffer body, Map<String, String> headers) {
  private static final Logger LOG = LoggerFactory.getLogger(ApiResponse.class);

  /** The status of what has a body that is not sent. */
  private static final int NOT_MODIFIED = 304;

  /** Bodies above this many bytes would hold up the event loop. */
  private static final int MAX_PRETTY = 1 << 20;

  private static final byte NEWLINE = '\n';

  /** Headers of all responses, encoded once. */
  private static final CharSequence TYPE_OPTIONS =
      HttpHeaders.createOptimized("X-Content-Type-Options");

  private static final CharSequence NOSNIFF = HttpHeaders.createOptimized("nosniff");
  private static final CharSequence NO_STORE = HttpHeaders.createOptimized("no-store");

  /** A document in JSON, which ends its line: the prompt of a shell has one of its own. */
  public static ApiResponse json(int status, byte[] body) {
    Buffer line = Buffer.buffer(body.length + 1).appendBytes(body).appendByte(NEWLINE);
    return new ApiResponse(status, line, Map.of("Content-Type", "application/json; charset=utf-8"));
  }

  public static ApiResponse xml(int status, byte[] body) {
    return new ApiResponse(
        status, Buffer.buffer(body), Map.of("Content-Type", "application/xml; charset=utf-8"));
  }

  public static ApiResponse empty(int status) {
    return new ApiResponse(status, Buffer.buffer(), Map.of());
  }

  /** This response with more headers. */
  public ApiResponse with(Map<String, String> more) {
    Map<String, String> all = new HashMap<>(headers);
    all.putAll(more);
    return new ApiResponse(status, body, all);
  }

  /** This response with a warning that something is left out, of which a header can say ASCII. */
  public ApiResponse withWarning(Optional<String> text) {
    return text.isEmpty()
        ? this
        : with(
            Map.of("Warning", "199 - \"" + text.get().replaceAll("[^ !#-\\[\\]-~]", "?") + "\""));
  }

  /** This response without the newline at its end, as Azure's services sent JSON. */
  public ApiResponse withoutNewline() {
    int last = body.length() - 1;
    return last >= 0 && body.getByte(last) == NEWLINE
        ? new ApiResponse(status, body.slice(0, last), headers)
        : this;
  }

  /** This response with the revision as ETag. */
  public ApiResponse withRevision(long revision) {
    return with(Map.of("ETag", "\"" + revision + "\""));
  }

  /** Sends the response, unless the client has gone. */
  public void send(HttpServerRequest request) {
    HttpServerResponse response = request.response();
    if (response.ended() || response.closed()) {
      return;
    }
    response.setStatusCode(status);
    response.putHeader(TYPE_OPTIONS, NOSNIFF);
    response.putHeader(HttpHeaders.CACHE_CONTROL, NO_STORE); // unless the answer says otherwise
    headers.forEach((name, value) -> put(response, name, value));
    Buffer content = GzipCoding.coded(request, QueryParameters.isPretty(request) ? pretty() : body);
    Future<Void> sent =
        request.method().equals(HttpMethod.HEAD)
            ? endHead(response, content)
            : response.end(content);
    (hangsUp() ? sent.compose(done -> LingeringClose.after(request)) : sent)
        .onFailure(e -> LOG.atDebug().addKeyValue("error", e).log("answer not sent"));
  }

  /** The body in lines, for people; as it is where it is no JSON, or so much that it takes long. */
  private Buffer pretty() {
    boolean isJson = headers.getOrDefault("Content-Type", "").startsWith("application/json");
    return isJson && body.length() > 0 && body.length() <= MAX_PRETTY
        ? Buffer.buffer(JsonOut.indented(body.getBytes()))
        : body;
  }

  /** What the answer varies with comes to what it varies with already, as the origin. */
  private static void put(HttpServerResponse response, String name, String value) {
    if (name.equalsIgnoreCase("Vary")) {
      response.headers().add(name, value);
    } else {
      response.putHeader(name, value);
    }
  }

  /** Only how long the body would be. */
  private static Future<Void> endHead(HttpServerResponse response, Buffer content) {
    if (response.getStatusCode() != NOT_MODIFIED) {
      response.putHeader(HttpHeaders.CONTENT_LENGTH, Integer.toString(content.length()));
    }
    return response.end();
  }

  private boolean hangsUp() {
    return "close".equals(headers.get("Connection"));
  }

  /**
   * Ends a connection whose client may still be sending. A socket that is closed with bytes unread
   * makes the kernel reset the connection, and the client then loses the answer that it was about
   * to read. So what still comes is thrown away first: to the end of the request, as long as
   * something comes at all, and within bounds of time and bytes. Whoever has read the answer hangs
   * up earlier. Confined to the connection's event loop.
   */
  private static final class LingeringClose {
    private static final Duration SILENCE = Duration.ofSeconds(1);
    private static final int MAX_SILENCES = 10;
    private static final long MAX_BYTES = 64L << 20;

    private final Vertx vertx;
    private final Promise<Void> over = Promise.promise();
    private long bytes;
    private long bytesBefore;
    private int silences;

    private LingeringClose(Vertx vertx) {
      this.vertx = vertx;
    }

    /** Starts when the response is sent; completes when the connection is closed. */
    static Future<Void> after(HttpServerRequest request) {
      LingeringClose hangUp = new LingeringClose(Vertx.currentContext().owner());
      return hangUp.drained(request).eventually(() -> request.connection().close());
    }

    private Future<Void> drained(HttpServerRequest request) {
      if (request.isEnded()) {
        return Future.succeededFuture();
      }
      request.exceptionHandler(gone -> over.tryComplete());
      request.endHandler(end -> over.tryComplete());
      request.handler(
          chunk -> {
            bytes += chunk.length();
            if (bytes > MAX_BYTES) {
              over.tryComplete();
            }
          });
      request.resume();
      long timer = vertx.setPeriodic(SILENCE.toMillis(), id -> look());
      return over.future().onComplete(done -> vertx.cancelTimer(timer));
    }

    private void look() {
      if (bytes == bytesBefore || ++silences == MAX_SILENCES) {
        over.tryComplete();
      }
      bytesBefore = bytes;
    }
  }
}
