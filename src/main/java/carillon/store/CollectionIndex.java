package carillon.store;

import carillon.codec.StoredForm;
import carillon.job.CollectionDefinition.State;
import carillon.job.CollectionName;
import io.vertx.core.Future;
import io.vertx.redis.client.Command;
import io.vertx.redis.client.Request;
import io.vertx.redis.client.Response;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Locale;

/**
 * What says elsewhere that a collection exists: the list of its subscription, and the gate that
 * every node reads with its heartbeat. Both live in other slots than the collection, which alone is
 * the truth. Confined to the event loop of its link.
 */
final class CollectionIndex {
  private final RedisLink link;
  private final Keys keys;
  private final InstantSource clock;

  CollectionIndex(RedisLink link, Keys keys, InstantSource clock) {
    this.link = link;
    this.keys = keys;
    this.clock = clock;
  }

  /** Puts the collection on the list. */
  Future<Void> list(CollectionName name) {
    return link.send(
            Request.cmd(Command.ZADD)
                .arg(keys.collections(subscription(name)))
                .arg(0)
                .arg(listing(name)))
        .mapEmpty();
  }

  /** Opens or closes the gate; see {@link Gate}. */
  Future<Void> gate(CollectionName name, State state, Instant now) {
    if (state != State.ENABLED) {
      return setGate(name, Gate.closed(now));
    }
    return link.send(Request.cmd(Command.HEXISTS).arg(keys.gates()).arg(name.key()))
        .compose(
            known ->
                known.toInteger() == 0 ? Future.succeededFuture() : setGate(name, Gate.open(now)));
  }

  private Future<Void> setGate(CollectionName name, String gate) {
    return link.send(Request.cmd(Command.HSET).arg(keys.gates()).arg(name.key()).arg(gate))
        .mapEmpty();
  }

  /**
   * Takes a deleted collection off the list and opens its gate, so that runs that a node parks
   * behind it later are let go too. When there is one of this name again, it has both back.
   */
  Future<Void> remove(CollectionName name) {
    Future<Response> unlisted =
        link.send(
            Request.cmd(Command.ZREM).arg(keys.collections(subscription(name))).arg(listing(name)));
    return Future.all(unlisted, gate(name, State.ENABLED, clock.instant()))
        .compose(
            removed ->
                link.send(
                    Request.cmd(Command.HMGET)
                        .arg(keys.collection(name))
                        .arg("definition")
                        .arg("deleting")))
        .compose(
            now ->
                now.get(0) == null || now.get(1) != null
                    ? Future.succeededFuture()
                    : restore(name, StoredForm.readCollection(now.get(0).toString()).state()));
  }

  private Future<Void> restore(CollectionName name, State state) {
    return Future.all(list(name), gate(name, state, clock.instant())).mapEmpty();
  }

  static String subscription(CollectionName name) {
    return name.subscription().toLowerCase(Locale.ROOT);
  }

  private static String listing(CollectionName name) {
    return name.key().substring(name.subscription().length() + 1);
  }
}
