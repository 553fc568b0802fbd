package carillon.store.collection;

import carillon.job.CollectionName;
import carillon.job.Pause;
import carillon.job.collection.CollectionDefinition;
import carillon.job.collection.PauseScope;
import carillon.json.StoredJson;
import carillon.redis.ConditionalCommands;
import carillon.redis.Keys;
import carillon.redis.Partitions;
import carillon.redis.RedisErrors;
import carillon.redis.RedisLink;
import carillon.redis.Script;
import carillon.store.collection.ScopePauses.StoredPause;
import carillon.store.job.ChangeNotices;
import io.vertx.core.Future;
import io.vertx.redis.client.Command;
import io.vertx.redis.client.Request;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Optional;
import java.util.UUID;
import java.util.function.Supplier;

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

  /**
   * The marker that a collection should have.
   *
   * @param revision 0 where nothing is stored that has one: then the marker is of this instant
   */
  private record Truth(
      boolean disabled, Optional<Instant> from, Optional<Instant> until, long revision) {
    long revision(Instant now) {
      return revision == 0 ? now.toEpochMilli() : revision;
    }

    String marker(Instant now) {
      return from.isPresent()
          ? DisabledMarker.planned(from.get(), until, revision(now))
          : disabled
              ? DisabledMarker.disabled(now, until, revision(now))
              : DisabledMarker.enabled(now, revision(now));
    }
  }

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
    return announce(name.key());
  }

  /** Announces a change of what bears this marker. */
  Future<String> announce(String key) {
    String announced = key + " " + UUID.randomUUID();
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
    return settle(name.key(), () -> truth(name));
  }

  /** Sets the marker of a group or of everything, as {@link #settle(CollectionName)} does. */
  public Future<Void> settle(PauseScope scope) {
    return settle(scope.key(), () -> truth(scope));
  }

  private Future<Void> settle(String key, Supplier<Future<Truth>> looking) {
    return looking.get().compose(truth -> settle(key, looking, truth));
  }

  private Future<Void> settle(String key, Supplier<Future<Truth>> looking, Truth truth) {
    Instant now = clock.instant();
    String marker = truth.marker(now);
    long revision = truth.revision(now);
    return Future.all(
            set(keys.gates(), key, marker, revision),
            Partitions.all(keys, p -> set(keys.gates(p), key, marker, revision)))
        .compose(set -> notices.add(kind(truth), key))
        .compose(set -> looking.get())
        .compose(
            still -> still.equals(truth) ? Future.succeededFuture() : settle(key, looking, still));
  }

  /** Looks at a scope: a pause to come disables from its instant on. */
  private Future<Truth> truth(PauseScope scope) {
    return link.send(Request.cmd(Command.HGET).arg(keys.pauses()).arg(scope.key()))
        .map(
            found -> {
              StoredPause stored =
                  found == null
                      ? new StoredPause(0, Optional.empty())
                      : StoredPause.read(found.toString());
              Optional<Pause> pause = stored.pause().flatMap(one -> one.current(clock.instant()));
              Optional<Instant> from = pause.map(Pause::since).filter(clock.instant()::isBefore);
              return new Truth(
                  pause.isPresent() && from.isEmpty(),
                  from,
                  pause.flatMap(Pause::end),
                  stored.revision());
            });
  }

  private Optional<Instant> from(CollectionDefinition definition) {
    return definition.pause().map(Pause::since).filter(clock.instant()::isBefore);
  }

  private static ChangeNotices.Kind kind(Truth truth) {
    return truth.disabled ? ChangeNotices.Kind.DISABLED : ChangeNotices.Kind.ENABLED;
  }

  private Future<Void> set(String list, String key, String marker, long revision) {
    return SET.on(link)
        .key("gates", list)
        .arg("collection", key)
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
                  definition.holds(clock.instant()),
                  Optional.of(definition)
                      .filter(CollectionDefinition::isPlanned)
                      .flatMap(this::from),
                  definition.pause().flatMap(Pause::end),
                  fields.get(2) == null ? 0 : fields.get(2).toLong());
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
    String key = announced.substring(0, announced.indexOf(' '));
    return PauseScope.ofKey(key)
        .map(this::settle)
        .orElseGet(() -> settleIfEverDisabled(CollectionName.parse(key)))
        .compose(settled -> dismiss(announced));
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
