package carillon.timer;

import carillon.json.schedule.TimeZoneNames;
import carillon.redis.SharedClock;
import carillon.store.Stores;
import carillon.store.attempt.ClaimStore;
import carillon.store.attempt.Lease;
import carillon.store.attempt.WaitingCause;
import carillon.store.attempt.WaitingList;
import carillon.store.collection.DisabledMarker;
import carillon.store.node.NodeRecord;
import carillon.store.node.NodeStore;
import carillon.store.node.StoreFormat;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.slf4j.event.Level;
import org.slf4j.spi.LoggingEventBuilder;

/**
 * Heartbeat of a node. Each beat renews the lease, checks the other nodes and takes over the claims
 * of dead ones. It also releases attempts that waited for enabled collections, in case the {@link
 * ChangeNoticeReader} missed the notice. Confined to the timer's event loop.
 */
final class Heartbeat {
  private static final Logger LOG = LoggerFactory.getLogger(Heartbeat.class);

  private static final String REPEATED = ", the next heartbeat tries again";
  private static final String NOT_RECOVERED =
      "claims of a dead node cannot be taken over" + REPEATED;
  private static final String NOT_JUDGED = "the lease of a silent node cannot be read" + REPEATED;
  private static final String NOT_REMOVED = "dead node cannot be removed from the list" + REPEATED;
  private static final String NOT_RELEASED =
      "what waits for an enabled collection cannot be released" + REPEATED;
  private static final String MARKER_NOT_REMOVED =
      "marker of an enabled collection cannot be removed" + REPEATED;

  /**
   * Minimum time a dead node stays listed. It stays listed while it has claims. Operators see it,
   * and claims that were under way when it died are found.
   */
  private static final Duration DEAD_LISTED = Duration.ofHours(1);

  /** Time for which an enabled collection keeps its marker. */
  private static final Duration MARKER_KEPT = Duration.ofMinutes(10);

  /** Minimum pause between any two beats. */
  private static final long MIN_PAUSE_MILLIS = 20;

  private static final int LOOKS_PER_HEARTBEAT = 8;

  /** Maximum difference between the clocks of two nodes. */
  private static final long MAX_CLOCK_SKEW_MILLIS = 20;

  private static final int MAX_NAMES_LOGGED = 5;

  private final Vertx vertx;
  private final Stores stores;
  private final SharedClock clock;
  private final Lease lease;
  private final NodeIdGuard idGuard;
  private final Membership members;
  private final Claimer claimer;
  private final ListReleaser releaser;
  private final InFlight inFlight;
  private final CollectionResumer collections;
  private final TimerObserver observer;
  private final TimerVerticle.Config config;
  private final Steadiness steadiness;
  private final OutageLog outages;
  private final long leaseMillis;
  private final Instant started;
  private long takenOver;
  private boolean leaving;
  private boolean usurped;
  private boolean isDescribed;
  private boolean hasFormat;

  Heartbeat(
      TimerVerticle.Shared shared,
      NodeIdGuard idGuard,
      Membership members,
      Claimer claimer,
      ListReleaser releaser) {
    this.vertx = shared.vertx();
    this.stores = shared.stores();
    this.clock = shared.clock();
    this.lease = shared.lease();
    this.idGuard = idGuard;
    this.members = members;
    this.claimer = claimer;
    this.releaser = releaser;
    this.inFlight = shared.inFlight();
    this.collections = new CollectionResumer(shared.stores(), shared.clock());
    this.observer = shared.observer();
    this.config = shared.config();
    this.steadiness = shared.steadiness();
    this.outages = shared.outages();
    this.leaseMillis = config.settings().node().lease().toMillis();
    this.started = clock.instant();
  }

  /** Performs one beat. Never fails: a beat that did not reach Redis is only logged. */
  Future<Void> beat() {
    long begun = lease.nanoTime();
    return idGuard
        .keep()
        .compose(own -> own ? describeFirst() : usurped())
        .compose(described -> keepFormat())
        .compose(kept -> stores.node().nodes().beat(config.isWorker() && !leaving))
        .onSuccess(
            view -> {
              lease.renew(begun);
              regained();
              steadiness.answered(begun, view.asOf());
              outages.beaten();
              onView(view);
            })
        .onFailure(
            failure -> {
              steadiness.failed();
              LOG.atLevel(usurped ? Level.DEBUG : outages.heartbeatFailed(failure))
                  .addKeyValue("error", failure.getMessage())
                  .log("heartbeat failed");
            })
        .compose(seen -> describe())
        .otherwiseEmpty();
  }

  /** Stops claiming, because two processes under one id would release each other's calls. */
  private <T> Future<T> usurped() {
    LOG.atLevel(usurped ? Level.DEBUG : Level.ERROR)
        .addKeyValue("node", config.nodeId())
        .log("this node claims nothing: another running node has its node.id; stop one of them");
    usurped = true;
    lease.revoke();
    return Future.failedFuture("node.id is in use by another running node");
  }

