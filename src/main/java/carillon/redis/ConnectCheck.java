package carillon.redis;

import carillon.config.RedisSettings.Durability;
import io.vertx.core.Future;
import io.vertx.redis.client.Command;
import io.vertx.redis.client.RedisConnection;
import io.vertx.redis.client.Request;
import io.vertx.redis.client.Response;

/**
 * Check of a new connection: the server is a master, and as durable as {@code redis.durability}
 * requires.
 *
 * @param level asked for
 */
record ConnectCheck(Durability level) {

  /** Fails with STORE_UNAVAILABLE and a message for an operator. */
  Future<Void> verify(RedisConnection candidate) {
    return master(candidate)
        .compose(master -> level == Durability.ANY ? Future.succeededFuture() : durable(candidate));
  }

  /**
   * Only a master takes writes; a server that is still loading answers with an error. For a user
   * without the right to ROLE it is taken as a master.
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
