package carillon.store;

import carillon.config.Settings.AuditSettings;
import carillon.config.Settings.ExecutionsSettings;
import carillon.config.Settings.GroupsSettings;
import carillon.config.Settings.HistorySettings;
import carillon.config.Settings.JobsSettings;
import carillon.redis.Keys;
import carillon.redis.RedisLink;
import carillon.redis.SharedClock;
import carillon.redis.route.RedisLinkOptions;
import carillon.store.Stores.AttemptStores;
import carillon.store.Stores.CollectionStores;
import carillon.store.Stores.JobStores;
import carillon.store.Stores.NodeStores;
import carillon.store.Stores.OperationStores;
import carillon.store.Stores.ResourceStores;
import carillon.store.attempt.AttemptLog;
import carillon.store.attempt.AttemptStore;
import carillon.store.attempt.ClaimStore;
import carillon.store.attempt.PurgeStore;
import carillon.store.attempt.RunningAttempts;
import carillon.store.attempt.WaitingListStore;
import carillon.store.collection.CollectionDeletion;
import carillon.store.collection.CollectionEpochs;
import carillon.store.collection.CollectionIndex;
import carillon.store.collection.CollectionStore;
import carillon.store.collection.DisabledMarkers;
import carillon.store.collection.HoldReader;
import carillon.store.collection.JobQuota;
import carillon.store.collection.QuotaEntry;
import carillon.store.collection.RedisQueueStore;
import carillon.store.collection.ScopePauses;
import carillon.store.job.AuditLog;
import carillon.store.job.ChangeNotices;
import carillon.store.job.JobListing;
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
import carillon.store.resource.KnownCalendars;
import io.vertx.core.Future;
import io.vertx.core.Vertx;

/**
 * Factory of {@link Stores}. Each verticle opens its own when it starts.
 *
 * @param redis address and requirements of Redis
 * @param keys names of the keys
 * @param node id of this node
 * @param clock the one clock of this process
 * @param history bounds of the history of each job
 * @param jobs how long a completed or faulted job is kept
 * @param audit bounds of the audit log
 * @param executions which attempts the log of attempts of all jobs has
 * @param groups how many named resources each group may have
 * @param calendars calendars as this process knows them
 */
public record StoreFactory(
    RedisLinkOptions redis,
    Keys keys,
    String node,
    SharedClock clock,
    HistorySettings history,
    JobsSettings jobs,
    AuditSettings audit,
    ExecutionsSettings executions,
    GroupsSettings groups,
    KnownCalendars calendars) {

  /** Creates the factory of a process that knows no calendars yet. */
  public StoreFactory(
      RedisLinkOptions redis,
      Keys keys,
      String node,
      SharedClock clock,
      HistorySettings history,
      JobsSettings jobs,
      AuditSettings audit,
      ExecutionsSettings executions,
      GroupsSettings groups) {
    this(redis, keys, node, clock, history, jobs, audit, executions, groups, new KnownCalendars());
  }

  /**
   * Connects on the calling event loop, for answers to clients. An accepted change has the
   * durability of {@code redis.durability}.
   */
  public Future<Stores> openForClients(Vertx vertx) {
    return RedisLink.open(vertx, redis.confirming()).map(this::over);
  }

  /**
   * Connects on the calling event loop, for the engine. The engine repeats lost steps with the same
   * execution id, so no replica must confirm them.
   */
  public Future<Stores> open(Vertx vertx) {
    return RedisLink.open(vertx, redis).map(this::over);
  }

  private Stores over(RedisLink link) {
    AuditLog log = new AuditLog(link, keys, audit);
    ChangeNotices notices = new ChangeNotices(link, keys);
    PurgeStore purges = new PurgeStore(link, keys, clock, jobs.keepFinished());
    NodeStore nodes = new NodeStore(link, keys, node, clock);
    DisabledMarkers disabledMarkers = new DisabledMarkers(link, keys, clock, notices);
    CollectionIndex index = new CollectionIndex(link, keys, disabledMarkers);
    JobStores ofJobs = ofJobs(link, log, notices, purges);
    return new Stores(
        link,
        keys,
        ofJobs,
        ofAttempts(link, purges, nodes),
        ofCollections(link, index, disabledMarkers, ofJobs.jobs()),
        new ResourceStores(
            new CalendarStore(link, keys, groups.calendars(), calendars),
            new CalendarUses(link, keys),
            new FlowStore(link, keys, groups.flows(), new WaitingListStore(link, keys)),
            new FlowLimiter(link, keys, node, clock)),
        new NodeStores(nodes, new StoreFormat(link, keys), new ClockMark(link, keys)),
        ofOperations(link, index, disabledMarkers, ofJobs.jobs()));
  }

  private JobStores ofJobs(RedisLink link, AuditLog log, ChangeNotices notices, PurgeStore purges) {
    JobStore store =
        new JobStore(link, keys, log, notices, history, redis.observer(), clock, calendars);
    JobSearch search = new JobSearch(link, keys);
    return new JobStores(
        store,
        new JobListing(link, keys, store.reader(), search, history, clock),
        search,
        new UpcomingWork(link, keys, purges, new WaitingListStore(link, keys)),
        new RetimingStore(link, keys, log, clock, calendars),
        notices,
        log);
  }

  private AttemptStores ofAttempts(RedisLink link, PurgeStore purges, NodeStore nodes) {
    return new AttemptStores(
        new ClaimStore(link, keys, node, clock),
        new AttemptStore(link, keys, node, clock, history, executions),
        new WaitingListStore(link, keys),
        new RunningAttempts(link, keys, nodes),
        new AttemptLog(link, keys, executions, clock),
        purges);
  }

  private CollectionStores ofCollections(
      RedisLink link, CollectionIndex index, DisabledMarkers disabledMarkers, JobStore store) {
    CollectionEpochs epochs = new CollectionEpochs(link, keys, clock);
    CollectionDeletion deletion = new CollectionDeletion(link, keys, epochs, index, clock);
    CollectionStore collections =
        new CollectionStore(link, keys, clock, index, disabledMarkers, epochs, deletion);
    ScopePauses pauses = new ScopePauses(link, keys, disabledMarkers, clock);
    return new CollectionStores(
        collections,
        deletion,
        disabledMarkers,
        new HoldReader(link, keys, collections, pauses, clock),
        pauses,
        new JobQuota(link, keys, store, epochs, clock),
        new RedisQueueStore(link, keys, clock));
  }

  private OperationStores ofOperations(
      RedisLink link, CollectionIndex index, DisabledMarkers disabledMarkers, JobStore store) {
    return new OperationStores(
        new ApiKeyStore(link, keys),
        new SessionStore(link, keys),
        new ActivityStore(link, keys, node),
        new LiveStore(link, keys, node),
        new Statistics(link, keys),
        new SecretRewriteStore(link, keys),
        new RawRedisReader(
            link,
            new QuotaEntry(link, keys, store.reader()),
            index,
            disabledMarkers,
            new ScopePauses(link, keys, disabledMarkers, clock)));
  }

  @Override
  public String toString() {
    return "StoreFactory[" + keys + ", node " + node + "]";
  }
}
