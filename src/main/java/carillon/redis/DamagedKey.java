package carillon.redis;

import io.vertx.core.Future;
import io.vertx.redis.client.Command;
import io.vertx.redis.client.Request;
import io.vertx.redis.client.Response;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Repair of a key that holds another type where a plain command writes to it, as scripts do it. */
public final class DamagedKey {
  private static final Logger LOG = LoggerFactory.getLogger(DamagedKey.class);

  private DamagedKey() {}

  /**
   * Performs a write; where its key holds another type, which only a hand or a bug can have
   * written, moves that aside and performs it once more.
   *
   * @param key the only one of the command
   */
  public static Future<Response> write(RedisLink link, Keys keys, String key, Request command) {
    return write(link, keys, key, () -> link.send(command));
  }

  /** Does the same with a write of several commands to one key. */
  public static <T> Future<T> write(
      RedisLink link, Keys keys, String key, Supplier<Future<T>> commands) {
    return commands
        .get()
        .recover(
            failure ->
                RedisErrors.isWrongType(failure)
                    ? moveAside(link, keys, key).compose(moved -> commands.get())
                    : Future.failedFuture(failure));
  }

  private static Future<Boolean> moveAside(RedisLink link, Keys keys, String key) {
    String aside = keys.damaged(key);
    return link.send(Request.cmd(Command.TYPE).arg(key))
        .compose(
            type ->
                new ConditionalCommands()
                    .when(type.toString(), "TYPE", key)
                    .thenRename(key, aside)
                    .run(link, true))
        .onSuccess(
            moved -> {
              if (moved) {
                LOG.atError()
                    .addKeyValue("key", key)
                    .addKeyValue("aside", aside)
                    .log("key holds another type, moved aside");
              }
            });
  }
}
