package carillon.store.collection;

import carillon.job.CollectionName;
import carillon.job.Pause;
import carillon.job.collection.CollectionDefinition;
import carillon.job.collection.CollectionDefinition.State;
import carillon.json.StoredJson;
import carillon.redis.ConditionalCommands;
import carillon.redis.Keys;
import carillon.redis.Partitions;
import carillon.redis.RedisErrors;
import carillon.redis.RedisLink;
import carillon.redis.Script;
import carillon.store.job.ChangeNotices;
import io.vertx.core.Future;
import io.vertx.redis.client.Command;
import io.vertx.redis.client.Request;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Optional;
import java.util.UUID;

/**
 * The disabled markers of collections, as they are set. The collection's hash alone is the truth;
 * what claims go by are markers in every partition, one per collection that is or lately was
 * disabled, and {@code carillon:gates} lists them for the nodes and for operators. A marker bears
 * the revision of the collection and gives way to later ones only, and whoever has set one looks at
 * the truth once more: so marker and truth agree, whatever interleaves. Confined to the event loop
 * of its link.
 */
public final class DisabledMarkers {
  private static final Script<Void> SET = Script.returningNothing("set_disabled_marker");

  /** Age from which the node that announced a change of a marker counts as dead or cut off. */
  private static final Duration ABANDONED = Duration.ofSeconds(10);

  private static final int SLICE = 100;

  private final RedisLink link;
  private final Keys keys;
  private final InstantSource clock;
  private final ChangeNotices notices;

  public DisabledMarkers(RedisLink link, Keys keys, InstantSource clock, ChangeNotices notices) {
    this.link = link;
    this.keys = keys;
    this.clock = clock;
    this.notices = notices;
  }

  /** The marker that a collection should have. */
  private record Truth(boolean disabled, Optional<Instant> until, long revision) {}

  /**
   * True if this collection is or lately was disabled, and where nobody knows, as the key holds
   * another type: whoever settles the marker moves that aside.
   */
  Future<Boolean> isKnown(CollectionName name) {
    return link.send(Request.cmd(Command.HEXISTS).arg(keys.gates()).arg(name.key()))
        .map(known -> known.toInteger() > 0)
        .recover(
            failure ->
                RedisErrors.isWrongType(failure)
                    ? Future.succeededFuture(true)
                    : Future.failedFuture(failure));
  }

  /**
   * Announces a change of a collection's state before it is made, so that its marker is {@linkplain
   * #resume set} whatever happens to this node.
   *
   * @return what to tell {@link #dismiss}
   */
  Future<String> announce(CollectionName name) {
    String announced = name.key() + " " + UUID.randomUUID();
    return link.send(
            Request.cmd(Command.ZADD).arg(keys.gateChanges()).arg(clock.millis()).arg(announced))
        .map(announced);
  }

  /** Ends what was announced: it is done, or will not be. */
  Future<Void> dismiss(String announced) {
    return link.send(Request.cmd(Command.ZREM).arg(keys.gateChanges()).arg(announced)).mapEmpty();
  }

  /** Settles the marker of a collection, unless it was never disabled and has none. */
  public Future<Void> settleIfEverDisabled(CollectionName name) {
    Future<Boolean> known = isKnown(name);
    return link.send(Request.cmd(Command.HEXISTS).arg(keys.collection(name)).arg("everDisabled"))
        .compose(
            ever ->
                known.compose(
                    is -> is || ever.toInteger() > 0 ? settle(name) : Future.succeededFuture()));
  }

  /**
   * Sets the marker of a collection as its state requires; when it completes, every partition goes
   * by it.
   */
  public Future<Void> settle(CollectionName name) {
    return truth(name).compose(truth -> settle(name, truth));
  }

  private Future<Void> settle(CollectionName name, Truth truth) {
    Instant now = clock.instant();
    String marker =
        truth.disabled
            ? DisabledMarker.disabled(now, truth.until, truth.revision)
            : DisabledMarker.enabled(now, truth.revision);
    return Future.all(
            set(keys.gates(), name, marker, truth.revision),
            Partitions.all(keys, p -> set(keys.gates(p), name, marker, truth.revision)))
        .compose(set -> notices.add(kind(truth), name.key()))
        .compose(set -> truth(name))
        .compose(still -> still.equals(truth) ? Future.succeededFuture() : settle(name, still));
  }

  private static ChangeNotices.Kind kind(Truth truth) {
    return truth.disabled ? ChangeNotices.Kind.DISABLED : ChangeNotices.Kind.ENABLED;
  }

  private Future<Void> set(String list, CollectionName name, String marker, long revision) {
    return SET.on(link)
        .key("gates", list)
        .arg("collection", name.key())
        .arg("entry", marker)
        .arg("revision", revision)
        .run();
  }

  /**
   * A deleted collection holds nothing back; its revision stays as long as any node may know it.
   */
  private Future<Truth> truth(CollectionName name) {
    return link.send(
            Request.cmd(Command.HMGET)
                .arg(keys.collection(name))
                .arg("definition")
                .arg("deletedAt")
                .arg("revision"))
        .map(
            fields -> {
              boolean isThere = fields.get(0) != null && fields.get(1) == null;
              CollectionDefinition definition =
                  isThere
                      ? StoredJson.readCollection(fields.get(0).toString())
                      : CollectionDefinition.PLAIN;
              return new Truth(
                  definition.state() != State.ENABLED,
                  definition.pause().flatMap(Pause::until),
                  fields.get(2) == null ? clock.millis() : fields.get(2).toLong());
            });
  }

  /** Sets markers that were announced and never set, a slice of them. */
  public Future<Void> resume() {
    long abandoned = clock.millis() - ABANDONED.toMillis();
    return link.send(
            Request.cmd(Command.ZRANGE)
                .arg(keys.gateChanges())
                .arg("-inf")
                .arg(abandoned)
                .arg("BYSCORE")
                .arg("LIMIT")
                .arg(0)
                .arg(SLICE))
        .compose(
            members ->
                Future.join(members.stream().map(Object::toString).map(this::resume).toList()))
        .mapEmpty();
  }

  private Future<Void> resume(String announced) {
    CollectionName name = CollectionName.parse(announced.substring(0, announced.indexOf(' ')));
    return settleIfEverDisabled(name).compose(settled -> dismiss(announced));
  }

  /**
   * Removes the marker of a collection that was enabled a while ago and holds nothing back.
   *
   * @param marker as it was seen; another one stays
   */
  public Future<Void> forget(String collection, String marker) {
    return Partitions.all(keys, p -> remove(keys.gates(p), collection, marker))
        .compose(removed -> remove(keys.gates(), collection, marker));
  }

  private Future<Void> remove(String list, String collection, String marker) {
    return new ConditionalCommands()
        .when(marker, "HGET", list, collection)
        .then("HDEL", list, collection)
        .run(link, true)
        .mapEmpty();
  }
}
