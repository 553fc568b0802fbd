package carillon.store.classic;

import carillon.job.name.ErrorCode;
import carillon.redis.Keys;
import carillon.redis.RedisLink;
import carillon.store.Stores;
import io.vertx.core.Future;
import io.vertx.redis.client.Command;
import io.vertx.redis.client.Request;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/**
 * Store of cloud services, in one hash for each subscription. A record holds only the texts of a
 * name; the group consists of its collections. Every future may fail with {@link
 * ErrorCode#STORE_UNAVAILABLE}. Confined to the event loop of its link.
 */
public final class CloudServiceStore {
  private final RedisLink link;
  private final Keys keys;

  public CloudServiceStore(Stores stores) {
    this.link = stores.link();
    this.keys = stores.keys();
  }

  /** Creates or replaces a record. */
  public Future<Void> put(CloudService service) {
    return link.send(
            Request.cmd(Command.HSET)
                .arg(key(service.subscription()))
                .arg(CloudService.key(service.name()))
                .arg(service.stored()))
        .mapEmpty();
  }

  /** Returns the record with this name; empty if there is none. */
  public Future<Optional<CloudService>> find(String subscription, String name) {
    return link.send(Request.cmd(Command.HGET).arg(key(subscription)).arg(CloudService.key(name)))
        .map(
            json ->
                Optional.ofNullable(json)
                    .map(text -> CloudService.read(subscription, text.toString())));
  }

  /**
   * Removes the record.
   *
   * @return false if there was none
   */
  public Future<Boolean> delete(String subscription, String name) {
    return link.send(Request.cmd(Command.HDEL).arg(key(subscription)).arg(CloudService.key(name)))
        .map(removed -> removed.toInteger() > 0);
  }

  /** Returns all records by their folded names. Reads them in bounded slices. */
  public Future<Map<String, CloudService>> all(String subscription) {
    return link.entries(key(subscription))
        .map(
            entries -> {
              Map<String, CloudService> found = new TreeMap<>();
              entries.forEach(
                  (name, json) -> found.put(name, CloudService.read(subscription, json)));
              return found;
            });
  }

  private String key(String subscription) {
    return keys.cloudServices(subscription.toLowerCase(Locale.ROOT));
  }
}
