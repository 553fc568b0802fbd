package carillon.timer;

import carillon.bus.Messages;
import carillon.bus.Messages.PlannedAttempt;
import carillon.config.DispatchSettings;
import carillon.job.Claim;
import carillon.job.Destination;
import carillon.job.HistoryEntry;
import carillon.job.JobDefinition;
import carillon.redis.EpochMillis;
import carillon.redis.SharedClock;
import carillon.store.Stores;
import carillon.store.attempt.AttemptOutcome;
import carillon.store.attempt.ClaimedAttempt;
import carillon.store.attempt.NextOccurrence;
import carillon.timer.ClaimDecision.Perform;
import io.vertx.core.Future;
import io.vertx.core.eventbus.EventBus;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Starter of claimed attempts: schedules the next occurrence of the job, then hands the attempt to
 * a dispatcher or carries out what else its {@link ClaimDecision} says. An attempt whose
 * destination has no place left goes back to Redis as it was claimed: the next occurrence does not
 * wait yet, so that a job whose target is slow misses occurrences instead of piling them up.
 * Confined to the timer's event loop.
 */
final class AttemptStarter {
  private static final Logger LOG = LoggerFactory.getLogger(AttemptStarter.class);

  /** An attempt that is no earlier waits here: a clock that was set back a little stands still. */
  private static final long MAX_EARLY_MILLIS = 1000;

  private static final long MAX_PATIENCE_MILLIS = 5000;

  private static final Duration ABANDONED_DELAY = Duration.ofSeconds(5);

  private final Stores stores;
  private final ClaimPlanner planner;
  private final SharedClock clock;
  private final EventBus bus;
  private final WakeUpTimer.Listener wakeUpListener;
  private final TimerObserver observer;
  private final DestinationBulkhead<Perform> bulkhead;
  private final ServingTime servingTime;
  private final InFlight inFlight;
  private final Runnable onPlaceFree;
  private boolean drained;

  /**
   * A starter that holds no attempt.
   *
   * @param onPlaceFree called when an attempt is no longer held
   */
  AttemptStarter(
      TimerVerticle.Shared shared, WakeUpTimer.Listener wakeUpListener, Runnable onPlaceFree) {
    DispatchSettings dispatch = shared.config().settings().dispatch();
    this.stores = shared.stores();
    this.planner = new ClaimPlanner(dispatch.maxCrashes());
    this.clock = shared.clock();
    this.bus = shared.vertx().eventBus();
    this.wakeUpListener = wakeUpListener;
    this.observer = shared.observer();
    this.bulkhead = bulkhead(dispatch);
    this.servingTime = new ServingTime(shared.lease()::nanoTime);
    this.inFlight = shared.inFlight();
    this.onPlaceFree = onPlaceFree;
  }

  private static DestinationBulkhead<Perform> bulkhead(DispatchSettings dispatch) {
    return new DestinationBulkhead<>(
        dispatch.maxInFlight(), dispatch.maxPerDestination(), patienceMillis(dispatch.timeout()));
  }

  /** Who answers within this is quick: none of its calls comes near the time-out. */
  private static long patienceMillis(Duration timeout) {
    return Math.min(MAX_PATIENCE_MILLIS, timeout.toMillis() / 4);
  }

  /**
   * Takes an attempt that was claimed just now; one that was claimed too early, as Redis' clock was
   * set back, waits for its time.
   *
   * @param leaseStamp of the lease when the claim was sent
   * @param at what Redis' clock showed when it was claimed, epoch ms
   */
  void start(ClaimedAttempt claimed, long leaseStamp, long at) {
    if (!inFlight.add(claimed.claim())) {
      return;
    }
    long early = claimed.due() - at;
    if (early <= 0) {
      tryToDecide(claimed, leaseStamp);
    } else if (early <= MAX_EARLY_MILLIS) {
      inFlight.during(
          stores
              .pause(Duration.ofMillis(early))
              .onSuccess(passed -> tryToDecide(claimed, leaseStamp)));
    } else {
      release(claimed.claim(), claimed.due());
    }
  }

  private void tryToDecide(ClaimedAttempt claimed, long leaseStamp) {
    try {
      decide(claimed, leaseStamp);
    } catch (RuntimeException e) {
      abandon(claimed.claim(), e);
    }
  }

  private void decide(ClaimedAttempt claimed, long leaseStamp) {
    ClaimDecision decision = planner.plan(claimed, leaseStamp, clock.instant());
    if (decision instanceof Perform perform) {
      admit(perform);
    } else {
      scheduleNextAndCarryOut(decision);
    }
  }

  private void admit(Perform perform) {
    switch (bulkhead.admit(perform.attempt().destination(), perform, servingTime.millis())) {
      case START -> begin(perform);
      case WAIT -> releaseWhenDrained();
      case PUT_OFF -> putOff(perform);
    }
  }

  private void begin(Perform perform) {
    inFlight.begin(perform.claim(), perform.attempt().destination(), servingTime.millis());
    scheduleNextAndCarryOut(perform);
  }

  private void scheduleNextAndCarryOut(ClaimDecision decision) {
    inFlight.during(
        scheduleNext(decision)
            .onSuccess(claim -> claim.ifPresent(still -> tryToCarryOut(decision, still)))
            .onFailure(failure -> giveUp(decision.claim(), failure)));
  }

  private void putOff(Perform perform) {
    Destination destination = perform.attempt().destination();
    observer.putOff();
    if (bulkhead.isNews(destination)) {
      LOG.atWarn()
          .addKeyValue("destination", destination.host() + ":" + destination.port())
          .log(
              bulkhead.isCalled(destination)
                  ? "destination is too slow for its calls, some are put off"
                  : "too many destinations do not answer, calls to slow and new ones are put off");
    }
    long now = servingTime.millis();
    release(perform.claim(), clock.millis() + bulkhead.retryAt(destination, now) - now);
  }

