package carillon.redis.route;

import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.redis.client.Command;
import io.vertx.redis.client.Request;
import io.vertx.redis.client.Response;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/**
 * Confirmation by replicas (WAIT) of the writes of one connection. One WAIT is pending at a time,
 * and covers all writes that were answered before it was sent. So its price is a round trip of
 * latency and not a command for each write.
 *
 * <p>WAIT covers only the writes of the same connection: on a new connection it would confirm every
 * write. So a write is confirmed on the connection that carried it or not at all. Confined to the
 * event loop of the connection.
 */
final class ReplicaAcks {
  private final ServerConnection connection;
  private final long patienceMillis;
  private List<Write> answered = new ArrayList<>();
  private boolean waiting;

  /**
   * Creates the confirmation for one connection.
   *
   * @param patience after which a write counts as not confirmed
   */
  ReplicaAcks(ServerConnection connection, Duration patience) {
    this.connection = connection;
    this.patienceMillis = patience.toMillis();
  }

  private record Write(Promise<Response> confirmed, Response reply, long generation) {
    void settle(Throwable failure) {
      if (failure == null) {
        confirmed.complete(reply);
      } else {
        confirmed.fail(failure);
      }
    }
  }

  /**
   * Completes with the reply to a write as soon as a replica has the write. Called when the write
   * has just been answered.
   */
  Future<Response> confirm(Response reply) {
    Write write = new Write(Promise.promise(), reply, connection.generation());
    answered.add(write);
    if (!waiting) {
      ask();
    }
    return write.confirmed.future();
  }

  private void ask() {
    List<Write> asked = answered;
    answered = new ArrayList<>();
    long generation = connection.generation();
    waiting = true;
    connection
        .sendNow(Request.cmd(Command.WAIT).arg(1).arg(patienceMillis))
        .compose(
            replicas ->
                replicas.toInteger() > 0
                    ? Future.<Void>succeededFuture()
                    : Future.failedFuture(
                        RedisErrors.unavailable(
                            "no replica has confirmed the change; it may be lost or not")))
        .onComplete(
            (confirmed, failure) -> {
              waiting = false;
              asked.forEach(
                  write -> write.settle(write.generation == generation ? failure : lost()));
              if (!answered.isEmpty() && !waiting) {
                ask();
              }
            });
  }

  private static Throwable lost() {
    return RedisErrors.unavailable("the connection to Redis was lost before a replica confirmed");
  }
}
