package carillon.timer;

import carillon.store.Stores;
import carillon.store.attempt.DamagedEntry;
import io.vertx.core.Future;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Clears away entries that nothing can be done with, when a look finds them. Confined to the
 * timer's event loop.
 */
final class Quarantine {
  private static final Logger LOG = LoggerFactory.getLogger(Quarantine.class);

  private final Stores stores;
  private int underWay;

  Quarantine(Stores stores) {
    this.stores = stores;
  }

  /** Nothing can be done with it, and it must not come again; the others go on. */
  Future<Void> quarantine(int partition, DamagedEntry damaged) {
    LOG.atError()
        .addKeyValue("partition", partition)
        .addKeyValue("claim", damaged.claim())
        .addKeyValue("error", damaged.reason())
        .log("damaged entry is put into quarantine");
    underWay++;
    return stores
        .attempts()
        .quarantine(partition, damaged)
        .onFailure(
            failure ->
                LOG.atError()
                    .addKeyValue("claim", damaged.claim())
                    .setCause(failure)
                    .log("damaged entry cannot be put into quarantine"))
        .onComplete(done -> underWay--)
        .otherwiseEmpty();
  }

  /** True while an entry is on its way into quarantine. */
  boolean isBusy() {
    return underWay > 0;
  }
}
