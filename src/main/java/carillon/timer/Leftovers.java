package carillon.timer;

import carillon.store.Damaged;
import carillon.store.Stores;
import carillon.store.TimeKeeper;
import io.vertx.core.Future;
import java.util.List;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Clears away what a claim finds besides runs: jobs that are kept no longer, and entries that
 * nothing can be done with. Confined to the timer's event loop.
 */
final class Leftovers {
  private static final Logger LOG = LoggerFactory.getLogger(Leftovers.class);

  private final Stores stores;
  private final TimeKeeper clock;
  private int underWay;

  Leftovers(Stores stores, TimeKeeper clock) {
    this.stores = stores;
    this.clock = clock;
  }

  /** Nothing can be done with it, and it must not come again; the others go on. */
  void quarantine(int partition, Damaged damaged) {
    LOG.atError()
        .addKeyValue("partition", partition)
        .addKeyValue("claim", damaged.claim())
        .addKeyValue("error", damaged.reason())
        .log("damaged entry is put into quarantine");
    underWay++;
    stores
        .link()
        .persist(() -> stores.runs().quarantine(partition, damaged, clock.instant()))
        .onFailure(
            failure ->
                LOG.atError()
                    .addKeyValue("claim", damaged.claim())
                    .setCause(failure)
                    .log("damaged entry cannot be put into quarantine"))
        .onComplete(done -> underWay--);
  }

  /** Fails when one of them could not be purged: it stays due. */
  Future<Void> purge(List<String> jobs) {
    return Future.join(jobs.stream().map(this::purge).toList()).mapEmpty();
  }

  private Future<Void> purge(String job) {
    try {
      return stores.places().purge(job);
    } catch (RuntimeException e) {
      LOG.atError()
          .addKeyValue("job", job)
          .setCause(e)
          .log("no job can have this name to be purged");
      return Future.failedFuture(e);
    }
  }

  /** True while an entry is on its way into quarantine. */
  boolean isBusy() {
    return underWay > 0;
  }
}
