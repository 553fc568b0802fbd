package carillon.api.http;

import io.vertx.core.Handler;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpHeaders;
import io.vertx.core.http.HttpServerRequest;
import io.vertx.core.http.HttpVersion;
import io.vertx.ext.web.RoutingContext;
import java.util.Map;
import java.util.Optional;
import java.util.function.BiConsumer;

/**
 * Reads the body of a request, which is then {@link #body}. Bodies that are held at one time have a
 * budget together, from their first bytes to the end of the answer; what fits into a few packets is
 * not counted, so that those who fill the budget keep out large bodies only. Nothing is set aside
 * for bytes that have only been announced.
 */
public final class BodyReader implements Handler<RoutingContext> {
  private static final String BODY = "carillon.body";

  /** Bytes of each body that are not counted. */
  private static final int UNCOUNTED = 8192;

  private final int maxBody;
  private final AdmissionLimits admission;
  private final BiConsumer<HttpServerRequest, HttpException> refuser;

  /**
   * Reads bodies on one event loop.
   *
   * @param maxBody in bytes
   * @param admission have the budget of all that are read at one time
   * @param refuser answers what does not fit in
   */
  public BodyReader(
      int maxBody,
      AdmissionLimits admission,
      BiConsumer<HttpServerRequest, HttpException> refuser) {
    this.maxBody = maxBody;
    this.admission = admission;
    this.refuser = refuser;
  }

  /** What has been read; empty where the request has no body. */
  static Optional<Buffer> body(RoutingContext ctx) {
    return Optional.ofNullable(ctx.get(BODY));
  }

  @Override
  public void handle(RoutingContext ctx) {
    HttpServerRequest request = ctx.request();
    if (announced(request) > maxBody) {
      ctx.fail(413);
    } else if (isContinued(ctx)) {
      Body body = new Body(ctx);
      request.handler(body::add).endHandler(end -> body.ended());
      request.exceptionHandler(body::broken);
      request.resume();
    }
  }

  private static long announced(HttpServerRequest request) {
    String length = request.getHeader(HttpHeaders.CONTENT_LENGTH);
    try {
      return length == null ? -1 : Long.parseLong(length);
    } catch (NumberFormatException e) {
      return -1;
    }
  }

  /** Fails the request when it expects what nobody can give it. */
  private static boolean isContinued(RoutingContext ctx) {
    String expected = ctx.request().getHeader(HttpHeaders.EXPECT);
    if (expected == null) {
      return true;
    }
    if (!expected.equalsIgnoreCase("100-continue")) {
      ctx.fail(417);
      return false;
    }
    if (ctx.request().version() != HttpVersion.HTTP_1_0) {
      ctx.response().writeContinue();
    }
    return true;
  }

  private final class Body {
    private final RoutingContext ctx;
    private Buffer bytes = Buffer.buffer();
    private long counted;
    private boolean isRefused;

    Body(RoutingContext ctx) {
      this.ctx = ctx;
    }

    void add(Buffer part) {
      long length = (long) bytes.length() + part.length();
      if (isRefused) {
        return;
      }
      if (length > maxBody) {
        refused();
        ctx.fail(413);
      } else if (count(length)) {
        bytes.appendBuffer(part);
      } else {
        refused();
        refuser.accept(
            ctx.request(),
            HttpException.of(
                503,
                "ServerBusy",
                "This node holds as many large bodies of requests as it can; try again.",
                Map.of("Retry-After", "1", "Connection", "close")));
      }
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
        ctx.addEndHandler(answered -> giveBack());
      }
      counted += more;
      return true;
    }

    private void refused() {
      isRefused = true;
      bytes = Buffer.buffer();
    }

    private void giveBack() {
      bytes = Buffer.buffer();
      admission.bodies().giveBack(counted);
      counted = 0;
    }

    void ended() {
      if (!isRefused) {
        if (bytes.length() > 0 || announced(ctx.request()) == 0) {
          ctx.put(BODY, bytes);
        }
        ctx.next();
      }
    }

    void broken(Throwable failure) {
      ctx.fail(400, failure);
    }
  }
}
