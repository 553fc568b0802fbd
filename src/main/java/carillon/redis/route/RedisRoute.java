package carillon.redis.route;

import io.vertx.core.Future;
import io.vertx.redis.client.Request;
import io.vertx.redis.client.Response;
import java.util.List;
import java.util.function.Supplier;

/** Way from a command to the server that holds its key. Confined to the event loop of its link. */
public interface RedisRoute {
  /** Sends a command to the server that holds its keys; without keys, to any. */
  Future<Response> send(Request request);

  /** Sends a command to the server that holds this key. */
  Future<Response> send(String key, Request request);

  /** Sends a command to every server that holds keys; the replies are in no order. */
  Future<List<Response>> sendToAll(Supplier<Request> request);

  /** A route to each server that holds keys, in no order. */
  default List<RedisRoute> masters() {
    return List.of(this);
  }

  /** The keys to send a script with. */
  default List<String> declared(List<String> keys) {
    return keys;
  }

  /** True while some server is connected. */
  boolean isUp();

  /** Closes all connections; outstanding commands fail. */
  Future<Void> close();
}
