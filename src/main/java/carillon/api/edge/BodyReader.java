package carillon.api.edge;

import carillon.api.http.HttpException;
import carillon.api.http.Route;
import carillon.config.HttpSettings;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpHeaders;
import io.vertx.core.http.HttpServerRequest;
import io.vertx.core.http.HttpVersion;
import java.util.Map;
import java.util.Optional;

/**
 * Reader of request bodies. All bodies of a node share a budget of heap. A body counts from its
 * first bytes until its {@link RequestBody} is released, even if its connection is gone by then.
 * The first 8 KB of each are not counted: a full budget keeps out large bodies only. Nothing is
 * reserved for announced bytes. Confined to an event loop.
 */
public final class BodyReader {
  /** Bytes of each body that take nothing from the budget. */
  private static final int UNCOUNTED = 8192;

  /** Maximum number of bytes of a body of {@link Route.BodyFormat#SMALL_JSON}. */
  private static final int MAX_SMALL = 16 * 1024;

  private static final Limit SMALLEST = new Limit(UNCOUNTED, "");
  private static final Buffer NOTHING = Buffer.buffer(0);

  private final HttpSettings settings;
  private final AdmissionLimits admission;

  /**
   * Body of a complete request. Its bytes count in the budget until it is released. That is when
   * nothing holds it any more, not when its connection ends.
   *
   * @param content empty without a body
   * @param release returns the bytes to the budget; may be called again
   */
  public record RequestBody(Optional<Buffer> content, Runnable release) {
    /** Body of a request without one. */
    public static final RequestBody NONE = new RequestBody(Optional.empty(), () -> {});
  }

  /**
   * A reader for one event loop.
   *
   * @param settings have the limits
   * @param admission holds the budget of all bodies
   */
  public BodyReader(HttpSettings settings, AdmissionLimits admission) {
    this.settings = settings;
    this.admission = admission;
  }

  /**
   * Body of a request. Fails with an {@link HttpException}: 503 without room for it, 413 if it is
   * too large for its format, otherwise 400.
   */
  public Future<RequestBody> read(HttpServerRequest http, Route.BodyFormat format) {
    return read(
        http,
        switch (format) {
          case NONE -> SMALLEST;
          case SMALL_JSON -> new Limit(Math.min(settings.maxBody(), MAX_SMALL), "");
          case JSON -> new Limit(settings.maxBody(), "");
          case JSON_OR_ICALENDAR -> new Limit(settings.maxCalendar(), " (http.maxCalendar)");
        });
  }

  /**
   * Maximum size of a body.
   *
   * @param setting that has it, to complete a sentence
   */
  private record Limit(int bytes, String setting) {
    private HttpException tooLarge() {
      return HttpException.tooLarge(
          "The body is larger than the " + bytes + " bytes allowed" + setting + ".");
    }
  }

  /**
   * Body of a request from an unknown caller. It has 8 KB at most and takes nothing from the
   * budget; fails as {@link #read(HttpServerRequest, Route.BodyFormat)} does.
   */
  public Future<RequestBody> readSmall(HttpServerRequest http) {
    return read(http, SMALLEST);
  }

  private Future<RequestBody> read(HttpServerRequest http, Limit max) {
    if (announced(http) > max.bytes) {
      return Future.failedFuture(max.tooLarge());
    }
    String expected = http.getHeader(HttpHeaders.EXPECT);
    if (expected != null && !expected.equalsIgnoreCase("100-continue")) {
      return Future.failedFuture(unreadable());
    }
    if (expected != null && http.version() != HttpVersion.HTTP_1_0) {
      http.response().writeContinue();
    }
    Body body = new Body(http, max);
    http.handler(body::add).endHandler(end -> body.ended()).exceptionHandler(body::broken);
    http.resume();
    return body.read.future();
  }

  /** Refusal of a request that is not valid HTTP. */
  public static HttpException unreadable() {
    return HttpException.unreadable(400, "BadRequest", "The request cannot be read.");
  }

  private static long announced(HttpServerRequest request) {
    String length = request.getHeader(HttpHeaders.CONTENT_LENGTH);
    try {
      return length == null ? -1 : Long.parseLong(length);
    } catch (NumberFormatException e) {
      return -1;
    }
  }

  private final class Body {
    private final HttpServerRequest http;
    private final Limit max;
    private final Promise<RequestBody> read = Promise.promise();
    private Buffer bytes = NOTHING;
    private boolean isOwn; // the buffer is a copy, so more bytes may be appended
    private long counted;

    Body(HttpServerRequest http, Limit max) {
      this.http = http;
      this.max = max;
    }

    void add(Buffer part) {
      long length = (long) bytes.length() + part.length();
      if (read.future().isComplete()) {
        return; // already refused
      }
      if (length > max.bytes) {
        refuse(max.tooLarge());
      } else if (count(length)) {
        append(part);
      } else {
        refuse(
            HttpException.of(
                503,
                "ServerBusy",
                "This node holds too many large request bodies; try again.",
                Map.of("Retry-After", "1", "Connection", "close")));
      }
    }

    /** A body that comes in one part, as most do, is not copied. */
    private void append(Buffer part) {
      if (bytes.length() == 0) {
        bytes = part;
        return;
      }
      if (!isOwn) {
        isOwn = true;
        bytes = bytes.copy();
      }
      bytes.appendBuffer(part);
    }

    private boolean count(long length) {
      long more = length - UNCOUNTED - counted;
      if (more <= 0) {
        return true;
      }
      if (!admission.bodies().take(more)) {
        return false;
      }
      counted += more;
      return true;
    }

    private void refuse(HttpException refusal) {
      if (read.tryFail(refusal)) {
        giveBack();
      }
    }

    private void giveBack() {
      bytes = NOTHING;
      admission.bodies().giveBack(counted);
      counted = 0;
    }

    void ended() {
      if (PipelineLimit.isBroken(http.connection())) {
        refuse(unreadable());
        return;
      }
      boolean isThere = bytes.length() > 0 || announced(http) == 0;
      read.tryComplete(
          new RequestBody(isThere ? Optional.of(bytes) : Optional.empty(), this::giveBack));
    }

    void broken(Throwable failure) {
      refuse(unreadable());
    }
  }
}
