package carillon.redis.route;

import carillon.config.RedisSettings.Durability;
import carillon.job.name.Quoted;
import io.vertx.core.Future;
import io.vertx.redis.client.Command;
import io.vertx.redis.client.RedisConnection;
import io.vertx.redis.client.Request;
import io.vertx.redis.client.Response;
import io.vertx.redis.client.ResponseType;
import java.util.UUID;
import java.util.function.Function;

/**
 * Check of a new connection: the server speaks RESP3, it is a master, it is as durable as {@code
 * redis.durability} requires, and its replies come in the order of the commands.
 *
 * @param level required level
 */
record ConnectCheck(Durability level) {

  private static final int RESP = 3;

  /** Fails with STORE_UNAVAILABLE and a message for an operator. */
  Future<Void> verify(RedisConnection candidate) {
    return resp3(candidate)
        .compose(resp3 -> master(candidate))
        .compose(master -> level == Durability.ANY ? Future.succeededFuture() : durable(candidate))
        .compose(durable -> inOrder(candidate::send));
  }

  /**
   * Asks for RESP3 once more. After a refused first HELLO, the client library continues with RESP2,
   * whose replies have other types than the code expects.
   */
  private static Future<Void> resp3(RedisConnection candidate) {
    return candidate
        .send(Request.cmd(Command.HELLO).arg(RESP))
        .compose(
            reply ->
                isResp3(reply)
                    ? Future.succeededFuture()
                    : Future.failedFuture(
                        RedisErrors.unavailable(
                            "Redis answers HELLO "
                                + RESP
                                + " with '"
                                + Quoted.of(text(reply))
                                + "'")));
  }

  private static boolean isResp3(Response reply) {
    return reply != null
        && reply.type() == ResponseType.MULTI
        && reply.getKeys().contains("proto")
        && reply.get("proto").toInteger() == RESP;
  }

  private static String text(Response reply) {
    return String.valueOf(reply);
  }

  /**
   * Sends a new text, which the reply must repeat. Fails with STORE_UNAVAILABLE if the replies of a
   * connection do not match its commands, so that the connection must be closed. Without the right
   * to PING, the replies are assumed to be in order.
   */
  static Future<Void> inOrder(Function<Request, Future<Response>> connection) {
    String text = UUID.randomUUID().toString();
    return connection
        .apply(Request.cmd(Command.PING).arg(text))
        .transform(
            (reply, failure) -> {
              if (failure != null && !RedisErrors.isForbidden(failure)) {
                return Future.failedFuture(failure);
              }
              return failure != null || text.equals(text(reply))
                  ? Future.succeededFuture()
                  : Future.failedFuture(
                      RedisErrors.unavailable("the replies of Redis do not match the commands"));
            });
  }

  /**
   * Fails unless the server is a master, because only a master takes writes. A server that is still
   * loading answers with an error. Without the right to ROLE, the server counts as a master.
   */
  private static Future<Void> master(RedisConnection candidate) {
    return candidate
        .send(Request.cmd(Command.ROLE))
        .map(role -> role.get(0).toString())
        .recover(
            failure ->
                RedisErrors.is("NOPERM", failure)
                    ? Future.succeededFuture("master")
                    : Future.failedFuture(failure))
        .compose(
            role ->
                role.equals("master")
                    ? Future.succeededFuture()
                    : Future.failedFuture(
                        RedisErrors.unavailable("Redis is a " + role + ", not the master")));
  }

  private Future<Void> durable(RedisConnection candidate) {
    return candidate
        .send(ServerPersistence.question())
        .transform(
            (Response answer, Throwable failure) -> {
              if (failure != null && !RedisErrors.is("NOPERM", failure)) {
                return Future.failedFuture(failure);
              }
              String shortcoming =
                  failure != null
                      ? "does not let this user see its settings (allow CONFIG GET)"
                      : ServerPersistence.of(answer).shortOf(level);
              return shortcoming.isEmpty()
                  ? Future.succeededFuture()
                  : Future.failedFuture(
                      RedisErrors.unavailable(
                          "it cannot give redis.durability = "
                              + level.word()
                              + ": it "
                              + shortcoming));
            });
  }
}
