package carillon.api.console;

import carillon.access.Scope;
import carillon.access.Visibility;
import carillon.api.admin.HealthChecks;
import carillon.api.http.FlowAccess;
import carillon.bounded.AsyncCache;
import carillon.job.Pause;
import carillon.job.collection.CollectionLimits;
import carillon.job.collection.JobCollection;
import carillon.job.collection.JobCollection.DamagedCollection;
import carillon.job.name.CollectionName;
import carillon.job.name.JobState;
import carillon.redis.RedisLink;
import carillon.store.Stores;
import carillon.store.node.NodeStore;
import carillon.store.operation.ActivityCounts;
import carillon.store.operation.Statistics;
import carillon.store.resource.CalendarName;
import carillon.store.resource.FlowStore;
import io.vertx.core.Future;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;

/**
 * Source of the overview: computes it at most every few seconds, once for all concurrent requests.
 * Confined to the event loop of its stores.
 */
public final class OverviewService {
  private static final Duration FRESH = Duration.ofSeconds(3);

  /** Maximum number of collections whose jobs are counted. */
  private static final int MAX_COLLECTIONS = 256;

  /** Maximum number of nodes that are examined. */
  private static final int MAX_NODES = 1000;

  private static final Duration MINUTE = Duration.ofMinutes(1);
  private static final Duration QUARTER = Duration.ofMinutes(15);
  private static final int MINUTES = 60;
  private static final int QUARTERS = 96;

  private final Stores stores;
  private final HealthChecks healthChecks;
  private final AsyncCache<OverallFacts> overall; // by visibility
  private final AsyncCache<Jobs> jobs; // by scope and visibility in it

  /** An overview whose parts are kept for a few seconds of this clock. */
  public OverviewService(Stores stores, HealthChecks healthChecks, InstantSource clock) {
    this.stores = stores;
    this.healthChecks = healthChecks;
    LongSupplier nanos = () -> TimeUnit.MILLISECONDS.toNanos(clock.millis());
    this.overall = new AsyncCache<>(FRESH, nanos);
    this.jobs = new AsyncCache<>(FRESH, nanos);
  }

  /**
   * Jobs of some collections.
   *
   * @param scope a subscription or a group of it, whose collections these are
   * @param collections by name; a bounded number of them
   * @param damaged unreadable collections
   * @param isAll whether these are all
   * @param byState number of jobs of these collections
   * @param quotas number of jobs in each collection with a bound
   * @param stopped flows of the scope that stop calls by a breaker or a pause
   * @param unreadable damaged calendars of the scope, whose jobs wait
   */
  record Jobs(
      Scope scope,
      List<JobCollection> collections,
      List<DamagedCollection> damaged,
      boolean isAll,
      Map<JobState, Long> byState,
      List<UsedQuota> quotas,
      List<FlowStore.Stopped> stopped,
      List<CalendarName> unreadable) {}

  /**
   * Jobs of a collection in relation to its quota.
   *
   * @param max most jobs in it
   */
  record UsedQuota(CollectionName collection, long used, int max) {}

  /**
   * Facts about all jobs and nodes.
   *
   * @param hour number of due entries in each of the next 60 minutes
   * @param day number of due entries in each quarter of an hour of the next 24 hours
   * @param done activity of all nodes in each of the last 60 minutes, the newest last and
   *     incomplete
   * @param called calls of all nodes at each destination in the last quarter of an hour
   * @param failures failures of jobs
   * @param redis every server that holds keys
   * @param checks see {@link HealthChecks#checks}
   * @param dead nodes that died within the last hour
   * @param pauses pauses of groups and of everything, by the keys of their scopes
   */
  record OverallFacts(
      Statistics.Due hour,
      Statistics.Due day,
      List<ActivityCounts> done,
      List<DestinationService.Called> called,
      RecentFailures failures,
      List<Map<String, String>> redis,
      List<HealthChecks.Check> checks,
      List<NodeStore.Member> dead,
      Map<String, Pause> pauses) {}

  /**
   * Overview.
   *
   * @param at when
   * @param jobs of the requested scope
   * @param overall of all scopes
   * @param slow duration from which an attempt is slow
   * @param facts see {@link HealthChecks#facts}
   * @param isOfAll whether the caller may read everything; otherwise the facts about nodes, Redis,
   *     destinations and load are left out, because they cover all collections
   */
  record Facts(
      Instant at,
      Jobs jobs,
      OverallFacts overall,
      Duration slow,
      Map<String, String> facts,
      boolean isOfAll) {}

  /**
   * Returns the current overview, which may be a few seconds old.
   *
   * @param scope a subscription or a group of it, whose jobs are counted
   * @param visible the parts that the caller may read; the rest is left out
   */
  Future<Facts> facts(Scope scope, Visibility visible, Instant now) {
    boolean isOfAll = visible.isAll();
    Future<Jobs> ofScope =
        jobs.get(scope.path() + " " + visible.text(), () -> jobs(scope, visible, now));
    Future<OverallFacts> ofRest =
        overall.get(visible.text(), () -> isOfAll ? node(now) : part(visible, now));
    return Future.all(ofScope, ofRest)
        .map(
            all -> {
              Duration slow = stores.attempt().attemptLog().slow();
              Map<String, String> facts = isOfAll ? healthChecks.facts() : Map.of();
              return new Facts(now, all.resultAt(0), all.resultAt(1), slow, facts, isOfAll);
            });
  }

