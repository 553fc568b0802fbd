package carillon.timer;

import carillon.config.DispatchSettings;
import carillon.flow.CallOutcome;
import carillon.job.action.Destination;
import carillon.job.attempt.Claim;
import carillon.redis.EpochMillis;
import carillon.redis.SharedClock;
import carillon.store.Stores;
import carillon.store.attempt.AttemptStore.Parked;
import carillon.store.attempt.ClaimedAttempt;
import carillon.timer.Admission.AdmissionStep;
import carillon.timer.Admission.Decided;
import carillon.timer.Admission.Parking;
import carillon.timer.Admission.Passage;
import carillon.timer.Admission.Verdict;
import carillon.timer.Admission.WaitingClaim;
import carillon.timer.ClaimDecision.Perform;
import io.vertx.core.Future;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.function.Predicate;

/**
 * Starts claimed attempts: decides what to do with each, then asks flows and places in this order.
 * No other class begins, parks, defers or releases attempts. An attempt without a place at its
 * destination returns to Redis as it was claimed. Its next occurrence is not scheduled yet, so a
 * job with a slow target misses occurrences instead of accumulating them. Confined to the timer's
 * event loop.
 */
final class AttemptStarter {
  /**
   * Maximum time, in ms, that an early attempt waits here instead of returning to Redis. The shared
   * clock stands still when the Redis clock was set back a little.
   */
  private static final long MAX_EARLY_MILLIS = 1000;

  private final Stores stores;
  private final ClaimPlanner planner;
  private final DecisionExecutor executor;
  private final SharedClock clock;
  private final WakeUpTimer.Listener wakeUpListener;
  private final TimerObserver observer;
  private final PlaceAdmission places;
  private final InFlight inFlight;
  private final FlowControl flows;
  private final Runnable onPlaceFree;
  private boolean drained;

  /**
   * Creates a starter without attempts.
   *
   * @param onPlaceFree called when an attempt is no longer in flight
   * @param onFlow called when flows have decisions and claims: calls {@link #settleFlows}
   */
  AttemptStarter(
      TimerVerticle.Shared shared,
      WakeUpTimer.Listener wakeUpListener,
      Runnable onPlaceFree,
      Runnable onFlow,
      ListReleaser releaser) {
    DispatchSettings dispatch = shared.config().settings().dispatch();
    this.stores = shared.stores();
    this.planner = new ClaimPlanner(dispatch.maxCrashes(), stores.resource().calendars()::known);
    this.executor = new DecisionExecutor(shared, wakeUpListener, this::ended);
    this.clock = shared.clock();
    this.wakeUpListener = wakeUpListener;
    this.observer = shared.observer();
    this.inFlight = shared.inFlight();
    this.onPlaceFree = onPlaceFree;
    Places shares = new Places(dispatch, shared.lease()::nanoTime);
    this.flows = new FlowControl(shared, shares, releaser, onFlow);
    this.places = new PlaceAdmission(shared, shares, flows::isMatched);
  }

  /**
   * Takes an attempt that was just claimed. An attempt that was claimed too early, because the
   * Redis clock was set back, waits for its time.
   *
   * @param leaseStamp stamp of the lease when the claim was sent
   * @param at time of the claim by the Redis clock, epoch ms
   * @param from the claim that took it from a list or an index, if any
   */
  void start(ClaimedAttempt claimed, long leaseStamp, long at, Optional<WaitingClaim<?>> from) {
    if (!inFlight.add(claimed.claim())) {
      return;
    }
    boolean isListed = from.isPresent() && from.get().isOfList();
    long due = isListed ? EpochMillis.of(claimed.attempt().dueAt()) : claimed.due();
    if (due <= at) {
      tryToDecide(claimed, leaseStamp, from);
    } else if (due - at <= MAX_EARLY_MILLIS && !isListed) {
      inFlight.during(
          stores
              .pause(Duration.ofMillis(due - at))
              .onSuccess(passed -> tryToDecide(claimed, leaseStamp, from)));
    } else {
      release(claimed.claim(), due);
    }
  }

  private void tryToDecide(
      ClaimedAttempt claimed, long leaseStamp, Optional<WaitingClaim<?>> from) {
    try {
      decide(claimed, leaseStamp, from);
    } catch (RuntimeException e) {
      executor.abandon(claimed.claim(), e);
    }
  }

  private void decide(ClaimedAttempt claimed, long leaseStamp, Optional<WaitingClaim<?>> from) {
    ClaimDecision decision = planner.plan(claimed, leaseStamp, clock.instant());
    if (decision instanceof Perform perform) {
      Verdict verdict = flows.admit(perform, from);
      carryOut(
          perform, verdict.step() == AdmissionStep.PASS ? places.admit(perform, from) : verdict);
    } else {
      executor.execute(decision);
    }
  }

