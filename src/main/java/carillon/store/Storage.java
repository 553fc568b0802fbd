package carillon.store;

import io.vertx.core.Future;
import io.vertx.core.Vertx;
import java.time.Duration;

/**
 * How to reach Redis: what each verticle opens for itself when it starts.
 *
 * @param redis where it is and what it must be like
 * @param keys names of the keys
 * @param node id of this node
 * @param clock the one clock of this process
 * @param history bounds of every job's history
 * @param keepFinished how long a completed or faulted job is kept
 * @param audit how much of what clients change is remembered
 */
public record Storage(
    RedisSetup redis,
    Keys keys,
    String node,
    TimeKeeper clock,
    HistoryBounds history,
    Duration keepFinished,
    AuditBounds audit) {

  /**
   * Connects on the calling event loop, for those who answer clients: a change that the client is
   * told of survives what {@code redis.durability} names.
   */
  public Future<Stores> openForClients(Vertx vertx) {
    return RedisLink.open(vertx, redis.confirming()).map(this::over);
  }

  /**
   * Connects on the calling event loop, for the engine: what it forgets it does again, with the
   * same execution id, so no replica need confirm it.
   */
  public Future<Stores> open(Vertx vertx) {
    return RedisLink.open(vertx, redis).map(this::over);
  }

  private Stores over(RedisLink link) {
    AuditLog log = new AuditLog(link, keys, audit);
    Notices notices = new Notices(link, keys);
    JobStore jobs = new JobStore(link, keys, log, notices, history, redis.observer(), clock);
    Epochs epochs = new Epochs(link, keys, clock);
    Gates gates = new Gates(link, keys, clock, notices);
    CollectionIndex index = new CollectionIndex(link, keys, gates);
    CollectionRemoval removal = new CollectionRemoval(link, keys, epochs, index, clock);
    return new Stores(
        link,
        jobs,
        new JobLists(link, keys, jobs, history, clock),
        new JobFinder(link, keys),
        new Places(link, keys, jobs, epochs, clock),
        new CollectionStore(link, keys, clock, index, gates, epochs, removal),
        removal,
        gates,
        notices,
        new RunStore(link, keys, node, clock, history, keepFinished),
        new PurgeStore(link, keys, clock),
        new DueList(link, keys),
        new NodeStore(link, keys, node, clock),
        new QueueStore(link, keys, clock),
        new SealedStore(link, keys),
        new Meta(link, keys),
        new Figures(link, keys),
        new CloudServiceStore(link, keys),
        new InspectionStore(link, new Place(link, keys, jobs), index, gates),
        new KeyStore(link, keys),
        new SessionStore(link, keys),
        new ActivityStore(link, keys, node),
        new LiveStore(link, keys, node),
        log);
  }

  @Override
  public String toString() {
    return "Storage[" + keys + ", node " + node + "]";
  }
}
