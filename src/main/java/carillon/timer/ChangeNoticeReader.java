package carillon.timer;

import carillon.redis.RedisLink;
import carillon.store.Stores;
import carillon.store.job.ChangeNotices;
import io.vertx.core.Future;
import java.time.Duration;
import java.util.List;

/**
 * Reader of the notices that jobs and collections were disabled, deleted or enabled: gives back
 * what is claimed of the former and not sent, and lets go what waited for the latter. Looks at
 * Redis' clock as often, should it be set. Confined to the timer's event loop.
 */
final class ChangeNoticeReader {
  /** Half of the time within which a node is to know. */
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
   * Begins after what was told until now: what was told before this node claimed anything does not
   * concern it. Fails while Redis is away.
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

  /** Reads on; never fails: what cannot be read now is read the next time. */
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
      switch (notice.kind()) {
        case ENABLED -> heartbeat.releaseHeld(notice.key());
        case DISABLED, DELETED -> claimer.recall(notice.key());
        case FLOW -> flows.refresh();
        case CALENDAR -> calendars.update();
      }
    }
    return null;
  }
}
