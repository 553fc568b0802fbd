package carillon.api.http;

import carillon.json.text.JsonOut;
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
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Response to a request.
 *
 * @param body JSON, XML, or empty
 * @param kept forms of a body that is sent repeatedly; empty if it is sent once
 */
public record ApiResponse(
    int status, Buffer body, Map<String, String> headers, Optional<KeptForms> kept) {
  private static final Logger LOG = LoggerFactory.getLogger(ApiResponse.class);

  /** Status of an answer that leaves out the body of the resource. */
  private static final int NOT_MODIFIED = 304;

  /**
   * Maximum size of a body that is formatted, in bytes. A larger one would block the event loop.
   */
  private static final int MAX_PRETTY = 1 << 20;

  private static final byte NEWLINE = '\n';

  /** Headers of all responses, encoded once. */
  private static final CharSequence TYPE_OPTIONS =
      HttpHeaders.createOptimized("X-Content-Type-Options");

  private static final CharSequence NOSNIFF = HttpHeaders.createOptimized("nosniff");
  private static final CharSequence NO_STORE = HttpHeaders.createOptimized("no-store");

  /** Header that announces the idle time-out of a connection. */
  public static final CharSequence KEEP_ALIVE = HttpHeaders.createOptimized("Keep-Alive");

  /** Creates a response whose body belongs to one request only. */
  public ApiResponse(int status, Buffer body, Map<String, String> headers) {
    this(status, body, headers, Optional.empty());
  }

  /**
   * Other forms of a constant body: in lines, compressed, or both. Each is made on first use.
   * Thread-safe.
   */
  public static final class KeptForms {
    private final Map<String, Buffer> forms = new ConcurrentHashMap<>();

    private KeptForms() {}

    private Buffer get(String form, Supplier<Buffer> made) {
      return forms.computeIfAbsent(form, missing -> made.get());
    }
  }

  /** Keeps all forms of the body of this response, for answers that are sent repeatedly. */
  public ApiResponse constant() {
    return new ApiResponse(status, body, headers, Optional.of(new KeptForms()));
  }

  /** Makes all forms of this constant response, which takes long for a large body. */
  public ApiResponse prepared() {
    Buffer unused = compressed(body, false);
    unused = compressed(lines(), true);
    return this;
  }

  /**
   * Returns a JSON document. It ends with a newline, so that the prompt of a shell starts on a new
   * line.
   */
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

  /** Returns a copy with more headers. */
  public ApiResponse with(Map<String, String> more) {
    Map<String, String> all = new HashMap<>(headers);
    all.putAll(more);
    return new ApiResponse(status, body, all, kept);
  }

  /**
   * Returns a copy with a warning that something is left out. Characters that a header cannot hold
   * are replaced.
   */
  public ApiResponse withWarning(Optional<String> text) {
    return text.isEmpty()
        ? this
        : with(
            Map.of("Warning", "199 - \"" + text.get().replaceAll("[^ !#-\\[\\]-~]", "?") + "\""));
  }

  /** Returns a copy without the newline at the end, as Azure's services sent JSON. */
  public ApiResponse withoutNewline() {
    int last = body.length() - 1;
    return last >= 0 && body.getByte(last) == NEWLINE
        ? new ApiResponse(status, body.slice(0, last), headers)
        : this;
  }

  /** Returns a copy with the revision as ETag. */
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
    if (hangsUp()) {
      response.headers().remove(KEEP_ALIVE); // the connection ends
    }
    boolean isPretty = QueryParameters.isPretty(request);
    Buffer content =
        GzipCoding.coded(request, isPretty ? lines() : body, plain -> compressed(plain, isPretty));
    Future<Void> sent =
        request.method().equals(HttpMethod.HEAD)
            ? endHead(response, content)
            : response.end(content);
    (hangsUp() ? sent.compose(done -> LingeringClose.after(request)) : sent)
        .onFailure(e -> LOG.atDebug().addKeyValue("error", e.getMessage()).log("answer not sent"));
  }

  private Buffer compressed(Buffer plain, boolean isPretty) {
    String form = isPretty ? "gzip of lines" : "gzip";
    return kept.map(forms -> forms.get(form, () -> GzipCoding.compressed(plain)))
        .orElseGet(() -> GzipCoding.compressed(plain));
  }

  private Buffer lines() {
    return kept.map(forms -> forms.get("lines", this::pretty)).orElseGet(this::pretty);
  }

  /**
   * Returns the body with line breaks, for people. Other content than JSON, and bodies that are too
   * large, stay as they are.
   */
  private Buffer pretty() {
    boolean isJson = headers.getOrDefault("Content-Type", "").startsWith("application/json");
    return isJson && body.length() > 0 && body.length() <= MAX_PRETTY
        ? Buffer.buffer(JsonOut.indented(body.getBytes()))
        : body;
  }

  /** Sets a header. The values of Vary are added to those of other layers, such as the origin. */
  private static void put(HttpServerResponse response, String name, String value) {
    if (name.equalsIgnoreCase("Vary")) {
      response.headers().add(name, value);
    } else {
      response.putHeader(name, value);
    }
  }

  /** Ends a response without its body, but with the length of the body. */
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
   * to read. So the remaining bytes are discarded first: to the end of the request, while bytes
   * still arrive, and within bounds of time and bytes. A client that has read the answer hangs up
   * earlier. Confined to the connection's event loop.
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
