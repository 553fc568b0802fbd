package carillon.api.console;

import carillon.access.Scope;
import carillon.api.admin.HealthChecks;
import carillon.bounded.AsyncCache;
import carillon.job.CollectionName;
import carillon.job.JobState;
import carillon.job.NameRules;
import carillon.job.collection.CollectionLimits;
import carillon.job.collection.JobCollection;
import carillon.job.collection.JobCollection.DamagedCollection;
import carillon.store.Stores;
import carillon.store.operation.ActivityCounts;
import carillon.store.operation.Statistics;
import carillon.store.resource.FlowStore;
import io.vertx.core.Future;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;

/**
 * Source of the overview: gathers it at most every few seconds, once for all who wait. Confined to
 * the event loop of its stores.
 */
public final class OverviewService {
  private static final Duration FRESH = Duration.ofSeconds(3);

  /** Collections whose jobs are counted. */
  private static final int MAX_COLLECTIONS = 256;

  private static final Duration MINUTE = Duration.ofMinutes(1);
  private static final Duration QUARTER = Duration.ofMinutes(15);
  private static final int MINUTES = 60;
  private static final int QUARTERS = 96;

  private final Stores stores;
  private final HealthChecks healthChecks;
  private final AsyncCache<OverallFacts> node;
  private final AsyncCache<Jobs> jobs; // by scope

  /** An overview whose parts are kept for a few seconds of this clock. */
  public OverviewService(Stores stores, HealthChecks healthChecks, InstantSource clock) {
    this.stores = stores;
    this.healthChecks = healthChecks;
    LongSupplier nanos = () -> TimeUnit.MILLISECONDS.toNanos(clock.millis());
    this.node = new AsyncCache<>(FRESH, nanos);
    this.jobs = new AsyncCache<>(FRESH, nanos);
  }

  /**
   * Jobs of some collections.
   *
   * @param scope a subscription or a group of it, whose collections these are
   * @param collections by name; a bounded number of them
   * @param damaged those that cannot be read
   * @param isAll whether these are all
   * @param byState jobs of these collections
   * @param quotas how many jobs those have whose number is bounded
   * @param stopped flows of the scope whose calls wait for more than room
   */
  record Jobs(
      Scope scope,
      List<JobCollection> collections,
      List<DamagedCollection> damaged,
      boolean isAll,
      Map<JobState, Long> byState,
      List<UsedQuota> quotas,
      List<FlowStore.Stopped> stopped) {}

  /**
   * What a collection has used of its quota of jobs.
   *
   * @param max most jobs in it
   */
  record UsedQuota(CollectionName collection, long used, int max) {}

  /**
   * Facts about all jobs and nodes.
   *
   * @param hour what is due in each of the next 60 minutes
   * @param day what is due in each quarter of an hour of the next 24 hours
   * @param done by all nodes in each of the last 60 minutes, the newest last and not over
   * @param called what all nodes did at each destination in the last quarter of an hour
   * @param failures of jobs
   * @param redis every server that holds keys
   * @param checks see {@link HealthChecks#checks}
   */
  record OverallFacts(
      Statistics.Due hour,
      Statistics.Due day,
      List<ActivityCounts> done,
      List<DestinationService.Called> called,
      RecentFailures failures,
      List<Map<String, String>> redis,
      List<HealthChecks.Check> checks) {}

  /**
   * The overview.
   *
   * @param at when
   * @param jobs of the scope that was asked for
   * @param overall of all scopes
   * @param slow an attempt that takes as long is slow
   * @param facts see {@link HealthChecks#facts}
   */
  record Facts(
      Instant at, Jobs jobs, OverallFacts overall, Duration slow, Map<String, String> facts) {}

  /**
   * The overview of this moment, or of a few seconds ago.
   *
   * @param scope a subscription or a group of it, whose jobs are counted
   */
  Future<Facts> facts(Scope scope, Instant now) {
    Future<Jobs> ofScope = jobs.get(scope.text(), () -> jobs(scope, now));
    return Future.all(ofScope, node.get("", () -> node(now)))
        .map(
            all -> {
              Duration slow = stores.attempt().attemptLog().slow();
              return new Facts(now, all.resultAt(0), all.resultAt(1), slow, healthChecks.facts());
            });
  }

  private Future<Jobs> jobs(Scope scope, Instant now) {
    Future<List<FlowStore.Stopped>> stopped =
        stores.resource().flows().stopped(NameRules.fold(scope.text()) + "/", now);
    return stores
        .collection()
        .collections()
        .list(List.of(scope), "", 0, MAX_COLLECTIONS)
        .compose(
            page ->
                Future.all(
                        stores.operation().statistics().jobs(page.names()),
                        quotas(page.collections()),
                        stopped)
                    .map(
                        all ->
                            new Jobs(
                                scope,
                                page.collections(),
                                page.damaged(),
                                page.after().isEmpty(),
                                all.resultAt(0),
                                all.resultAt(1),
                                stopped.result())));
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
    // Nodes write the whole before its parts: read after them it is no less than they are.
    Future<List<DestinationService.Called>> called = DestinationService.called(stores, now);
    Future<List<ActivityCounts>> done =
        stores
            .operation()
            .activity()
            .read(floor(now, MINUTE).minus(MINUTE.multipliedBy(MINUTES - 1L)), MINUTES);
    Future<List<Map<String, String>>> redis = stores.operation().statistics().servers();
    Future<List<HealthChecks.Check>> checks = healthChecks.checks(stores);
    Future<RecentFailures> failures = RecentFailures.of(stores, now);
    return Future.all(List.of(hour, day, called, done, failures, redis, checks))
        .map(
            all ->
                new OverallFacts(
                    hour.result(),
                    day.result(),
                    done.result(),
                    called.result(),
                    failures.result(),
                    redis.result(),
                    checks.result()));
  }

  private static Instant floor(Instant instant, Duration unit) {
    long seconds = unit.toSeconds();
    return Instant.ofEpochSecond(Math.floorDiv(instant.getEpochSecond(), seconds) * seconds);
  }
}
