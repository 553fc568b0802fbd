package carillon.timer;

import carillon.bounded.AsyncLoops;
import carillon.redis.SharedClock;
import carillon.store.Stores;
import carillon.store.attempt.ClaimStore;
import carillon.store.attempt.ParkedRelease;
import carillon.store.attempt.WaitingCause;
import carillon.store.attempt.WaitingList;
import io.vertx.core.Future;
import java.util.List;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Releaser of waiting lists: makes attempts due whose cause to wait is gone, in bounded slices. A
 * step that fails is repeated by the next heartbeat, or by the next claim. Confined to the timer's
 * event loop.
 */
final class ListReleaser {
  private static final Logger LOG = LoggerFactory.getLogger(ListReleaser.class);

  private final Stores stores;
  private final SharedClock clock;
  private final OutageLog outages;
  private final InFlight inFlight;
  private final WakeUpTimer.Listener wakeUpListener;

  ListReleaser(TimerVerticle.Shared shared, WakeUpTimer.Listener wakeUpListener) {
    this.stores = shared.stores();
    this.clock = shared.clock();
    this.outages = shared.outages();
    this.inFlight = shared.inFlight();
    this.wakeUpListener = wakeUpListener;
  }

  /** Releases all attempts of a list. Completes when none is left; never fails. */
  Future<Void> release(int partition, WaitingList list) {
    return AsyncLoops.whileMore(() -> releaseSlice(partition, list))
        .onFailure(
            failure ->
                LOG.atLevel(outages.level(failure))
                    .addKeyValue("list", list.key())
                    .addKeyValue("partition", partition)
                    .addKeyValue("error", failure.getMessage())
                    .log("waiting list cannot be released; trying again later"))
        .otherwiseEmpty();
  }

  /** Returns whether there may be more. */
  private Future<Boolean> releaseSlice(int partition, WaitingList list) {
    return stores
        .attempt()
        .lists()
        .release(partition, list, clock.instant())
        .onSuccess(moved -> wake(partition, moved))
        .map(moved -> moved == ClaimStore.SLICE);
  }

  private void wake(int partition, int moved) {
    if (moved > 0) {
      wakeUpListener.at(partition, clock.millis(), false);
    }
  }

  /**
   * Releases the attempts of changed or deleted jobs that wait for flows: walks each list of the
   * partition, then ends the releases. Executions and pauses judge their attempts when they end.
   */
  void releaseParked(int partition, List<ParkedRelease> releases) {
    for (ParkedRelease release : releases) {
      inFlight.during(
          releaseParked(partition, release)
              .onFailure(
                  failure ->
                      LOG.atLevel(outages.level(failure))
                          .addKeyValue("jobs", release.jobs())
                          .addKeyValue("partition", partition)
                          .addKeyValue("error", failure.getMessage())
                          .log("parked attempts cannot be released; the next claim tries again")));
    }
  }

  private Future<Void> releaseParked(int partition, ParkedRelease release) {
    return stores
        .attempt()
        .lists()
        .all(partition)
        .compose(
            lists ->
                Future.join(
                    lists.stream()
                        .filter(list -> list.cause() == WaitingCause.FLOW)
                        .map(list -> walk(partition, list, release))
                        .toList()))
        .compose(walked -> stores.attempt().lists().endRelease(partition, release));
  }

  private Future<Void> walk(int partition, WaitingList list, ParkedRelease release) {
    String[] cursor = {"0"};
    return AsyncLoops.whileMore(
        () ->
            stores
                .attempt()
                .lists()
                .scan(partition, list, cursor[0], release.jobs())
                .onSuccess(slice -> cursor[0] = slice.cursor())
                .compose(
                    slice ->
                        release(partition, list, slice.attempts()).map(done -> !slice.isLast())));
  }

  private Future<Void> release(int partition, WaitingList list, List<String> attempts) {
    return AsyncLoops.slices(
        attempts,
        ClaimStore.SLICE,
        slice ->
            stores
                .attempt()
                .lists()
                .release(partition, list, slice, clock.instant())
                .onSuccess(moved -> wake(partition, moved))
                .mapEmpty());
  }
}
