package carillon.store.collection;

import carillon.bounded.AsyncCache;
import carillon.job.CollectionName;
import carillon.job.collection.CollectionDefinition;
import carillon.job.collection.Hold;
import carillon.job.collection.Hold.Holds;
import carillon.job.collection.PauseScope;
import carillon.redis.Keys;
import carillon.redis.RedisErrors;
import carillon.redis.RedisLink;
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
 * Reader of holds: says which collections do not run their jobs, or will not, and why. The disabled
 * markers say which collections to read, so that one command answers where nothing is paused.
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

  /** The hold of a collection that goes on; empty where its jobs run. */
  public Future<Optional<Hold>> of(CollectionName name) {
    return of(List.of(name)).map(holds -> holds.of(name));
  }

  /** The holds of a collection, now or up to a second ago: for writes, which must cost little. */
  public Future<Holds> recent(CollectionName name) {
    return recent.get(name.key(), () -> of(List.of(name)));
  }

  /** The holds of several collections, which may be gone. */
  public Future<Holds> of(Collection<CollectionName> names) {
    return of(names, PauseScope::markers);
  }

  /** The pauses of groups and of everything that hold several collections back. */
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

  /**
   * Returns the markers that disable or will disable. Returns all where the list of markers is
   * damaged.
   */
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

  /** Returns the pauses of each of some collections, the widest first. */
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

  /** Nodes go by the marker; where the definition enables, it is about to be set anew. */
  private Optional<Hold> hold(FoundCollection found) {
    return found
        .collection()
        .map(one -> one.definition())
        .filter(CollectionDefinition::needsMarker)
        .map(definition -> Hold.ofCollection(found.name(), definition, clock.instant()));
  }
}
