package carillon.timer;

import carillon.bus.Messages;
import carillon.bus.Messages.PlannedAttempt;
import carillon.job.AttemptRecord.Source;
import carillon.job.JobDefinition;
import carillon.job.OccurrencePolicy.Overlap;
import carillon.job.attempt.Attempt;
import carillon.job.attempt.Claim;
import carillon.job.attempt.HistoryEntry;
import carillon.redis.EpochMillis;
import carillon.redis.SharedClock;
import carillon.store.AttemptEnding;
import carillon.store.Stores;
import carillon.store.attempt.AttemptOutcome;
import carillon.store.attempt.AttemptStore.Begun;
import carillon.store.attempt.AttemptStore.Parked;
import carillon.store.attempt.FailingSteps;
import carillon.store.attempt.NextOccurrence;
import carillon.timer.ClaimDecision.Perform;
import io.vertx.core.Future;
import io.vertx.core.eventbus.EventBus;
import java.time.Instant;
import java.util.Optional;
import java.util.function.Consumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Executes {@link ClaimDecision}s: schedules the next occurrence of the job, then hands the attempt
 * to a dispatcher, ends it or holds it. Confined to the timer's event loop.
 */
final class DecisionExecutor {
  private static final Logger LOG = LoggerFactory.getLogger(DecisionExecutor.class);

  private final Stores stores;
  private final AttemptEnding ending;
  private final SharedClock clock;
  private final FailingSteps failingSteps;
  private final EventBus bus;
  private final WakeUpTimer.Listener wakeUpListener;
  private final TimerObserver observer;
  private final InFlight inFlight;
  private final Consumer<Claim> onEnd;

  /**
   * Creates an executor.
   *
   * @param onEnd called when an attempt ends that no dispatcher has
   */
  DecisionExecutor(
      TimerVerticle.Shared shared, WakeUpTimer.Listener wakeUpListener, Consumer<Claim> onEnd) {
    this.stores = shared.stores();
    this.clock = shared.clock();
    this.failingSteps = shared.lease().failingSteps();
    this.ending = new AttemptEnding(stores, clock, this::wake);
    this.bus = shared.vertx().eventBus();
    this.wakeUpListener = wakeUpListener;
    this.observer = shared.observer();
    this.inFlight = shared.inFlight();
    this.onEnd = onEnd;
  }

  /** Executes the decision. The claim stays in flight until the attempt ends. */
  void execute(ClaimDecision decision) {
    inFlight.during(
        scheduleNext(decision)
            .onSuccess(ready -> ready.ifPresent(this::tryToCarryOut))
            .onFailure(failure -> giveUp(decision.claim(), failure)));
  }

  /**
   * Decision to execute after the next occurrence was scheduled.
   *
   * @param claim the claim after that
   */
  private record Ready(ClaimDecision decision, Claim claim) {}

  /**
   * Schedules the next occurrence, if any. Empty if the claim was lost or its occurrence was
   * buffered.
   */
  private Future<Optional<Ready>> scheduleNext(ClaimDecision decision) {
    Claim claim = decision.claim();
    Optional<Overlap> overlap = overlap(decision);
    if (decision.next().isEmpty()) {
      return overlap.isPresent()
          ? stores.attempt().attempts().begin(claim).map(begun -> begun(decision, begun))
          : Future.succeededFuture(Optional.of(new Ready(decision, claim)));
    }
    NextOccurrence next = decision.next().get();
    return stores
        .attempt()
        .attempts()
        .scheduleNext(claim, next, overlap)
        .map(
            scheduled ->
                switch (scheduled) {
                  case SCHEDULED -> Optional.of(new Ready(decision, moved(claim, next)));
                  case STALE -> Optional.of(new Ready(decision, stale(claim, next)));
                  case OVERLAP -> Optional.of(overlapping(moved(claim, next)));
                  case STALE_OVERLAP -> Optional.of(overlapping(stale(claim, next)));
                  case BUFFERED -> lost(moved(claim, next));
                  case LOST -> lost(claim);
                });
  }

  private static Optional<Overlap> overlap(ClaimDecision decision) {
    return decision instanceof Perform perform
        ? perform.attempt().definition().occurrences().overlap()
        : Optional.empty();
  }

  private Optional<Ready> begun(ClaimDecision decision, Begun begun) {
    Claim claim = decision.claim();
    return switch (begun) {
      case BEGUN -> Optional.of(new Ready(decision, claim));
      case OVERLAP -> Optional.of(overlapping(claim));
      case CHANGED ->
          Optional.of(new Ready(ClaimPlanner.jobChanged(claim, clock.instant()), claim));
      case LOST -> lost(claim);
    };
  }

