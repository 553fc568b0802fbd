package carillon.timer;

import carillon.bounded.AsyncLoops;
import carillon.store.Stores;
import carillon.store.attempt.DamagedEntry;
import carillon.store.attempt.PurgeStore.Purge;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Purges finished jobs that are no longer kept, in partitions polled first by this node. Purges a
 * few at a time, with a short pause in between: a million due jobs are gone within minutes, and
 * they delay no call. Confined to the timer's event loop.
 */
final class Purger {
  /** Interval between two rounds. Nobody waits for jobs that are due after days or weeks. */
  static final Duration PAUSE = Duration.ofSeconds(5);

  /** Maximum number of concurrent purges. */
  private static final int SLICE = 16;

  private static final Duration BREATH = Duration.ofMillis(5);

  private static final Logger LOG = LoggerFactory.getLogger(Purger.class);

  private final Vertx vertx;
  private final Stores stores;
  private final Membership members;
  private final Claimer claimer;
  private final InFlight inFlight;
  private final OutageLog outages;
  private final int partitions;
  private boolean stopped;
  private Optional<Future<Void>> underWay = Optional.empty();

  Purger(TimerVerticle.Shared shared, Claimer claimer) {
    this.vertx = shared.vertx();
    this.stores = shared.stores();
    this.members = shared.members();
    this.claimer = claimer;
    this.inFlight = shared.inFlight();
    this.outages = shared.outages();
    this.partitions = shared.config().partitions();
  }

  /** Purges all due jobs. Never fails. Calls during a round return that round. */
  Future<Void> purge() {
    if (underWay.isEmpty()) {
      Future<Void> round = inFlight.during(round().onFailure(this::later).otherwiseEmpty());
      underWay = Optional.of(round).filter(begun -> !begun.isComplete());
      round.onComplete(done -> underWay = Optional.empty());
      return round;
    }
    return underWay.get();
  }

  /** Stops purging. */
  void stop() {
    stopped = true;
  }

  private Future<Void> round() {
    return AsyncLoops.each(
        IntStream.range(0, partitions).boxed().toList(),
        partition ->
            stopped || members.rank(partition) != 0
                ? Future.succeededFuture()
                : AsyncLoops.whileMore(() -> slice(partition)));
  }

  /** Returns whether there may be more. */
  private Future<Boolean> slice(int partition) {
    return stores
        .attempt()
        .purges()
        .due(partition, SLICE)
        .compose(
            due ->
                due.isEmpty()
                    ? Future.succeededFuture(false)
                    : purge(partition, due)
                        .compose(
                            purged ->
                                vertx
                                    .timer(BREATH.toMillis())
                                    .map(breath -> purged == SLICE && !stopped)));
  }

  /** Returns the number of purged jobs. Deferred jobs wait for another round. */
  private Future<Integer> purge(int partition, List<Purge> due) {
    List<Future<Boolean>> purges = due.stream().map(purge -> purge(partition, purge)).toList();
    return Future.join(purges).map(all -> (int) purges.stream().filter(Future::result).count());
  }

  /** Returns false if it was deferred. */
  private Future<Boolean> purge(int partition, Purge purge) {
    if (!stores.attempt().purges().isSound(partition, purge)) {
      return claimer
          .quarantine(
              partition,
              new DamagedEntry(
                  "purge:" + purge.entry(),
                  Optional.empty(),
                  "no job of this partition can have this name"))
          .map(true);
    }
    if (!stores.attempt().purges().isOldEnough(purge)) {
      return stores.attempt().purges().putOff(partition, purge).map(false);
    }
    return stores
        .collection()
        .jobQuota()
        .purge(purge)
        .map(true)
        .recover(
            failure -> {
              later(failure);
              return stores.attempt().purges().putOff(partition, purge).map(false);
            });
  }

  private void later(Throwable failure) {
    LOG.atLevel(outages.level(failure))
        .addKeyValue("error", failure.getMessage())
        .log("finished jobs cannot be purged; trying again later");
  }
}
