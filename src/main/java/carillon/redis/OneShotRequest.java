package carillon.redis;

import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.redis.client.Redis;
import io.vertx.redis.client.RedisOptions;
import io.vertx.redis.client.Request;
import io.vertx.redis.client.Response;
import java.util.concurrent.TimeUnit;

/** A question to a server to which there is no connection, over one that is closed after it. */
final class OneShotRequest {
  private OneShotRequest() {}

  /** The reply, null where Redis says nil; fails when there is none within half a deadline. */
  static Future<Response> ask(
      Vertx vertx, RedisLinkOptions setup, RedisOptions server, Request request) {
    Redis client = Redis.createClient(vertx, server);
    return client
        .connect()
        .compose(connection -> connection.send(request))
        .timeout(setup.settings().commandTimeout().toMillis() / 2, TimeUnit.MILLISECONDS)
        .eventually(client::close)
        .recover(failure -> Future.failedFuture(RedisErrors.translate(failure)));
  }
}
