package carillon.benchmark;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.vertx.core.Future;
import io.vertx.core.buffer.Buffer;
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
 * Ceiling of accepting: parses the job, stores it with one script and answers 201. Each instance is
 * the share of one event loop, with its own connection to Redis.
 */
final class StoreBaseline extends BaselineMain.Server {
  /** Minimum work to store a job: a hash of 500 bytes and an entry in a sorted set. */
  static final String SCRIPT =
      """
      redis.call('HSET', KEYS[1], 'definition', ARGV[1], 'state', 'enabled')
      return redis.call('ZADD', KEYS[2], ARGV[2], KEYS[1])
      """;

  static final int DEFINITION_BYTES = 500;
  private static final int BROKEN = 500;
  private static final int MAX_WAITING = 16_384;

  private final String redisUri;
  private final String prefix;
  private final ObjectMapper json = new ObjectMapper();
  private final String padding = "x".repeat(DEFINITION_BYTES);
  private Redis client; // held: a client that nothing refers to closes its connections
  private RedisConnection redis;
  private String script;

  /**
   * @param prefix prefix of all keys
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
        .compose(connected -> connected.send(Request.cmd(Command.SCRIPT).arg("LOAD").arg(SCRIPT)))
        .onSuccess(loaded -> script = loaded.toString())
        .compose(loaded -> super.start());
  }

  @Override
  void handle(HttpServerRequest request) {
    request
        .body()
        .compose(body -> redis.send(command(request.path(), body)))
        .onSuccess(stored -> created(request))
        .onFailure(failure -> request.response().setStatusCode(BROKEN).end());
  }

  private Request command(String path, Buffer body) {
    JsonNode job = parse(body);
    String uri = job.path("action").path("request").path("uri").asText();
    return Request.cmd(Command.EVALSHA)
        .arg(script)
        .arg(2)
        .arg(prefix + path)
        .arg(prefix + "due")
        .arg((uri + padding).substring(0, DEFINITION_BYTES))
        .arg(Instant.parse(job.path("startTime").asText()).toEpochMilli());
  }

  private JsonNode parse(Buffer body) {
    try {
      return json.readTree(body.getBytes());
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
