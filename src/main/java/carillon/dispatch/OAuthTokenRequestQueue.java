package carillon.dispatch;

import io.vertx.core.Future;
import io.vertx.core.Promise;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.function.Supplier;

/**
 * Fair queue of the requests for tokens: a few at once, fewer of them for one collection, and those
 * that wait take turns by collection. Confined to an event loop.
 */
final class OAuthTokenRequestQueue {
  private static final int AT_ONCE = 8;
  private static final int AT_ONCE_FOR_ONE = 2;
  private static final int WAITING_FOR_ONE = 100;

  /** The collections that have requests, the one whose turn was longest ago first. */
  private final Map<String, Line> lines = new LinkedHashMap<>();

  private int running;

  /** The requests for one collection. */
  private static final class Line {
    private final Deque<Runnable> waiting = new ArrayDeque<>();
    private int running;
  }

  /** Makes the request when its turn has come; fails with {@link AuthenticationException}. */
  <T> Future<T> request(String collection, Supplier<Future<T>> request) {
    Line line = lines.computeIfAbsent(collection, name -> new Line());
    if (line.waiting.size() >= WAITING_FOR_ONE) {
      return Future.failedFuture(
          new AuthenticationException(
              "no token: the collection waits for " + WAITING_FOR_ONE + " others already"));
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
    while (running < AT_ONCE && all.hasNext()) {
      Map.Entry<String, Line> entry = all.next();
      Line line = entry.getValue();
      if (line.running < AT_ONCE_FOR_ONE && !line.waiting.isEmpty()) {
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
