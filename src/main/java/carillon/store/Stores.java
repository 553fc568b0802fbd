package carillon.store;

import carillon.redis.Keys;
import carillon.redis.RedisLink;
import carillon.redis.RedisSecurityChecklist;
import carillon.store.attempt.AttemptLog;
import carillon.store.attempt.AttemptStore;
import carillon.store.attempt.ClaimStore;
import carillon.store.attempt.PurgeStore;
import carillon.store.attempt.RunningAttempts;
import carillon.store.attempt.WaitingListStore;
import carillon.store.collection.CollectionDeletion;
import carillon.store.collection.CollectionStore;
import carillon.store.collection.DisabledMarkers;
import carillon.store.collection.HoldReader;
import carillon.store.collection.JobQuota;
import carillon.store.collection.RedisQueueStore;
import carillon.store.collection.ScopePauses;
import carillon.store.job.AuditLog;
import carillon.store.job.ChangeNotices;
import carillon.store.job.JobListing;
import carillon.store.job.JobReader;
import carillon.store.job.JobSearch;
import carillon.store.job.JobStore;
import carillon.store.job.RetimingStore;
import carillon.store.job.UpcomingWork;
import carillon.store.node.ClockMark;
import carillon.store.node.NodeStore;
import carillon.store.node.StoreFormat;
import carillon.store.operation.ActivityStore;
import carillon.store.operation.ApiKeyStore;
import carillon.store.operation.LiveStore;
import carillon.store.operation.RawRedisReader;
import carillon.store.operation.SecretRewriteStore;
import carillon.store.operation.SessionStore;
import carillon.store.operation.Statistics;
import carillon.store.resource.CalendarStore;
import carillon.store.resource.CalendarUses;
import carillon.store.resource.FlowLimiter;
import carillon.store.resource.FlowStore;
import io.vertx.core.Future;
import java.time.Duration;
import java.util.List;
import java.util.function.Supplier;

/**
 * The stores of one event loop, over one connection, in groups by subject. Confined to that event
 * loop.
 *
 * @param link the connection; outside {@code store} only tests use it
 * @param keys names of the keys; likewise
 */
public record Stores(
    RedisLink link,
    Keys keys,
    JobStores job,
    AttemptStores attempt,
    CollectionStores collection,
    ResourceStores resource,
    NodeStores node,
    OperationStores operation) {

  /** Stores of jobs and of their changes. */
  public record JobStores(
      JobStore jobs,
      JobListing jobListing,
      JobSearch jobSearch,
      UpcomingWork upcomingWork,
      RetimingStore retiming,
      ChangeNotices changeNotices,
      AuditLog auditLog) {
    /** Returns the reader of single jobs. */
    public JobReader reader() {
      return jobs.reader();
    }
  }

  /** Stores of claims and attempts, of their log, and of finished jobs. */
  public record AttemptStores(
      ClaimStore claims,
      AttemptStore attempts,
      WaitingListStore lists,
      RunningAttempts runningAttempts,
      AttemptLog attemptLog,
      PurgeStore purges) {}

  /** Stores of collections and their parts. */
  public record CollectionStores(
      CollectionStore collections,
      CollectionDeletion collectionDeletion,
      DisabledMarkers disabledMarkers,
      HoldReader holds,
      ScopePauses scopePauses,
      JobQuota jobQuota,
      RedisQueueStore queues) {}

  /** Stores of calendars and flows. */
  public record ResourceStores(
      CalendarStore calendars,
      CalendarUses calendarUses,
      FlowStore flows,
      FlowLimiter flowLimiter) {}

  /** Stores of nodes and of the facts that nodes must agree on. */
  public record NodeStores(NodeStore nodes, StoreFormat storeFormat, ClockMark clockMark) {}

  /** Stores for operators and for sign-ins. */
  public record OperationStores(
      ApiKeyStore apiKeys,
      SessionStore sessions,
      ActivityStore activity,
      LiveStore live,
      Statistics statistics,
      SecretRewriteStore secretRewrites,
      RawRedisReader rawReader) {}

  /** True while Redis is connected; in a Cluster, at least one master. */
  public boolean isUp() {
    return link.isUp();
  }

  /**
   * Repeats an idempotent step of a start while Redis is unavailable; see {@link
   * RedisLink#persistAtStart}.
   */
  public <T> Future<T> persistAtStart(Supplier<Future<T>> step) {
    return link.persistAtStart(step);
  }

  /** Completes after this time. */
  public Future<Void> pause(Duration time) {
    return link.pause(time);
  }

  /** Returns findings about unsafe settings of Redis; see {@link RedisSecurityChecklist}. */
  public Future<List<String>> securityFindings() {
    return new RedisSecurityChecklist(link).findings();
  }

  /** Closes the connection; outstanding commands fail. */
  public Future<Void> close() {
    return link.close();
  }
}
