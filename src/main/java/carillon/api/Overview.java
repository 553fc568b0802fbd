package carillon.api;

import carillon.access.Scope;
import carillon.job.CollectionName;
import carillon.job.JobCollection;
import carillon.job.JobState;
import carillon.store.Activity;
import carillon.store.CollectionStore;
import carillon.store.Figures;
import carillon.store.Stores;
import io.vertx.core.Future;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;

/**
 * Gathers what an operator looks at first. Asked for as often as one likes: it is gathered at most
 * every few seconds, and once for all who wait. Confined to the event loop of its stores.
 */
final class Overview {
  private static final Duration FRESH = Duration.ofSeconds(3);
  private static final String DEFAULT = "default";

  /** Collections whose jobs are counted. */
  private static final int MOST_COLLECTIONS = 256;

  private static final Duration MINUTE = Duration.ofMinutes(1);
  private static final Duration QUARTER = Duration.ofMinutes(15);
  private static final int MINUTES = 60;
  private static final int QUARTERS = 96;

  private final Stores stores;
  private final Readiness readiness;
  private Future<Facts> latest = Future.failedFuture("never gathered");
  private Instant until = Instant.MIN;

  Overview(Stores stores, Readiness readiness) {
    this.stores = stores;
    this.readiness = readiness;
  }

  /**
   * What was found.
   *
   * @param at when
   * @param collections those of the native paths, by name; a bounded number of them
   * @param isAll whether these are all
   * @param jobs of these collections, by state
   * @param hour what is due in each of the next 60 minutes
   * @param day what is due in each quarter of an hour of the next 24 hours
   * @param done by all nodes in each of the last 60 minutes, the newest last and not over
   * @param redis every server that holds keys
   * @param checks see {@link Readiness#checks}
   * @param facts see {@link Readiness#facts}
   */
  record Facts(
      Instant at,
      List<JobCollection> collections,
      boolean isAll,
      Map<JobState, Long> jobs,
      Figures.Due hour,
      Figures.Due day,
      List<Activity> done,
      List<Map<String, String>> redis,
      List<Readiness.Check> checks,
      Map<String, String> facts) {}

  /** What there is to see at this moment, or was a few seconds ago. */
  Future<Facts> facts(Instant now) {
    boolean isStale = !now.isBefore(until) && latest.isComplete();
    if (isStale || latest.failed()) {
      until = now.plus(FRESH);
      latest = gather(now);
    }
    return latest;
  }

  private Future<Facts> gather(Instant now) {
    Future<CollectionStore.Page> page =
        stores.collections().list(List.of(Scope.group(DEFAULT, DEFAULT)), "", 0, MOST_COLLECTIONS);
    Future<Map<JobState, Long>> jobs =
        page.compose(found -> stores.figures().jobs(names(found.collections())));
    Future<Figures.Due> hour = stores.figures().due(floor(now, MINUTE), MINUTE, MINUTES);
    Future<Figures.Due> day = stores.figures().due(floor(now, QUARTER), QUARTER, QUARTERS);
    Future<List<Activity>> done =
        stores
            .activity()
            .read(floor(now, MINUTE).minus(MINUTE.multipliedBy(MINUTES - 1L)), MINUTES);
    Future<List<Map<String, String>>> redis = stores.figures().servers();
    Future<List<Readiness.Check>> checks = readiness.checks(stores);
    return Future.all(List.of(page, jobs, hour, day, done, redis, checks))
        .map(
            all ->
                new Facts(
                    now,
                    page.result().collections(),
                    page.result().after().isEmpty(),
                    jobs.result(),
                    hour.result(),
                    day.result(),
                    done.result(),
                    redis.result(),
                    checks.result(),
                    readiness.facts()));
  }

  private static List<CollectionName> names(List<JobCollection> collections) {
    return collections.stream().map(JobCollection::name).toList();
  }

  private static Instant floor(Instant instant, Duration unit) {
    long seconds = unit.toSeconds();
    return Instant.ofEpochSecond(Math.floorDiv(instant.getEpochSecond(), seconds) * seconds);
  }
}
