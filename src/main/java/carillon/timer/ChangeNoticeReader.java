package carillon.timer;

import carillon.redis.RedisLink;
import carillon.store.Stores;
import carillon.store.job.ChangeNotices;
import io.vertx.core.Future;
import java.time.Duration;
import java.util.List;

/**
 * Reads notices about disabled, deleted and enabled jobs and collections. Recalls unsent claims of
 * disabled and deleted ones, and releases attempts that waited for enabled ones. Also checks the
 * Redis clock each time, in case it was set. Confined to the timer's event loop.
 */
final class ChangeNoticeReader {
  /** Interval between reads: half of the time within which a node must know of a change. */
  static final Duration PAUSE = Duration.ofMillis(50);

  private final Stores stores;
  private final Claimer claimer;
  private final Heartbeat heartbeat;
  private final FlowControl flows;
  private final CalendarUpdater calendars;
  private String last;

  ChangeNoticeReader(
      Stores stores,
      Claimer claimer,
      Heartbeat heartbeat,
      FlowControl flows,
      CalendarUpdater calendars) {
    this.stores = stores;
    this.claimer = claimer;
    this.heartbeat = heartbeat;
    this.flows = flows;
    this.calendars = calendars;
  }

  /**
   * Starts after the newest notice. Earlier notices do not concern a node that has claimed nothing
   * yet. Fails while Redis is away.
   */
  Future<Void> begin() {
    return stores
        .job()
        .changeNotices()
        .last()
        .onSuccess(id -> last = id)
        .<Void>mapEmpty()
        .recover(RedisLink.unlessUnavailable(null));
  }

  /** Reads new notices. Never fails: notices that cannot be read now are read the next time. */
  Future<Void> read() {
    if (!stores.isUp()) {
      return Future.succeededFuture();
    }
    Future<Void> done =
        last == null ? begin() : stores.job().changeNotices().after(last).map(this::heed);
    return Future.join(done, stores.node().nodes().verifyClock()).<Void>mapEmpty().otherwiseEmpty();
  }

  private Void heed(List<ChangeNotices.Notice> notices) {
    for (ChangeNotices.Notice notice : notices) {
      last = notice.id();
      notice.kind().ifPresent(kind -> heed(kind, notice.key()));
    }
    return null;
  }

  private void heed(ChangeNotices.Kind kind, String key) {
    switch (kind) {
      case ENABLED -> heartbeat.releaseHeld(key);
      case DISABLED, DELETED -> claimer.recall(key);
      case FLOW -> flows.refresh();
      case CALENDAR -> calendars.update();
    }
  }
}
