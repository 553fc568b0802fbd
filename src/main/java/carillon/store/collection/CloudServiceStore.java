package carillon.store.collection;

import carillon.job.CloudService;
import carillon.job.ErrorCode;
import carillon.json.StoredJson;
import carillon.redis.Keys;
import carillon.redis.RedisLink;
import io.vertx.core.Future;
import io.vertx.redis.client.Command;
import io.vertx.redis.client.Request;
import io.vertx.redis.client.Response;
import java.util.Iterator;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/**
 * The records of cloud services, one hash for each subscription: a name's texts, beside the
 * collections that make the group. Every future may fail with {@link ErrorCode#STORE_UNAVAILABLE}.
 * Confined to the event loop of its link.
 */
public final class CloudServiceStore {
  private static final int SLICE = 256;

  private final RedisLink link;
  private final Keys keys;

  public CloudServiceStore(RedisLink link, Keys keys) {
    this.link = link;
    this.keys = keys;
  }

  /** Creates or replaces. */
  public Future<Void> put(CloudService service) {
    return link.send(
            Request.cmd(Command.HSET)
                .arg(key(service.subscription()))
                .arg(CloudService.key(service.name()))
                .arg(StoredJson.write(service)))
        .mapEmpty();
  }

  /** The record of this name, if there is one. */
  public Future<Optional<CloudService>> find(String subscription, String name) {
    return link.send(Request.cmd(Command.HGET).arg(key(subscription)).arg(CloudService.key(name)))
        .map(
            json ->
                Optional.ofNullable(json)
                    .map(text -> StoredJson.readCloudService(subscription, text.toString())));
  }

  /**
   * Removes the record.
   *
   * @return false when there was none
   */
  public Future<Boolean> delete(String subscription, String name) {
    return link.send(Request.cmd(Command.HDEL).arg(key(subscription)).arg(CloudService.key(name)))
        .map(removed -> removed.toInteger() > 0);
  }

  /** All records by their folded names, read in bounded slices. */
  public Future<Map<String, CloudService>> all(String subscription) {
    return scan(subscription, "0", new TreeMap<>());
  }

  private Future<Map<String, CloudService>> scan(
      String subscription, String cursor, Map<String, CloudService> found) {
    return link.send(
            Request.cmd(Command.HSCAN).arg(key(subscription)).arg(cursor).arg("COUNT").arg(SLICE))
        .compose(
            reply -> {
              Iterator<Response> fields = reply.get(1).iterator();
              while (fields.hasNext()) {
                String name = fields.next().toString();
                String json = fields.next().toString();
                found.put(name, StoredJson.readCloudService(subscription, json));
              }
              String next = reply.get(0).toString();
              return next.equals("0")
                  ? Future.succeededFuture(found)
                  : scan(subscription, next, found);
            });
  }

  private String key(String subscription) {
    return keys.cloudServices(subscription.toLowerCase(Locale.ROOT));
  }
}