  /** Restores a lost store format, because a node with other partitions could start without it. */
  private Future<Void> keepFormat() {
    return stores
        .node()
        .storeFormat()
        .keep(clock.instant())
        .recover(
            failure ->
                failure instanceof IllegalStateException
                    ? Future.failedFuture(failure)
                    : Future.succeededFuture(false)) // the beat itself reports what Redis refuses
        .map(
            wasMissing -> {
              if (wasMissing && hasFormat) {
                LOG.atError()
                    .log(
                        "Redis has lost carillon:meta, which is written again: it may have lost jobs");
              }
              hasFormat = true;
              return null;
            });
  }

  private void regained() {
    if (usurped) {
      LOG.atInfo()
          .addKeyValue("node", config.nodeId())
          .log("this node has its node.id again, and claims");
      usurped = false;
    }
  }

  /**
   * Returns the pause before the next beat. It is shorter than usual if a silent node is about to
   * count as dead, so that its claims are taken over when its lease ends. Without a connection to
   * Redis nothing can be taken over, and all nodes are silent.
   */
  Duration pause() {
    long usual = config.settings().node().heartbeat().toMillis();
    if (!stores.isUp()) {
      return Duration.ofMillis(usual);
    }
    long silent = members.longestSilent();
    long judged = silent == Long.MAX_VALUE ? usual : silent + leaseMillis + 1 - clock.millis();
    return Duration.ofMillis(Math.max(MIN_PAUSE_MILLIS, Math.min(usual, judged)));
  }

  /**
   * Leaves the partitions to the other nodes without a gap: this node continues to poll until every
   * other node has seen that it leaves. Completes when all others have seen it, immediately if
   * there are none. After two heartbeats it no longer waits for silent nodes. Never fails.
   */
  Future<Void> leave() {
    Duration usual = config.settings().node().heartbeat();
    long giveUp = System.nanoTime() + usual.multipliedBy(2).toNanos();
    boolean alone = members.alive() == 1;
    leaving = true;
    Future<Void> left = beat();
    long since = clock.millis();
    return left.compose(
        said ->
            alone
                ? Future.succeededFuture()
                : awaitHeartbeats(
                    since + MAX_CLOCK_SKEW_MILLIS, giveUp, usual.toMillis() / LOOKS_PER_HEARTBEAT));
  }

  private Future<Void> awaitHeartbeats(long since, long giveUp, long pause) {
    return members.longestSilent() > since || System.nanoTime() > giveUp
        ? Future.succeededFuture()
        : vertx
            .timer(Math.max(1, pause))
            .compose(passed -> beat())
            .compose(seen -> awaitHeartbeats(since, giveUp, pause));
  }

  /**
   * Writes the description before the first heartbeat, so that others can see the format of this
   * node.
   */
  private Future<Void> describeFirst() {
    return isDescribed ? Future.succeededFuture() : describe().otherwiseEmpty();
  }

  /** Writes the description of this node. A failure does no harm. */
  private Future<Void> describe() {
    NodeRecord self =
        new NodeRecord(
            config.settings().node().roles().stream().map(Object::toString).toList(),
            config.version(),
            started,
            config.settings().node().lease(),
            leaving,
            members.byRank(),
            inFlight.size(),
            takenOver,
            StoreFormat.FORMAT,
            TimeZoneNames.version());
    return stores
        .node()
        .nodes()
        .describe(self)
        .onSuccess(told -> isDescribed = true)
        .onFailure(
            failure ->
                LOG.atDebug()
                    .addKeyValue("error", failure.getMessage())
                    .log("description of this node cannot be written"));
  }

  private void onView(NodeStore.View view) {
    long now = view.asOf();
    Membership.Change change = members.update(view.heartbeats(), now, leaseMillis);
    if (!change.isNone()) {
      logChange(change);
    }
    claimer.gained(members.gained());
    view.disabledMarkers().forEach((collection, marker) -> applyMarker(collection, marker, now));
    releaseEnabled(view.disabledMarkers());
    if (members.dead().isEmpty() || ranked().findAny().isEmpty()) {
      outages.recovered();
    }
    if (steadiness.mayJudge(now)) {
      members.dead().forEach(node -> recoverDead(node, view.heartbeats(), now));
    }
  }

  private void logChange(Membership.Change change) {
    LOG.atInfo()
        .addKeyValue("nodes", members.alive())
        .addKeyValue("workers", members.workers())
        .addKeyValue("joined", names(change.joined()))
        .addKeyValue("left", names(change.left()))
        .addKeyValue("partitionsByRank", members.byRank())
        .log("members changed");
    if (members.workers() == 0) {
      LOG.atWarn().log("no node has the role timer+dispatch: jobs are accepted and wait");
    }
  }

