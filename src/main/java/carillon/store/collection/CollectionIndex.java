package carillon.store.collection;

import carillon.job.CollectionName;
import carillon.redis.Keys;
import carillon.redis.RedisLink;
import io.vertx.core.Future;
import io.vertx.redis.client.Command;
import io.vertx.redis.client.Request;
import io.vertx.redis.client.Response;
import java.util.Locale;

/**
 * What says elsewhere that a collection exists: the list of its subscription, and the gate that
 * every node reads with its heartbeat. Both live in other slots than the collection, which alone is
 * the truth. Confined to the event loop of its link.
 */
public final class CollectionIndex {
  private final RedisLink link;
  private final Keys keys;
  private final DisabledMarkers disabledMarkers;

  public CollectionIndex(RedisLink link, Keys keys, DisabledMarkers disabledMarkers) {
    this.link = link;
    this.keys = keys;
    this.disabledMarkers = disabledMarkers;
  }

  /** Puts the collection on the list. */
  public Future<Void> list(CollectionName name) {
    return link.send(
            Request.cmd(Command.ZADD)
                .arg(keys.collections(subscription(name)))
                .arg(0)
                .arg(listing(name)))
        .mapEmpty();
  }

  /**
   * Takes a deleted collection off the list and opens its gate, so that attempts that a node parks
   * behind it later are let go too. When there is one of this name again, it has both back.
   */
  Future<Void> remove(CollectionName name) {
    Future<Response> unlisted =
        link.send(
            Request.cmd(Command.ZREM).arg(keys.collections(subscription(name))).arg(listing(name)));
    return Future.all(unlisted, disabledMarkers.settleIfGated(name))
        .compose(
            removed ->
                link.send(
                    Request.cmd(Command.HMGET)
                        .arg(keys.collection(name))
                        .arg("definition")
                        .arg("deleting")))
        .compose(
            now ->
                now.get(0) == null || now.get(1) != null ? Future.succeededFuture() : list(name));
  }

  static String subscription(CollectionName name) {
    return name.subscription().toLowerCase(Locale.ROOT);
  }

  private static String listing(CollectionName name) {
    return name.key().substring(name.subscription().length() + 1);
  }
}
