package carillon.dispatch.http;

import carillon.dispatch.call.AuthenticationException;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.function.Supplier;

/**
 * Fair queue of token requests. A few run concurrently, fewer of them for one collection. Waiting
 * requests take turns by collection. Confined to an event loop.
 */
final class OAuthTokenRequestQueue {
  /** The collections that have requests, the one whose turn was longest ago first. */
  private final Map<String, Line> lines = new LinkedHashMap<>();

  private final int atOnce;
  private final int atOnceForOne;
  private final int waitingForOne;
  private int running;

  /**
   * A queue with limits.
   *
   * @param atOnce maximum number of concurrent requests
   * @param atOnceForOne maximum number of concurrent requests of a collection
   * @param waitingForOne maximum number of waiting requests of a collection
   */
  OAuthTokenRequestQueue(int atOnce, int atOnceForOne, int waitingForOne) {
    this.atOnce = atOnce;
    this.atOnceForOne = atOnceForOne;
    this.waitingForOne = waitingForOne;
  }

  /** The requests for one collection. */
  private static final class Line {
    private final Deque<Runnable> waiting = new ArrayDeque<>();
    private int running;
  }

  /** Makes the request when its turn has come; fails with {@link AuthenticationException}. */
  <T> Future<T> request(String collection, Supplier<Future<T>> request) {
    Line line = lines.computeIfAbsent(collection, name -> new Line());
    if (line.waiting.size() >= waitingForOne) {
      return Future.failedFuture(
          new AuthenticationException(
              "no token: the collection waits for " + waitingForOne + " others already"));
    }
    Promise<T> done = Promise.promise();
    line.waiting.add(
        () -> request.get().onComplete(ended -> ended(collection, line)).onComplete(done));
    next();
    return done.future();
  }

  private void ended(String collection, Line line) {
    running--;
    line.running--;
    if (line.running == 0 && line.waiting.isEmpty()) {
      lines.remove(collection, line);
    }
    next();
  }

  private void next() {
    Iterator<Map.Entry<String, Line>> all = lines.entrySet().iterator();
    while (running < atOnce && all.hasNext()) {
      Map.Entry<String, Line> entry = all.next();
      Line line = entry.getValue();
      if (line.running < atOnceForOne && !line.waiting.isEmpty()) {
        all.remove();
        lines.put(entry.getKey(), line);
        running++;
        line.running++;
        line.waiting.remove().run();
        all = lines.entrySet().iterator();
      }
    }
  }
}
