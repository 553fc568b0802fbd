package carillon.timer;

import carillon.bus.Messages;
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
import io.vertx.core.Future;
import io.vertx.core.eventbus.EventBus;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Does with claimed runs what is planned for them: arms what follows, and hands the attempts out.
 * What a destination has no share left for goes back to Redis, as it was claimed: nothing is armed
 * yet, so that a job whose target is slow misses occurrences instead of piling them up. Confined to
 * the timer's event loop.
 */
final class AttemptStarter {
  private static final Logger LOG = LoggerFactory.getLogger(AttemptStarter.class);

  /** As long as a clock that was set back by little stands still. */
  private static final long SHORT_MILLIS = 1000;

  private static final Duration UNBEGUN = Duration.ofSeconds(5);

  private final Stores stores;
  private final ClaimPlanner planner;
  private final SharedClock clock;
  private final EventBus bus;
  private final WakeUpListener wakeUpListener;
  private final TimerObserver observer;
  private final DestinationBulkhead<PlannedAttempt> bulkhead;
  private final ServingTime servingTime;
  private final InFlight inFlight;
  private final Runnable room;
  private int undecided;
  private boolean drained;

  /**
   * Holds nothing yet.
   *
   * @param servingTime by which the bulkhead measures
   * @param room told when a run is held no longer
   */
  AttemptStarter(
      Stores stores,
      ClaimPlanner planner,
      SharedClock clock,
      EventBus bus,
      WakeUpListener wakeUpListener,
      TimerObserver observer,
      DestinationBulkhead<PlannedAttempt> bulkhead,
      ServingTime servingTime,
      Runnable room) {
    this.stores = stores;
    this.planner = planner;
    this.clock = clock;
    this.bus = bus;
    this.wakeUpListener = wakeUpListener;
    this.observer = observer;
    this.bulkhead = bulkhead;
    this.servingTime = servingTime;
    this.inFlight = new InFlight();
    this.room = room;
  }

  /**
   * A run that was claimed just now; one that was claimed too early, as Redis' clock was set back,
   * waits for its time.
   *
   * @param moment of the lease when the claim was sent
   * @param at what Redis' clock showed when it was claimed, epoch ms
   */
  void start(ClaimedAttempt claimed, long moment, long at) {
    if (!inFlight.add(claimed.claim())) {
      return;
    }
    long early = claimed.due() - at;
    if (early <= 0) {
      tryToDecide(claimed, moment);
    } else if (early <= SHORT_MILLIS) {
      undecided++;
      stores
          .link()
          .pause(Duration.ofMillis(early))
          .onSuccess(passed -> tryToDecide(claimed, moment))
          .onComplete(done -> undecided--);
    } else {
      handBack(claimed.claim(), claimed.due());
    }
  }

  private void tryToDecide(ClaimedAttempt claimed, long moment) {
    try {
      decide(claimed, moment);
    } catch (RuntimeException e) {
      abandon(claimed.claim(), e);
    }
  }

  private void decide(ClaimedAttempt claimed, long moment) {
    Instant now = clock.instant();
    PlannedAttempt planned =
        new PlannedAttempt(claimed, planner.plan(claimed, now), moment, now.toEpochMilli());
    Optional<Destination> destination = planned.destination();
    DestinationBulkhead.Verdict verdict =
        destination.isEmpty()
            ? DestinationBulkhead.Verdict.START
            : bulkhead.admit(destination.get(), planned, servingTime.millis());
    switch (verdict) {
      case START -> begin(planned);
      case WAIT -> handBackWhenDrained();
      case PUT_OFF -> putOff(planned, destination.orElseThrow());
    }
  }

  private void begin(PlannedAttempt planned) {
    inFlight.begin(planned, servingTime.millis());
    undecided++;
    arm(planned.decision().arming(), planned.claimed())
        .onSuccess(claim -> claim.ifPresent(still -> tryToCarryOut(planned, still)))
        .onFailure(failure -> giveUp(planned.claim(), failure))
        .onComplete(done -> undecided--);
  }

  private void putOff(PlannedAttempt planned, Destination destination) {
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
    handBack(planned.claim(), clock.millis() + bulkhead.retryAt(destination, now) - now);
  }

  /** No longer held from now on: its slot is free, though Redis may be away for a while. */
  private void handBack(Claim claim, long due) {
    inFlight.remove(claim);
    undecided++;
    stores
        .attempts()
        .handBack(claim, Instant.ofEpochMilli(due))
        .onSuccess(
            done -> wakeUpListener.at(stores.attempts().partition(claim.attempt()), due, false))
        .onFailure(
            failure ->
                LOG.atError()
                    .addKeyValue("run", claim.attempt().member())
                    .setCause(failure)
                    .log("run cannot be handed back"))
        .onComplete(done -> undecided--);
    room.run();
  }