  /** Releases a claim. Its place is free at once, even while Redis is away. */
  private void release(Claim claim, long due) {
    inFlight.during(
        stores
            .attempts()
            .release(claim, Instant.ofEpochMilli(due))
            .onSuccess(
                done -> wakeUpListener.at(stores.attempts().partition(claim.attempt()), due, false))
            .onFailure(failure -> logError(claim, failure, "attempt cannot be released")));
    inFlight.end(claim);
    onPlaceFree.run();
  }

  /** Puts off what has waited too long for its destination. A few times a second. */
  void expireWaiting() {
    observer.held(inFlight.size(), bulkhead.waiting());
    servingTime.tick(stores.isUp());
    bulkhead.overdue(servingTime.millis()).forEach(this::putOff);
  }

  /** Releases what still waits for its destination, and whatever is to wait from now on. */
  void drain() {
    drained = true;
    release(bulkhead.withdraw(perform -> true));
  }

  /** Releases what waits for its destination and is of a job, or a collection, with this key. */
  void recall(String key) {
    release(bulkhead.withdraw(perform -> perform.claim().attempt().isOf(key)));
  }

  private void release(List<Perform> withdrawn) {
    withdrawn.forEach(perform -> release(perform.claim(), clock.millis()));
  }

  /** What was claimed before the node was told to stop may arrive afterwards. */
  private void releaseWhenDrained() {
    if (drained) {
      drain();
    }
  }

  /** The claim as it is afterwards; empty when it was lost. */
  private Future<Optional<Claim>> scheduleNext(ClaimDecision decision) {
    Claim claim = decision.claim();
    if (decision.next().isEmpty()) {
      return Future.succeededFuture(Optional.of(claim));
    }
    NextOccurrence next = decision.next().get();
    return stores
        .attempts()
        .scheduleNext(claim, next)
        .map(
            scheduled ->
                switch (scheduled) {
                  case SCHEDULED -> scheduled(claim, next);
                  case STALE -> stale(claim, next);
                  case LOST -> lost(claim);
                });
  }

  private Optional<Claim> scheduled(Claim claim, NextOccurrence next) {
    Claim moved = claim.of(next.moved());
    observer.skipped(next.skipped());
    inFlight.move(claim, moved);
    wake(next);
    return Optional.of(moved);
  }

  /**
   * The job was changed, or the next occurrence waits already because the answer to an earlier call
   * was lost: the next occurrence may wait.
   */
  private Optional<Claim> stale(Claim claim, NextOccurrence next) {
    wake(next);
    return Optional.of(claim);
  }

  private void wake(NextOccurrence next) {
    next.waits()
        .ifPresent(
            at ->
                wakeUpListener.at(
                    stores.attempts().partition(next.moved()), EpochMillis.of(at), false));
  }

  private Optional<Claim> lost(Claim claim) {
    ended(claim);
    return Optional.empty();
  }

  private void tryToCarryOut(ClaimDecision decision, Claim claim) {
    try {
      carryOut(decision, claim);
    } catch (RuntimeException e) {
      abandon(claim, e);
    }
  }

  /**
   * Releases an attempt that met a bug, as after a crash; after too many of them it is given up.
   */
  private void abandon(Claim claim, RuntimeException failure) {
    logError(claim, failure, "claimed attempt cannot be begun");
    Instant due = clock.instant().plus(ABANDONED_DELAY);
    settle(claim, stores.attempts().releaseCrashed(claim, due));
  }

  private void carryOut(ClaimDecision decision, Claim claim) {
    if (decision instanceof Perform perform) {
      PlannedAttempt planned = perform.attempt();
      JobDefinition definition =
          observer.handsOut(claim.attempt(), planned.definition(), planned.since());
      Messages.ATTEMPT.toOne(bus, planned.with(claim, definition));
    } else if (decision instanceof ClaimDecision.End end) {
      end(claim, end.outcome().apply(claim.attempt()));
    } else if (decision instanceof ClaimDecision.HoldForJob) {
      settle(claim, stores.attempts().holdForJob(claim));
    } else {
      settle(claim, stores.attempts().holdForCollection(claim));
    }
  }

  /**
   * Ends an attempt whose next occurrence cannot be stored, and with it the job's schedule. Only
   * damaged data or a bug leads here.
   */
  private void giveUp(Claim claim, Throwable failure) {
    logError(claim, failure, "next occurrence cannot be stored");
    end(claim, ClaimPlanner.notScheduled(claim.attempt(), clock.instant()));
  }

  private void end(Claim claim, AttemptOutcome outcome) {
    if (outcome.entry().status() == HistoryEntry.Status.SKIPPED) {
      observer.skipped(1);
    } else {
      observer.givenUp();
    }
    settle(claim, stores.attempts().finish(claim, outcome));
  }

  private void settle(Claim claim, Future<?> step) {
    step.onFailure(failure -> logError(claim, failure, "attempt cannot be ended"))
        .onComplete(done -> ended(claim));
  }

  private static void logError(Claim claim, Throwable failure, String what) {
    LOG.atError().addKeyValue("attempt", claim.attempt().member()).setCause(failure).log(what);
  }

  /** Lets go of an attempt that is over: its place is free. */
  void ended(Claim claim) {
    inFlight
        .end(claim)
        .flatMap(had -> bulkhead.finished(had.destination(), had.since(), servingTime.millis()))
        .ifPresent(this::begin);
    onPlaceFree.run();
    inFlight.tell();
  }
}