  private static String names(List<String> nodes) {
    String some = nodes.stream().limit(MAX_NAMES_LOGGED).collect(Collectors.joining(", "));
    int more = nodes.size() - MAX_NAMES_LOGGED;
    return more > 0 ? some + " and " + more + " more" : some;
  }

  /**
   * Takes over the claims of a dead node, which may have a longer lease than this one. The node
   * that ranks first in partition 0 later removes it from the list of nodes.
   */
  private void recoverDead(String node, NodeStore.Heartbeats heartbeats, long now) {
    long silent = now - heartbeats.of(node).orElse(now);
    stores
        .node()
        .nodes()
        .lease(node)
        .onFailure(failure -> stepFailed(failure).addKeyValue("deadNode", node).log(NOT_JUDGED))
        .onSuccess(
            lease -> {
              if (lease.isEmpty() || silent > lease.get().toMillis()) {
                takeOver(node, silent, Instant.ofEpochMilli(now));
              }
            });
  }

  private void takeOver(String node, long silent, Instant judged) {
    ranked().forEach(partition -> recover(partition, node, judged));
    if (silent > DEAD_LISTED.toMillis() && members.rank(0) == 0) {
      forget(node);
    }
  }

  /**
   * Removes a dead node from the list unless it has claims. The claims may wait for nodes that
   * return from the same outage later than this one.
   */
  private void forget(String node) {
    stores
        .attempt()
        .claims()
        .hasClaims(node)
        .compose(left -> left ? Future.succeededFuture() : stores.node().nodes().forget(node))
        .onFailure(failure -> stepFailed(failure).addKeyValue("deadNode", node).log(NOT_REMOVED));
  }

  private IntStream ranked() {
    return IntStream.range(0, config.partitions())
        .filter(partition -> members.rank(partition) == 0);
  }

  private void recover(int partition, String node, Instant judged) {
    stores
        .attempt()
        .claims()
        .recover(partition, node, judged, clock.instant())
        .onFailure(
            failure ->
                LOG.atLevel(outages.recoveryFailed(failure))
                    .addKeyValue("error", failure.getMessage())
                    .addKeyValue("deadNode", node)
                    .addKeyValue("partition", partition)
                    .log(NOT_RECOVERED))
        .onSuccess(
            moved -> {
              outages.recovered();
              if (moved > 0) {
                takenOver += moved;
                observer.recovered(moved);
                LOG.atWarn()
                    .addKeyValue("deadNode", node)
                    .addKeyValue("partition", partition)
                    .addKeyValue("attempts", moved)
                    .log("took over the claims of a dead node");
                claimer.poll(partition);
              }
              if (moved == ClaimStore.SLICE) {
                recover(partition, node, judged);
              }
            });
  }

  private void applyMarker(String collection, String marker, long now) {
    if (DisabledMarker.isPlanned(marker)) {
      if (members.rank(0) == 0 && DisabledMarker.hasBegun(marker, now)) {
        inFlight.during(collections.begin(collection));
      }
      return;
    }
    if (DisabledMarker.disables(marker)) {
      if (members.rank(0) == 0 && DisabledMarker.isOver(marker, now)) {
        inFlight.during(collections.resume(collection));
      }
      return;
    }
    if (DisabledMarker.isEnabledFor(marker, MARKER_KEPT, now)) {
      stores
          .collection()
          .disabledMarkers()
          .forget(collection, marker)
          .onFailure(
              failure ->
                  stepFailed(failure)
                      .addKeyValue("collection", collection)
                      .log(MARKER_NOT_REMOVED));
    }
  }

  /** Releases the attempts that waited for a collection, a group or everything to be enabled. */
  void releaseHeld(String marker) {
    ranked().forEach(partition -> releaser.release(partition, WaitingList.ofCollection(marker)));
  }

  /** Releases the attempts whose marker disables nothing, if the notice of that was missed. */
  private void releaseEnabled(Map<String, String> markers) {
    Predicate<String> isClosed =
        marker -> DisabledMarker.isPlanned(marker) || DisabledMarker.disables(marker);
    if (!markers.values().stream().allMatch(isClosed)) {
      ranked()
          .forEach(
              partition ->
                  stores
                      .attempt()
                      .lists()
                      .all(partition)
                      .onSuccess(
                          lists ->
                              lists.stream()
                                  .filter(list -> list.cause() == WaitingCause.COLLECTION)
                                  .filter(
                                      list -> !isClosed.test(markers.getOrDefault(list.name(), "")))
                                  .forEach(list -> releaser.release(partition, list)))
                      .onFailure(
                          failure ->
                              stepFailed(failure)
                                  .addKeyValue("partition", partition)
                                  .log(NOT_RELEASED)));
    }
  }

  private LoggingEventBuilder stepFailed(Throwable failure) {
    return LOG.atLevel(outages.level(failure)).addKeyValue("error", failure.getMessage());
  }
}
