package carillon.redis;

import carillon.redis.route.RedisErrors;
import io.vertx.core.Future;
import io.vertx.redis.client.Command;
import io.vertx.redis.client.Request;
import io.vertx.redis.client.Response;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Repair of a key with a wrong type on a write by a plain command, as scripts do it. */
public final class DamagedKey {
  private static final Logger LOG = LoggerFactory.getLogger(DamagedKey.class);

  private DamagedKey() {}

  /**
   * Performs a write. If its key holds another type, moves that aside and repeats the write once.
   * Only a manual change or a bug can have written such a key.
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
