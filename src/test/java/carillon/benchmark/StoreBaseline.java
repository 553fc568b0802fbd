package carillon.benchmark;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.vertx.core.Future;
import io.vertx.core.VerticleBase;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpServer;
import io.vertx.core.http.HttpServerRequest;
import io.vertx.redis.client.Command;
import io.vertx.redis.client.Redis;
import io.vertx.redis.client.RedisConnection;
import io.vertx.redis.client.RedisOptions;
import io.vertx.redis.client.Request;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.time.Instant;

/**
 * A ceiling: parses the job, stores it by one script, answers 201. One event loop's share, with a
 * connection to Redis of its own.
 */
final class StoreBaseline extends VerticleBase implements BaselineMain.Listening {
  private static final int CREATED = 201;
  private static final int BROKEN = 500;
  private static final int MAX_WAITING = 16_384;

  private final String redisUri;
  private final String prefix;
  private final ObjectMapper json = new ObjectMapper();
  private final String padding = "x".repeat(StoreBaselineScript.DEFINITION_BYTES);
  private Redis client; // held: a client that nothing refers to closes its connections
  private RedisConnection redis;
  private String script;
  private HttpServer server;

  /**
   * @param prefix of all keys
   */
  StoreBaseline(String redisUri, String prefix) {
    this.redisUri = redisUri;
    this.prefix = prefix;
  }

  @Override
  public Future<?> start() {
    RedisOptions options =
        new RedisOptions().setConnectionString(redisUri).setMaxWaitingHandlers(MAX_WAITING);
    client = Redis.createClient(vertx, options);
    return client
        .connect()
        .onSuccess(connected -> redis = connected)
        .compose(
            connected ->
                connected.send(
                    Request.cmd(Command.SCRIPT).arg("LOAD").arg(StoreBaselineScript.TEXT)))
        .onSuccess(loaded -> script = loaded.toString())
        .compose(loaded -> listen());
  }

  private Future<HttpServer> listen() {
    server = vertx.createHttpServer().requestHandler(this::store);
    return server.listen(MachineInfo.SHARED_FREE_PORT, "127.0.0.1");
  }

  private void store(HttpServerRequest request) {
    request
        .body()
        .compose(body -> redis.send(command(request.path(), body)))
        .onComplete(
            stored ->
                request.response().setStatusCode(stored.succeeded() ? CREATED : BROKEN).end());
  }

  private Request command(String path, Buffer body) {
    JsonNode job = parse(body);
    String uri = job.path("action").path("request").path("uri").asText();
    return Request.cmd(Command.EVALSHA)
        .arg(script)
        .arg(2)
        .arg(prefix + path)
        .arg(prefix + "due")
        .arg((uri + padding).substring(0, StoreBaselineScript.DEFINITION_BYTES))
        .arg(Instant.parse(job.path("startTime").asText()).toEpochMilli());
  }

  private JsonNode parse(Buffer body) {
    try {
      return json.readTree(body.getBytes());
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  @Override
  public int port() {
    return server.actualPort();
  }
}
