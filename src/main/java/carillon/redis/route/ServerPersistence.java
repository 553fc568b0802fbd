package carillon.redis.route;

import carillon.config.RedisSettings.Durability;
import io.vertx.redis.client.Command;
import io.vertx.redis.client.Request;
import io.vertx.redis.client.Response;

/**
 * Persistence settings of a server.
 *
 * @param appendOnly whether it keeps an append-only file
 * @param fsync when it forces that to the disk: always, everysec, no
 * @param minReplicas how many replicas it must have to take writes
 */
public record ServerPersistence(boolean appendOnly, String fsync, int minReplicas) {

  public static Request question() {
    return Request.cmd(Command.CONFIG).arg("GET").arg("append*").arg("min-replicas-to-write");
  }

  public static ServerPersistence of(Response settings) {
    return new ServerPersistence(
        settings.get("appendonly").toString().equals("yes"),
        settings.get("appendfsync").toString(),
        settings.get("min-replicas-to-write").toInteger());
  }

  /** The setting that falls short of a level, as text after "it"; empty if none does. */
  String shortOf(Durability level) {
    if (level == Durability.ANY) {
      return "";
    }
    if (!appendOnly) {
      return "has appendonly no";
    }
    if (fsync.equals("no") || (level != Durability.EVERYSEC && !fsync.equals("always"))) {
      return "has appendfsync " + fsync;
    }
    return level == Durability.REPLICA && minReplicas < 1 ? "has min-replicas-to-write 0" : "";
  }

  /** Returns the durability in one word: {@code fsync}, {@code everysec} or {@code none}. */
  public String word() {
    if (shortOf(Durability.FSYNC).isEmpty()) {
      return "fsync";
    }
    return shortOf(Durability.EVERYSEC).isEmpty() ? "everysec" : "none";
  }
}
