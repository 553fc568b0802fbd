package carillon.store.collection;

import carillon.bounded.AsyncCache;
import carillon.job.collection.CollectionDefinition;
import carillon.job.collection.Hold;
import carillon.job.collection.Hold.Holds;
import carillon.job.collection.PauseScope;
import carillon.job.name.CollectionName;
import carillon.redis.Keys;
import carillon.redis.RedisLink;
import carillon.redis.route.RedisErrors;
import carillon.store.collection.CollectionStore.FoundCollection;
import io.vertx.core.Future;
import io.vertx.redis.client.Command;
import io.vertx.redis.client.Request;
import java.time.Duration;
import java.time.InstantSource;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;

/**
 * Reader of holds: why collections do not run their jobs, now or in the future. The disabled
 * markers show which collections to read, so a single command is enough if nothing is paused.
 * Confined to the event loop of its link.
 */
public final class HoldReader {
  private static final Duration FRESH = Duration.ofSeconds(1);

  private final RedisLink link;
  private final Keys keys;
  private final CollectionStore collections;
  private final ScopePauses pauses;
  private final InstantSource clock;
  private final AsyncCache<Holds> recent;

  public HoldReader(
      RedisLink link,
      Keys keys,
      CollectionStore collections,
      ScopePauses pauses,
      InstantSource clock) {
    this.pauses = pauses;
    this.clock = clock;
    this.recent = new AsyncCache<>(FRESH, () -> TimeUnit.MILLISECONDS.toNanos(clock.millis()));
    this.link = link;
    this.keys = keys;
    this.collections = collections;
  }

  /** Returns the current hold of a collection; empty if its jobs run. */
  public Future<Optional<Hold>> of(CollectionName name) {
    return of(List.of(name)).map(holds -> holds.of(name));
  }

  /** Returns the holds of a collection, up to a second old, for writes, which must be cheap. */
  public Future<Holds> recent(CollectionName name) {
    return recent.get(name.key(), () -> of(List.of(name)));
  }

  /** Returns the holds of several collections, which may be missing. */
  public Future<Holds> of(Collection<CollectionName> names) {
    return of(names, PauseScope::markers);
  }

  /** Returns the pauses of groups and of everything that apply to several collections. */
  public Future<Holds> wider(Collection<CollectionName> names) {
    return of(names, PauseScope::around);
  }

  private Future<Holds> of(
      Collection<CollectionName> names, Function<String, List<String>> markersOf) {
    Map<String, CollectionName> asked = new LinkedHashMap<>();
    names.forEach(name -> asked.putIfAbsent(name.key(), name));
    if (asked.isEmpty()) {
      return Future.succeededFuture(Holds.NONE);
    }
    Set<String> markers = new LinkedHashSet<>();
    asked.keySet().forEach(collection -> markers.addAll(markersOf.apply(collection)));
    return pausing(List.copyOf(markers))
        .compose(
            pausing ->
                pausing.isEmpty() ? Future.succeededFuture(Holds.NONE) : read(asked, pausing));
  }

  /** Returns the markers that disable or will disable; all markers if their list is damaged. */
  private Future<Set<String>> pausing(List<String> markers) {
    Request request = Request.cmd(Command.HMGET).arg(keys.gates());
    markers.forEach(request::arg);
    long now = clock.millis();
    return link.send(request)
        .map(
            found -> {
              Set<String> pausing = new HashSet<>();
              for (int i = 0; i < markers.size(); i++) {
                String marker = found.get(i) == null ? null : found.get(i).toString();
                if (DisabledMarker.pauses(marker, now)) {
                  pausing.add(markers.get(i));
                }
              }
              return pausing;
            })
        .recover(
            failure ->
                RedisErrors.isWrongType(failure)
                    ? Future.succeededFuture(Set.copyOf(markers))
                    : Future.failedFuture(failure));
  }

  /** Returns the pauses of each collection, the widest first. */
  private Future<Holds> read(Map<String, CollectionName> asked, Set<String> pausing) {
    Map<String, Future<Optional<Hold>>> reads = new LinkedHashMap<>();
    pausing.forEach(key -> reads.put(key, hold(key, asked)));
    return Future.all(List.copyOf(reads.values()))
        .map(
            done -> {
              Map<String, List<Hold>> holds = new HashMap<>();
              for (String collection : asked.keySet()) {
                holds.put(
                    collection,
                    PauseScope.markers(collection).stream()
                        .filter(reads::containsKey)
                        .flatMap(key -> reads.get(key).result().stream())
                        .flatMap(Hold::andPlanned)
                        .toList());
              }
              return new Holds(holds, clock.instant());
            });
  }

  private Future<Optional<Hold>> hold(String key, Map<String, CollectionName> asked) {
    return PauseScope.ofKey(key)
        .map(scope -> pauses.find(scope).map(pause -> pause.map(one -> Hold.ofScope(scope, one))))
        .orElseGet(() -> collections.look(asked.get(key)).map(one -> one.flatMap(this::hold)));
  }

  /**
   * Returns the hold in the definition of a collection. If the definition enables it, there is
   * none, because its marker is about to change.
   */
  private Optional<Hold> hold(FoundCollection found) {
    return found
        .collection()
        .map(one -> one.definition())
        .filter(CollectionDefinition::needsMarker)
        .map(definition -> Hold.ofCollection(found.name(), definition, clock.instant()));
  }
}
