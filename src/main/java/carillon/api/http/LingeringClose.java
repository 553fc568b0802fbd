package carillon.api.http;

import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.Vertx;
import io.vertx.core.http.HttpServerRequest;
import java.time.Duration;

/**
 * Ends a connection whose client may still be sending. A socket that is closed with bytes unread
 * makes the kernel reset the connection, and the client then loses the answer that it was about to
 * read. So what still comes is thrown away first: to the end of the request, as long as something
 * comes at all, and within bounds of time and bytes. Whoever has read the answer hangs up earlier.
 * Confined to the connection's event loop.
 */
final class LingeringClose {
  private static final Duration SILENCE = Duration.ofSeconds(1);
  private static final int MOST_SILENCES = 10;
  private static final long MOST_BYTES = 64L << 20;

  private final Vertx vertx;
  private final Promise<Void> over = Promise.promise();
  private long bytes;
  private long bytesBefore;
  private int silences;

  private LingeringClose(Vertx vertx) {
    this.vertx = vertx;
  }

  /** To be called when the answer is sent; done when the connection is closed. */
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
          if (bytes > MOST_BYTES) {
            over.tryComplete();
          }
        });
    request.resume();
    long timer = vertx.setPeriodic(SILENCE.toMillis(), id -> look());
    return over.future().onComplete(done -> vertx.cancelTimer(timer));
  }

  private void look() {
    if (bytes == bytesBefore || ++silences == MOST_SILENCES) {
      over.tryComplete();
    }
    bytesBefore = bytes;
  }
}
