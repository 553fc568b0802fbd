package carillon.api.http;

import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpHeaders;
import io.vertx.core.http.HttpServerRequest;
import io.vertx.core.http.HttpServerResponse;
import io.vertx.core.http.HttpVersion;
import java.util.Map;
import java.util.Optional;

/**
 * Reader of request bodies. All bodies of a node share a budget of heap, from their first bytes to
 * the end of the answer. The first 8 KB of each are not counted, so that those who fill the budget
 * keep out large bodies only, and nothing is reserved for bytes that have only been announced.
 * Confined to an event loop.
 */
public final class BodyReader {
  /** Bytes of each body that take nothing from the budget. */
  private static final int UNCOUNTED = 8192;

  private static final Buffer NOTHING = Buffer.buffer(0);

  private final int maxBody;
  private final AdmissionLimits admission;

  /**
   * A reader for one event loop.
   *
   * @param maxBody in bytes
   * @param admission holds the budget of all bodies
   */
  public BodyReader(int maxBody, AdmissionLimits admission) {
    this.maxBody = maxBody;
    this.admission = admission;
  }

  /**
   * The body of a request, empty where it has none. Fails with an {@link HttpException}: 503 where
   * there is no room for it, otherwise what makes it no good HTTP.
   */
  public Future<Optional<Buffer>> read(HttpServerRequest http) {
    return read(http, maxBody);
  }

  /**
   * The body of a request from a caller who is not known, empty where it has none. It has 8 KB at
   * most and takes nothing from the budget; fails as {@link #read(HttpServerRequest)} does.
   */
  public Future<Optional<Buffer>> readSmall(HttpServerRequest http) {
    return read(http, UNCOUNTED);
  }

  private Future<Optional<Buffer>> read(HttpServerRequest http, int max) {
    if (announced(http) > max) {
      return Future.failedFuture(tooLarge(max));
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

  private static HttpException tooLarge(int max) {
    return HttpException.tooLarge("The body is larger than the " + max + " bytes allowed.");
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
    private final int max;
    private final Promise<Optional<Buffer>> read = Promise.promise();
    private Buffer bytes = NOTHING;
    private boolean isOwn; // bytes may be added to: they are not the server's
    private long counted;

    Body(HttpServerRequest http, int max) {
      this.http = http;
      this.max = max;
    }

    void add(Buffer part) {
      long length = (long) bytes.length() + part.length();
      if (read.future().isComplete()) {
        return; // it has been refused
      }
      if (length > max) {
        refuse(tooLarge(max));
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
      if (counted == 0) {
        HttpServerResponse response = http.response();
        response.endHandler(answered -> giveBack());
        response.exceptionHandler(failed -> giveBack()).closeHandler(closed -> giveBack());
      }
      counted += more;
      return true;
    }

    private void refuse(HttpException refusal) {
      bytes = NOTHING;
      read.tryFail(refusal);
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
      read.tryComplete(isThere ? Optional.of(bytes) : Optional.empty());
    }

    void broken(Throwable failure) {
      read.tryFail(unreadable());
    }
  }
}
