package carillon.api.http;

import carillon.auth.ClientNetwork;
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
 * Queue of reads of many partitions, such as lists and searches. Each asks Redis for as much as
 * hundreds or thousands of other requests, over the connection that all requests of an event loop
 * share. So a few run at a time, and the networks that wait take turns: a client that asks for many
 * waits for its own. A read that is refused because too many wait has cost Redis nothing. Confined
 * to an event loop.
 */
public final class ReadTurns {
  /** Status of a response that nobody gets. */
  private static final int GONE = 503;

  private final String what;
  private final int atOnce;
  private final int maxWaiting;
  private final int maxWaitingOfNetwork;
  private final Map<String, Queue<Promise<Void>>> waiting = new LinkedHashMap<>();
  private int waitingInAll;
  private int running;

  /**
   * Nothing runs yet.
   *
   * @param what waits, for messages
   * @param atOnce how many run at a time
   * @param maxWaiting how many wait in all
   * @param maxWaitingOfNetwork how many of them one client's network has
   */
  ReadTurns(String what, int atOnce, int maxWaiting, int maxWaitingOfNetwork) {
    this.what = what;
    this.atOnce = atOnce;
    this.maxWaiting = maxWaiting;
    this.maxWaitingOfNetwork = maxWaitingOfNetwork;
  }

  /** Turns of lists: about as many wait as connections may be open, of one address and in all. */
  public static ReadTurns ofLists() {
    return new ReadTurns("lists", 8, 10_000, 1000);
  }

  /** Turns of searches, of which each looks at all names of a collection. */
  public static ReadTurns ofSearches() {
    return new ReadTurns("searches", 1, 16, 16);
  }

  /** Turns of forecasts, which one thread counts. */
  public static ReadTurns ofForecasts() {
    return new ReadTurns("forecasts", 2, 100, 20);
  }

  /** A handler that answers when it is its turn. */
  public Route.Handler inTurn(Route.Handler handler) {
    return request -> take(request, () -> handler.answer(request));
  }

  /** What a request is answered when it is its turn. */
  public Future<ApiResponse> take(ApiRequest request, Supplier<Future<ApiResponse>> read) {
    return take(
        ClientNetwork.of(request.http().remoteAddress().hostAddress()),
        request.http().response()::closed,
        read);
  }

  Future<ApiResponse> take(
      String network, BooleanSupplier isGone, Supplier<Future<ApiResponse>> read) {
    if (running < atOnce) {
      return run(read);
    }
    Queue<Promise<Void>> own = waiting.getOrDefault(network, new ArrayDeque<>());
    if (waitingInAll == maxWaiting || own.size() == maxWaitingOfNetwork) {
      throw HttpException.tooMany(
          "Too many " + what + " wait for their turn; try again.", Duration.ofSeconds(1));
    }
    Promise<Void> turn = Promise.promise();
    own.add(turn);
    waiting.putIfAbsent(network, own);
    waitingInAll++;
    return turn.future()
        .compose(
            begun ->
                run(
                    isGone.getAsBoolean()
                        ? () -> Future.succeededFuture(ApiResponse.empty(GONE))
                        : read));
  }

  private Future<ApiResponse> run(Supplier<Future<ApiResponse>> read) {
    running++;
    return Future.succeededFuture()
        .compose(begun -> read.get())
        .onComplete(
            done -> {
              running--;
              passOn();
            });
  }

  private void passOn() {
    Iterator<Map.Entry<String, Queue<Promise<Void>>>> networks = waiting.entrySet().iterator();
    if (running >= atOnce || !networks.hasNext()) {
      return;
    }
    Map.Entry<String, Queue<Promise<Void>>> next = networks.next();
    networks.remove();
    Promise<Void> turn = next.getValue().remove();
    waitingInAll--;
    if (!next.getValue().isEmpty()) {
      waiting.put(next.getKey(), next.getValue());
    }
    turn.complete();
  }
}
