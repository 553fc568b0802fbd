package carillon.store;

import carillon.redis.RedisLink;
import carillon.redis.RedisSecurityChecklist;
import carillon.store.attempt.AttemptStore;
import carillon.store.attempt.ClaimStore;
import carillon.store.attempt.PurgeStore;
import carillon.store.collection.CloudServiceStore;
import carillon.store.collection.CollectionDeletion;
import carillon.store.collection.CollectionStore;
import carillon.store.collection.DisabledMarkers;
import carillon.store.collection.JobQuota;
import carillon.store.collection.RedisQueueStore;
import carillon.store.job.AttemptLog;
import carillon.store.job.AuditLog;
import carillon.store.job.ChangeNotices;
import carillon.store.job.JobListing;
import carillon.store.job.JobSearch;
import carillon.store.job.JobStore;
import carillon.store.job.RetimingStore;
import carillon.store.job.UpcomingWork;
import carillon.store.operation.ActivityStore;
import carillon.store.operation.ApiKeyStore;
import carillon.store.operation.ClockMark;
import carillon.store.operation.FormatGuard;
import carillon.store.operation.LiveStore;
import carillon.store.operation.NodeStore;
import carillon.store.operation.RawRedisReader;
import carillon.store.operation.RunningAttempts;
import carillon.store.operation.SecretRewriteStore;
import carillon.store.operation.SessionStore;
import carillon.store.operation.Statistics;
import carillon.store.operation.StoreFormat;
import carillon.store.resource.CalendarStore;
import carillon.store.resource.CalendarUses;
import carillon.store.resource.FlowLimiter;
import carillon.store.resource.FlowStore;
import io.vertx.core.Future;
import java.time.Duration;
import java.util.List;

/**
 * The stores of one event loop, over one connection. Confined to that event loop.
 *
 * @param link the connection; outside {@code store} only tests use it
 */
public record Stores(
    RedisLink link,
    JobStore jobs,
    JobListing jobListing,
    JobSearch jobSearch,
    JobQuota jobQuota,
    CollectionStore collections,
    CollectionDeletion collectionDeletion,
    DisabledMarkers disabledMarkers,
    ChangeNotices changeNotices,
    ClaimStore claims,
    AttemptStore attempts,
    RunningAttempts runningAttempts,
    PurgeStore purges,
    UpcomingWork upcomingWork,
    NodeStore nodes,
    RedisQueueStore queues,
    SecretRewriteStore secretRewrites,
    StoreFormat storeFormat,
    ClockMark clockMark,
    FormatGuard formatGuard,
    Statistics statistics,
    CalendarStore calendars,
    CalendarUses calendarUses,
    FlowStore flows,
    FlowLimiter flowLimiter,
    CloudServiceStore cloudServices,
    RawRedisReader rawReader,
    ApiKeyStore apiKeys,
    SessionStore sessions,
    ActivityStore activity,
    LiveStore live,
    RetimingStore retiming,
    AuditLog auditLog,
    AttemptLog attemptLog) {

  /** True while Redis is connected; in Cluster, some master. */
  public boolean isUp() {
    return link.isUp();
  }

  /** Completes after this time. */
  public Future<Void> pause(Duration time) {
    return link.pause(time);
  }

  /** Findings about unsafe settings of Redis; see {@link RedisSecurityChecklist}. */
  public Future<List<String>> securityFindings() {
    return new RedisSecurityChecklist(link).findings();
  }

  /** Closes the connection; outstanding commands fail. */
  public Future<Void> close() {
    return link.close();
  }
}