  private void carryOut(Perform perform, Verdict verdict) {
    switch (verdict.step()) {
      case START -> begin(perform, verdict.passage());
      case KEEP -> releaseWhenDrained();
      case PARK -> park(perform, verdict.parking().orElseThrow());
      case DEFER -> defer(perform, Optional.of(perform.attempt().destination()));
      case DEFER_UNINDEXED -> defer(perform, Optional.empty());
      case RELEASE -> release(perform.claim(), clock.millis());
      case PASS -> throw new IllegalStateException("no admission has decided");
    }
  }

  /** Carries out what an admission has decided about kept attempts, one by one. */
  private void settle(Admission admission) {
    for (Optional<Decided> next = admission.settle(); next.isPresent(); next = admission.settle()) {
      carryOut(next.get().perform(), next.get().verdict());
    }
  }

  /** Carries out what flows have decided about kept attempts. */
  void settleFlows() {
    settle(flows);
  }

  private void begin(Perform perform, Optional<Passage> flow) {
    inFlight.begin(perform.claim(), perform.attempt().destination(), places.servingMillis(), flow);
    executor.execute(ClaimPlanner.unlessExpired(perform, clock.instant()));
  }

  /** Parks an attempt in a lane, unless its job was changed. Frees its place immediately. */
  private void park(Perform perform, Parking parking) {
    Claim claim = perform.claim();
    inFlight.during(
        stores
            .attempt()
            .attempts()
            .parkForFlow(claim, parking.lane(), parking.score(), perform.storedRevision())
            .onSuccess(outcome -> parked(partition(claim), outcome, parking))
            .onFailure(
                failure -> DecisionExecutor.logError(claim, failure, "attempt cannot be parked")));
    inFlight.end(claim);
    onPlaceFree.run();
  }

  private void parked(int partition, Parked outcome, Parking parking) {
    if (outcome == Parked.DUE) {
      wakeUpListener.at(partition, clock.millis(), false);
    } else {
      parking.parked().accept(partition);
    }
  }

  /** Places at destinations, to be asked for claims. */
  PlaceAdmission places() {
    return places;
  }

  /** Flows, to be asked for claims. */
  FlowControl flows() {
    return flows;
  }

  private void defer(Perform perform, Optional<Destination> index) {
    Claim claim = perform.claim();
    long due = places.deferUntil(perform, index.isPresent());
    released(
        claim,
        due,
        stores
            .attempt()
            .attempts()
            .defer(claim, Instant.ofEpochMilli(due), index)
            .onSuccess(done -> index.ifPresent(one -> places.found(partition(claim), one))));
  }

  private int partition(Claim claim) {
    return stores.attempt().attempts().partition(claim.attempt());
  }

  private void release(Claim claim, long due) {
    released(claim, due, stores.attempt().attempts().release(claim, Instant.ofEpochMilli(due)));
  }

  /** Ends a claim and frees its place immediately, even while Redis is away. */
  private void released(Claim claim, long due, Future<Void> released) {
    inFlight.during(
        released
            .onSuccess(done -> wakeUpListener.at(partition(claim), due, false))
            .onFailure(
                failure ->
                    DecisionExecutor.logError(claim, failure, "attempt cannot be released")));
    inFlight.end(claim);
    onPlaceFree.run();
  }

  /**
   * Defers attempts that have waited too long for their destination. Called several times a second.
   */
  void expireWaiting() {
    observer.inFlight(inFlight.size(), places.kept());
    places.expire();
    settle(places);
  }

  /** Releases all attempts that wait for a place or a token, now and from now on. */
  void drain() {
    drained = true;
    flows.stop();
    withdraw(perform -> true);
  }

  /** Releases the waiting attempts of the job or collection with this key. */
  void recall(String key) {
    withdraw(perform -> perform.claim().attempt().isOf(key));
  }

  private void withdraw(Predicate<Perform> which) {
    for (Admission admission : List.of(flows, places)) {
      admission.withdraw(which).forEach(perform -> release(perform.claim(), clock.millis()));
    }
  }

  /** Releases attempts of a claim that was answered only after the node began to stop. */
  private void releaseWhenDrained() {
    if (drained) {
      drain();
    }
  }

  /** Ends an attempt and frees its place. */
  void ended(Claim claim) {
    ended(claim, Optional.empty());
  }

  /**
   * Ends an attempt, frees its place and passes the outcome of the call to its flow.
   *
   * @param call outcome of the call, if it was made
   */
  void ended(Claim claim, Optional<CallOutcome> call) {
    Optional<InFlight.Started> had = inFlight.end(claim);
    had.ifPresent(place -> places.ended(place.destination(), place.since()));
    settle(places);
    had.flatMap(InFlight.Started::flow).ifPresent(passage -> passage.ended(call));
    onPlaceFree.run();
    inFlight.notifyWaiters();
  }
}