  private Ready overlapping(Claim claim) {
    return new Ready(ClaimPlanner.overlapping(claim, clock.instant()), claim);
  }

  private Claim moved(Claim claim, NextOccurrence next) {
    Claim moved = claim.of(next.moved());
    skipped(next.skipped(), HistoryEntry.Reason.MISSED);
    inFlight.move(claim, moved);
    wake(next);
    return moved;
  }

  /**
   * Wakes up for the next occurrence, which may already wait. The job was changed, or the answer to
   * an earlier call was lost.
   */
  private Claim stale(Claim claim, NextOccurrence next) {
    wake(next);
    return claim;
  }

  private void wake(NextOccurrence next) {
    next.waitingDue().ifPresent(at -> wake(next.moved(), at));
  }

  private void wake(Attempt attempt, Instant at) {
    wakeUpListener.at(stores.attempt().attempts().partition(attempt), EpochMillis.of(at), false);
  }

  private Optional<Ready> lost(Claim claim) {
    onEnd.accept(claim);
    return Optional.empty();
  }

  private void tryToCarryOut(Ready ready) {
    try {
      carryOut(unlessExpired(ready), ready.claim);
    } catch (RuntimeException e) {
      abandon(ready.claim, e);
    }
  }

  /** Checks again, because Redis may have been away since the decision. */
  private ClaimDecision unlessExpired(Ready ready) {
    return ready.decision instanceof Perform perform
        ? ClaimPlanner.unlessExpired(perform, ready.claim.attempt(), clock.instant())
        : ready.decision;
  }

  private void carryOut(ClaimDecision decision, Claim claim) {
    if (decision instanceof Perform perform) {
      PlannedAttempt planned = perform.attempt();
      JobDefinition definition =
          observer.handsOut(claim.attempt(), planned.definition(), planned.since());
      Messages.ATTEMPT.toOne(bus, planned.with(claim, definition));
    } else if (decision instanceof ClaimDecision.End end) {
      end(claim, end.outcome().apply(claim.attempt()));
    } else if (decision instanceof ClaimDecision.AwaitCalendar wait) {
      settle(claim, stores.attempt().attempts().release(claim, wait.retryAt()));
      wake(claim.attempt(), wait.retryAt());
    } else if (decision instanceof ClaimDecision.HoldForJob) {
      settle(claim, stores.attempt().attempts().holdForJob(claim));
    } else if (decision instanceof ClaimDecision.HoldForCollection hold) {
      settle(claim, park(claim, hold.level().marker(claim.attempt().collection())));
    }
  }

  private Future<Parked> park(Claim claim, String marker) {
    return stores
        .attempt()
        .attempts()
        .parkForCollection(claim, marker)
        .onSuccess(
            parked -> {
              if (parked == Parked.DUE) {
                wake(claim.attempt(), clock.instant());
              }
            });
  }

  /**
   * Ends an attempt whose next occurrence cannot be stored, and the schedule of its job. Only
   * damaged data or a bug leads here.
   */
  private void giveUp(Claim claim, Throwable failure) {
    logError(claim, failure, "next occurrence cannot be stored");
    end(claim, ClaimPlanner.notScheduled(claim.attempt(), clock.instant()));
  }

  private void end(Claim claim, AttemptOutcome outcome) {
    if (outcome.entry().status() == HistoryEntry.Status.SKIPPED) {
      outcome.entry().reason().ifPresent(reason -> skipped(1, reason));
    } else {
      observer.givenUp(claim.attempt().collection(), claim.attempt().crashes() > 0);
    }
    settle(
        claim,
        stores
            .attempt()
            .attempts()
            .finish(claim, outcome, Source.of(claim.attempt()), failingSteps)
            .compose(finished -> ending.follow(claim.attempt(), outcome, finished)));
  }

  private void skipped(long occurrences, HistoryEntry.Reason reason) {
    if (occurrences > 0) {
      observer.skipped(occurrences, reason);
      Messages.SKIPPED.toAll(bus, new Messages.Skipped(occurrences));
    }
  }

  private void settle(Claim claim, Future<?> step) {
    step.onFailure(failure -> logError(claim, failure, "attempt cannot be ended"))
        .onComplete(done -> onEnd.accept(claim));
  }

  /** Logs a failed step of an attempt. */
  static void logError(Claim claim, Throwable failure, String what) {
    LOG.atError().addKeyValue("attempt", claim.attempt().member()).setCause(failure).log(what);
  }

  /** Releases an attempt that met a bug, as after a crash. Too many of them end the attempt. */
  void abandon(Claim claim, RuntimeException failure) {
    logError(claim, failure, "claimed attempt cannot be begun");
    settle(claim, ending.releaseCrashed(claim));
  }
}