  private Future<Jobs> jobs(Scope scope, Visibility visible, Instant now) {
    Future<List<FlowStore.Stopped>> stopped =
        stores
            .resource()
            .flows()
            .stopped(scope.path() + "/", now)
            .map(all -> all.stream().filter(one -> isVisible(visible, one)).toList());
    Future<List<CalendarName>> unreadable = unreadable(scope, visible);
    return stores
        .collection()
        .collections()
        .list(visible.within(scope), "", 0, MAX_COLLECTIONS)
        .compose(
            page ->
                Future.all(
                        stores.operation().statistics().jobs(page.names()),
                        quotas(page.collections()),
                        stopped,
                        unreadable)
                    .map(
                        all ->
                            new Jobs(
                                scope,
                                page.collections(),
                                page.damaged(),
                                page.after().isEmpty(),
                                all.resultAt(0),
                                all.resultAt(1),
                                stopped.result(),
                                unreadable.result())));
  }

  private static boolean isVisible(Visibility visible, FlowStore.Stopped stopped) {
    return FlowAccess.isVisible(visible, stopped.flow().name(), stopped.flow().definition());
  }

  /**
   * Returns the unreadable calendars of a scope. If all are unreadable, the health check reports
   * it.
   */
  private Future<List<CalendarName>> unreadable(Scope scope, Visibility visible) {
    return stores
        .resource()
        .calendars()
        .current()
        .map(
            known ->
                known.unreadable().stream()
                    .map(CalendarName::parse)
                    .filter(name -> scope.covers(group(name)) && visible.meets(group(name)))
                    .toList())
        .recover(RedisLink.unlessUnavailable(List.of()));
  }

  private static Scope group(CalendarName name) {
    return Scope.group(name.subscription(), name.group());
  }

  private Future<List<UsedQuota>> quotas(List<JobCollection> collections) {
    List<Future<UsedQuota>> quotas =
        collections.stream().flatMap(collection -> quota(collection).stream()).toList();
    return Future.all(quotas).map(done -> quotas.stream().map(Future::result).toList());
  }

  private Optional<Future<UsedQuota>> quota(JobCollection collection) {
    OptionalInt max = CollectionLimits.of(collection.definition()).maxJobs();
    return max.isEmpty()
        ? Optional.empty()
        : Optional.of(
            stores
                .collection()
                .jobQuota()
                .used(collection.name())
                .map(used -> new UsedQuota(collection.name(), used, max.getAsInt())));
  }

  private Future<OverallFacts> node(Instant now) {
    Future<Statistics.Due> hour =
        stores.operation().statistics().due(floor(now, MINUTE), MINUTE, MINUTES);
    Future<Statistics.Due> day =
        stores.operation().statistics().due(floor(now, QUARTER), QUARTER, QUARTERS);
    // Nodes write a total before its parts. Parts are read first, so the total is never smaller.
    Future<List<DestinationService.Called>> called = DestinationService.called(stores, now);
    Future<List<ActivityCounts>> done =
        stores
            .operation()
            .activity()
            .read(floor(now, MINUTE).minus(MINUTE.multipliedBy(MINUTES - 1L)), MINUTES);
    Future<List<Map<String, String>>> redis = stores.operation().statistics().servers();
    Future<List<HealthChecks.Check>> checks = healthChecks.checks(stores);
    Future<RecentFailures> failures =
        RecentFailures.of(stores, new Visibility(List.of(Scope.EVERYTHING)), now);
    Future<List<NodeStore.Member>> dead = dead(now);
    Future<Map<String, Pause>> pauses = stores.collection().scopePauses().all();
    return Future.all(List.of(hour, day, called, done, failures, redis, checks, dead, pauses))
        .map(
            all ->
                new OverallFacts(
                    hour.result(),
                    day.result(),
                    done.result(),
                    called.result(),
                    failures.result(),
                    redis.result(),
                    checks.result(),
                    dead.result(),
                    pauses.result()));
  }

  /**
   * Returns the facts for a caller who may read only some collections: failures of visible jobs,
   * their pauses, and the checks of this node.
   */
  private Future<OverallFacts> part(Visibility visible, Instant now) {
    Statistics.Due none = new Statistics.Due(floor(now, MINUTE), MINUTE, 0, List.of());
    Future<RecentFailures> failures = RecentFailures.of(stores, visible, now);
    Future<List<HealthChecks.Check>> checks = healthChecks.checks(stores);
    Future<Map<String, Pause>> pauses = stores.collection().scopePauses().all();
    return Future.all(failures, checks, pauses)
        .map(
            all ->
                new OverallFacts(
                    none,
                    none,
                    List.of(),
                    List.of(),
                    failures.result(),
                    List.of(),
                    checks.result().stream()
                        .filter(check -> !check.name().equals(HealthChecks.CALENDARS))
                        .toList(),
                    List.of(),
                    visible(visible, pauses.result())));
  }

  private static Map<String, Pause> visible(Visibility visible, Map<String, Pause> pauses) {
    Map<String, Pause> own = new TreeMap<>(pauses);
    own.keySet().removeIf(key -> !visible.meets(Scope.parse(key)));
    return own;
  }

  private Future<List<NodeStore.Member>> dead(Instant now) {
    return stores
        .node()
        .nodes()
        .members("", 0, MAX_NODES)
        .map(
            page ->
                page.members().stream()
                    .filter(member -> member.state(now) == NodeStore.State.DEAD)
                    .toList());
  }

  private static Instant floor(Instant instant, Duration unit) {
    long seconds = unit.toSeconds();
    return Instant.ofEpochSecond(Math.floorDiv(instant.getEpochSecond(), seconds) * seconds);
  }
}
