package carillon.store.collection;

import carillon.job.Pause;
import carillon.job.collection.CollectionDefinition;
import carillon.job.collection.PauseScope;
import carillon.job.name.CollectionName;
import carillon.json.StoredJson;
import carillon.redis.ConditionalCommands;
import carillon.redis.Keys;
import carillon.redis.Partitions;
import carillon.redis.RedisLink;
import carillon.redis.Script;
import carillon.redis.route.RedisErrors;
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
 * Writer of the disabled markers of collections. The collection's hash alone is the truth. Claims
 * use the markers in every partition, one for each collection that is or recently was disabled.
 * {@code carillon:gates} lists them for the nodes and for operators.
 *
 * <p>A marker has the revision of the collection, and only later revisions replace it. After every
 * write of a marker, the writer reads the truth again. So marker and truth agree after any
 * interleaving. Confined to the event loop of its link.
 */
public final class DisabledMarkers {
  private static final Script<Void> SET = Script.returningNothing("set_disabled_marker");

  /** Age of an announcement from which its node counts as dead or disconnected. */
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
   * The correct marker of a collection.
   *
   * @param revision 0 if no revision is stored; then the marker has the current instant
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
   * Whether this collection is or recently was disabled. Also true if the key holds another type.
   * The next write of the marker moves that key aside.
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
   * Announces a change of a collection's state before it is made. If this node fails, {@link
   * #resume} sets the marker.
   *
   * @return argument of {@link #dismiss}
   */
  Future<String> announce(CollectionName name) {
    return announce(name.key());
  }

  /** Announces a change of the object with this marker. */
  Future<String> announce(String key) {
    String announced = key + " " + UUID.randomUUID();
    return link.send(
            Request.cmd(Command.ZADD).arg(keys.gateChanges()).arg(clock.millis()).arg(announced))
        .map(announced);
  }

  /** Removes an announcement, because the change is done or will not come. */
  Future<Void> dismiss(String announced) {
    return link.send(Request.cmd(Command.ZREM).arg(keys.gateChanges()).arg(announced)).mapEmpty();
  }

  /** Settles the marker of a collection, unless the collection was never disabled and has none. */
  public Future<Void> settleIfEverDisabled(CollectionName name) {
    Future<Boolean> known = isKnown(name);
    return link.send(Request.cmd(Command.HEXISTS).arg(keys.collection(name)).arg("everDisabled"))
        .compose(
            ever ->
                known.compose(
                    is -> is || ever.toInteger() > 0 ? settle(name) : Future.succeededFuture()));
  }

  /**
   * Sets the marker of a collection according to its state. When the future completes, every
   * partition uses it.
   */
  public Future<Void> settle(CollectionName name) {
    return settle(name.key(), () -> truth(name));
  }

  /** Sets the marker of a group or of everything, like {@link #settle(CollectionName)}. */
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

  /** Reads the state of a scope. A planned pause disables from its instant on. */
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
   * Reads the state of a collection. A deleted one is not disabled, and its revision stays as long
   * as any node may know it.
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

  /** Sets some markers that were announced and never set. */
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
   * Removes the marker of a collection that was enabled some time ago and holds no attempts.
   *
   * @param marker marker as last seen; another one stays
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
