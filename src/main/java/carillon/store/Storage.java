package carillon.store;

import io.vertx.core.Future;
import io.vertx.core.Vertx;
import java.time.Duration;

/**
 * How to reach Redis: what each verticle opens for itself when it starts.
 *
 * @param uri of Redis, may hold a password
 * @param commandTimeout for each command
 * @param reconnectMax longest pause between two attempts to connect
 * @param keys names of the keys
 * @param node id of this node
 * @param clock the one clock of this process
 * @param history bounds of every job's history
 * @param keepFinished how long a completed or faulted job is kept
 */
public record Storage(
    String uri,
    Duration commandTimeout,
    Duration reconnectMax,
    Keys keys,
    String node,
    TimeKeeper clock,
    HistoryBounds history,
    Duration keepFinished) {

  /** Connects on the calling event loop. */
  public Future<Stores> open(Vertx vertx) {
    return RedisLink.open(vertx, uri, commandTimeout, reconnectMax).map(this::over);
  }

  private Stores over(RedisLink link) {
    JobStore jobs = new JobStore(link, keys);
    Epochs epochs = new Epochs(link, keys, clock);
    CollectionIndex index = new CollectionIndex(link, keys, clock);
    CollectionRemoval removal = new CollectionRemoval(link, keys, epochs, index, clock);
    return new Stores(
        link,
        jobs,
        new JobLists(link, keys, jobs, history, clock),
        new Places(link, keys, jobs, epochs, clock),
        new CollectionStore(link, keys, clock, index, epochs, removal),
        removal,
        new RunStore(link, keys, node, history, keepFinished),
        new NodeStore(link, keys, node, clock),
        new QueueStore(link, keys, clock),
        new SealedStore(link, keys),
        new Meta(link, keys),
        new CloudServiceStore(link, keys));
  }

  @Override
  public String toString() {
    return "Storage[" + keys + ", node " + node + "]";
  }
}
