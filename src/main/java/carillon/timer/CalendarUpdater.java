package carillon.timer;

import carillon.bounded.AsyncLoops;
import carillon.job.name.JobKey;
import carillon.redis.RedisLink;
import carillon.store.Stores;
import carillon.store.resource.CalendarUses.UsesSlice;
import io.vertx.core.Future;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Moves next occurrences when calendars change. Every node reads changed calendars again. The node
 * that polls partition 0 first also moves the next occurrences of jobs with a changed calendar.
 * Confined to the timer's event loop.
 */
final class CalendarUpdater {
  private static final Logger LOG = LoggerFactory.getLogger(CalendarUpdater.class);

  private final Stores stores;
  private final Membership members;
  private final OutageLog outages;
  private final int partitions;

  private boolean isFollowing;

  private boolean stopped;

  CalendarUpdater(TimerVerticle.Shared shared) {
    this.stores = shared.stores();
    this.members = shared.members();
    this.outages = shared.outages();
    this.partitions = shared.config().partitions();
  }

  /** Reads the calendars before the first claim. Fails only while Redis is away. */
  Future<Void> begin() {
    return read().onFailure(this::warn).recover(RedisLink.unlessUnavailable(null));
  }

  /** Reads the calendars if any has changed. Fails if they cannot be read. */
  private Future<Void> read() {
    return stores.resource().calendars().current().mapEmpty();
  }

  /** Reads the calendars and moves next occurrences to match. Never fails. */
  Future<Void> update() {
    return (follows() ? follow() : read()).onFailure(this::warn).otherwiseEmpty();
  }

  private void warn(Throwable failure) {
    LOG.atLevel(outages.level(failure))
        .addKeyValue("error", failure.getMessage())
        .log("calendars cannot be read; trying again later");
  }

  /** Marks all calendars as changed, so that the next update applies new time zone rules. */
  Future<Void> followAll() {
    return stores.resource().calendars().noteAll();
  }

  /** Stops moving occurrences. */
  void stop() {
    stopped = true;
  }

  private boolean follows() {
    return !isFollowing && !stopped && members.rank(0) == 0;
  }

  /** Reads the changes before the calendars, so that the calendars include every change. */
  private Future<Void> follow() {
    isFollowing = true;
    return stores
        .resource()
        .calendars()
        .changes()
        .compose(changes -> read().compose(known -> follow(changes)))
        .onComplete(done -> isFollowing = false);
  }

  private Future<Void> follow(Map<String, String> changes) {
    Future<Void> done = Future.succeededFuture();
    for (Map.Entry<String, String> change : changes.entrySet()) {
      String calendar = change.getKey();
      done =
          done.compose(before -> retimeAll(calendar))
              .compose(
                  moved ->
                      stopped
                          ? Future.succeededFuture()
                          : stores.resource().calendars().followed(calendar, change.getValue()));
    }
    return done;
  }

  private Future<Void> retimeAll(String calendar) {
    return AsyncLoops.each(
        IntStream.range(0, partitions).boxed().toList(),
        partition ->
            stopped
                ? Future.succeededFuture()
                : stores
                    .resource()
                    .calendarUses()
                    .slices(partition, calendar, slice -> retime(calendar, slice))
                    .recover(RedisLink.unlessUnavailable(null)));
  }

  /** Returns false if this node stops. */
  private Future<Boolean> retime(String calendar, UsesSlice slice) {
    List<Future<Boolean>> moves = slice.jobs().stream().map(job -> retime(calendar, job)).toList();
    return Future.join(moves).map(moved -> !stopped);
  }

  private Future<Boolean> retime(String calendar, JobKey job) {
    return stores.job().retiming().retime(job, "calendar " + calendar);
  }
}
