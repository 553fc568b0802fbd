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
 * Queue of lists that wait to be read. A list asks Redis for hundreds of things, over the
 * connection that all requests of an event loop share: a few hundred lists at once would hold up
 * every other request. So a few are read at a time, and the networks that wait for one take turns:
 * a client that asks for many waits for its own. Confined to an event loop.
 */
public final class ListTurns {
  static final int MAX_AT_ONCE = 8;

  /** About as many as the connections that one address may have. */
  static final int MAX_WAITING_PER_NETWORK = 1000;

  /** Status of a response that nobody gets. */
  private static final int GONE = 503;

  private final Map<String, Queue<Promise<Void>>> waiting = new LinkedHashMap<>();
  private int running;

  /** A handler that answers when it is its turn. */
  public Route.Handler inTurn(Route.Handler handler) {
    return request ->
        take(
            ClientNetwork.of(request.http().remoteAddress().hostAddress()),
            request.http().response()::closed,
            () -> handler.answer(request));
  }

  Future<ApiResponse> take(
      String network, BooleanSupplier isGone, Supplier<Future<ApiResponse>> list) {
    if (running < MAX_AT_ONCE) {
      return run(list);
    }
    Queue<Promise<Void>> own = waiting.computeIfAbsent(network, any -> new ArrayDeque<>());
    if (own.size() == MAX_WAITING_PER_NETWORK) {
      throw HttpException.tooMany(
          "More than "
              + MAX_WAITING_PER_NETWORK
              + " lists of this client wait to be read; try again.",
          Duration.ofSeconds(1));
    }
    Promise<Void> turn = Promise.promise();
    own.add(turn);
    return turn.future()
        .compose(
            begun ->
                run(
                    isGone.getAsBoolean()
                        ? () -> Future.succeededFuture(ApiResponse.empty(GONE))
                        : list));
  }

  private Future<ApiResponse> run(Supplier<Future<ApiResponse>> list) {
    running++;
    return Future.succeededFuture()
        .compose(begun -> list.get())
        .onComplete(
            done -> {
              running--;
              passOn();
            });
  }

  private void passOn() {
    Iterator<Map.Entry<String, Queue<Promise<Void>>>> networks = waiting.entrySet().iterator();
    if (running >= MAX_AT_ONCE || !networks.hasNext()) {
      return;
    }
    Map.Entry<String, Queue<Promise<Void>>> next = networks.next();
    networks.remove();
    Promise<Void> turn = next.getValue().remove();
    if (!next.getValue().isEmpty()) {
      waiting.put(next.getKey(), next.getValue());
    }
    turn.complete();
  }
}
