package carillon.api.http;

import io.vertx.core.Future;
import io.vertx.core.Promise;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Queue;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;

/**
 * Bounded queue of expensive work, in which callers take turns. Work is expensive if it asks Redis
 * for as much as hundreds of other requests, or if it occupies a thread of a worker pool. A few
 * pieces run at a time; a caller with many waits for its own. Refused work costs nothing, nor does
 * work for a client that is gone when its turn comes. Confined to an event loop.
 */
public final class CallerTurns {
  private final String what;
  private final int atOnce;
  private final int maxWaiting;
  private final int maxWaitingOfCaller;
  private final Map<String, Queue<Turn<?>>> waiting = new LinkedHashMap<>();
  private int waitingInAll;
  private int running;
  private boolean isPassingOn;

  /**
   * Creates an empty queue.
   *
   * @param what waits, for messages
   * @param atOnce how many run at a time
   * @param maxWaiting how many wait in all
   * @param maxWaitingOfCaller how many of them one caller has
   */
  public CallerTurns(String what, int atOnce, int maxWaiting, int maxWaitingOfCaller) {
    this.what = what;
    this.atOnce = atOnce;
    this.maxWaiting = maxWaiting;
    this.maxWaitingOfCaller = maxWaitingOfCaller;
  }

  /** Turns of lists: about as many wait as connections may be open, of one address and in all. */
  public static CallerTurns ofLists() {
    return new CallerTurns("lists", 8, 10_000, 1000);
  }

  /** Returns the turns of searches. Each search examines all names of a collection. */
  public static CallerTurns ofSearches() {
    return new CallerTurns("searches", 1, 200, 16);
  }

  /** Turns of forecasts, which one thread counts. */
  public static CallerTurns ofForecasts() {
    return new CallerTurns("forecasts", 2, 100, 20);
  }

  /** Turns of previews and explanations of schedules, which one thread computes. */
  public static CallerTurns ofExplanations() {
    return new CallerTurns("previews and explanations", 1, 400, 40);
  }

  /** Turns of scrapes, which the worker threads that all share write. */
  public static CallerTurns ofScrapes() {
    return new CallerTurns("scrapes", 2, 100, 20);
  }

  /** Work of a caller that waits for its turn. */
  private final class Turn<T> {
    private final BooleanSupplier isUnwanted;
    private final Supplier<Future<T>> work;
    private final Promise<T> done = Promise.promise();

    Turn(BooleanSupplier isUnwanted, Supplier<Future<T>> work) {
      this.isUnwanted = isUnwanted;
      this.work = work;
    }

    void begin() {
      if (isUnwanted.getAsBoolean()) {
        done.fail(HttpException.busy("Too many " + what + " wait for their turn; try again."));
      } else {
        run(work).onComplete(done);
      }
    }
  }

  /** A handler that answers when it is its turn. */
  public Route.Handler inTurn(Route.Handler handler) {
    return request -> take(request, () -> handler.answer(request));
  }

  /** The answer to a request when it is its turn; work for a client that is gone is skipped. */
  public Future<ApiResponse> take(ApiRequest request, Supplier<Future<ApiResponse>> work) {
    return take(request.callerName(), request.http().response()::closed, work);
  }

  /**
   * Returns the result of the work when its turn comes. Throws an {@link HttpException} 429 when
   * too much work waits. Fails with 503 when the work is unwanted by then.
   *
   * @param isUnwanted asked when the turn has come
   */
  public <T> Future<T> take(String caller, BooleanSupplier isUnwanted, Supplier<Future<T>> work) {
    if (running < atOnce) {
      return run(work);
    }
    Queue<Turn<?>> own = waiting.getOrDefault(caller, new ArrayDeque<>());
    if (waitingInAll == maxWaiting || own.size() == maxWaitingOfCaller) {
      throw HttpException.tooMany(
          "Too many " + what + " wait for their turn; try again.", Duration.ofSeconds(1));
    }
    Turn<T> turn = new Turn<>(isUnwanted, work);
    own.add(turn);
    waiting.putIfAbsent(caller, own);
    waitingInAll++;
    return turn.done.future();
  }

  private <T> Future<T> run(Supplier<Future<T>> work) {
    running++;
    return Future.succeededFuture()
        .compose(begun -> work.get())
        .onComplete(
            done -> {
              running--;
              passOn();
            });
  }

  /** Begins what may begin. Work that ends immediately comes back here: it only marks its end. */
  private void passOn() {
    if (isPassingOn) {
      return;
    }
    isPassingOn = true;
    while (running < atOnce && waitingInAll > 0) {
      next().begin();
    }
    isPassingOn = false;
  }

  /** Takes the oldest work of the caller whose turn it is; the caller goes behind the others. */
  private Turn<?> next() {
    Iterator<Map.Entry<String, Queue<Turn<?>>>> callers = waiting.entrySet().iterator();
    Map.Entry<String, Queue<Turn<?>>> caller = callers.next();
    callers.remove();
    Turn<?> turn = caller.getValue().remove();
    waitingInAll--;
    if (!caller.getValue().isEmpty()) {
      waiting.put(caller.getKey(), caller.getValue());
    }
    return turn;
  }
}