  /** Puts off what has waited too long for its destination. A few times a second. */
  void expireWaiting() {
    observer.held(inFlight.size(), bulkhead.waiting());
    servingTime.tick(stores.link().isUp());
    bulkhead
        .overdue(servingTime.millis())
        .forEach(planned -> putOff(planned, planned.destination().orElseThrow()));
  }

  /** Hands back what still waits for its destination, and whatever is to wait from now on. */
  void drain() {
    drained = true;
    handBack(bulkhead.withdraw(planned -> true));
  }

  /** Hands back what waits for its destination and is of a job, or a collection, with this key. */
  void recall(String key) {
    handBack(bulkhead.withdraw(planned -> planned.claim().attempt().isOf(key)));
  }

  private void handBack(List<PlannedAttempt> works) {
    works.forEach(planned -> handBack(planned.claim(), clock.millis()));
  }

  /** What was claimed before the node was told to stop may arrive afterwards. */
  private void handBackWhenDrained() {
    if (drained) {
      drain();
    }
  }

  /** The claim as it is afterwards; empty when it was lost. */
  private Future<Optional<Claim>> arm(Optional<NextOccurrence> plan, ClaimedAttempt claimed) {
    if (plan.isEmpty()) {
      return Future.succeededFuture(Optional.of(claimed.claim()));
    }
    NextOccurrence arming = plan.get();
    long revision = claimed.job().orElseThrow().revision();
    return stores
        .attempts()
        .arm(claimed.claim(), arming, revision)
        .map(
            armed ->
                switch (armed) {
                  case ARMED -> armed(claimed.claim(), arming);
                  case STALE -> stale(claimed.claim(), arming);
                  case LOST -> lost(claimed.claim());
                });
  }

  private Optional<Claim> armed(Claim claim, NextOccurrence arming) {
    Claim moved = claim.of(arming.moved());
    observer.skipped(arming.skipped());
    inFlight.move(claim, moved);
    wake(arming);
    return Optional.of(moved);
  }

  /** Also what a repeat is told whose first answer was lost: the next occurrence may wait. */
  private Optional<Claim> stale(Claim claim, NextOccurrence arming) {
    wake(arming);
    return Optional.of(claim);
  }

  private void wake(NextOccurrence arming) {
    arming
        .next()
        .ifPresent(
            next ->
                wakeUpListener.at(
                    stores.attempts().partition(arming.attempt()), EpochMillis.of(next), false));
  }

  private Optional<Claim> lost(Claim claim) {
    ended(claim);
    return Optional.empty();
  }

  private void tryToCarryOut(PlannedAttempt planned, Claim claim) {
    try {
      carryOut(planned, claim);
    } catch (RuntimeException e) {
      abandon(claim, e);
    }
  }

  /** A bug leads here: it comes again as after a crash, and is given up when that goes on. */
  private void abandon(Claim claim, RuntimeException failure) {
    LOG.atError()
        .addKeyValue("run", claim.attempt().member())
        .setCause(failure)
        .log("claimed run cannot be begun");
    Instant due = clock.instant().plus(UNBEGUN);
    settle(claim, stores.attempts().handBackCrashed(claim, due));
  }

  private void carryOut(PlannedAttempt planned, Claim claim) {
    ClaimDecision.Then then = planned.decision().then();
    if (then instanceof ClaimDecision.Perform perform) {
      JobDefinition definition =
          observer.handsOut(claim.attempt(), perform.definition(), planned.since());
      Messages.ATTEMPT.toOne(
          bus, new Messages.Dispatch(claim, planned.moment(), perform.name(), definition));
    } else if (then instanceof ClaimDecision.End end) {
      end(claim, end.outcome().apply(claim.attempt()));
    } else if (then instanceof ClaimDecision.Withhold) {
      settle(claim, stores.attempts().withhold(claim));
    } else {
      settle(claim, stores.attempts().park(claim));
    }
  }

  /**
   * Only damaged data or a bug leads here: the run ends with a record, and the job's schedule with
   * it.
   */
  private void giveUp(Claim claim, Throwable failure) {
    LOG.atError()
        .addKeyValue("run", claim.attempt().member())
        .setCause(failure)
        .log("next occurrence cannot be armed");
    end(claim, ClaimPlanner.unarmable(claim.attempt(), clock.instant()));
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
    step.onFailure(
            failure ->
                LOG.atError()
                    .addKeyValue("run", claim.attempt().member())
                    .setCause(failure)
                    .log("run cannot be ended"))
        .onComplete(done -> ended(claim));
  }

  /** A run is no longer held: its slot is free. */
  void ended(Claim claim) {
    inFlight
        .end(claim)
        .flatMap(had -> bulkhead.finished(had.destination(), had.since(), servingTime.millis()))
        .ifPresent(this::begin);
    room.run();
  }

  /** How many runs this node holds. */
  int held() {
    return inFlight.size();
  }

  boolean holds(Claim claim) {
    return inFlight.contains(claim);
  }

  /** True while runs are still to be handed out. */
  boolean isBusy() {
    return undecided > 0;
  }
}
