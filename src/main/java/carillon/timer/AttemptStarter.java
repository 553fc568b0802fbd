package carillon.timer;

import carillon.config.DispatchSettings;
import carillon.flow.CallOutcome;
import carillon.flow.FlowLane;
import carillon.job.action.Destination;
import carillon.job.attempt.Claim;
import carillon.redis.EpochMillis;
import carillon.redis.SharedClock;
import carillon.store.Stores;
import carillon.store.attempt.AttemptStore.Parked;
import carillon.store.attempt.ClaimedAttempt;
import carillon.timer.ClaimDecision.Perform;
import io.vertx.core.Future;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

/**
 * Starts claimed attempts: decides what to do with each, and performs it when its destination and
 * its flow have a place. An attempt without a place at its destination returns to Redis as it was
 * claimed. Its next occurrence is not scheduled yet, so a job with a slow target misses occurrences
 * instead of accumulating them. Confined to the timer's event loop.
 */
final class AttemptStarter implements FlowDriver.Attempts {
  /**
   * Maximum time, in ms, that an early attempt waits here instead of returning to Redis. The shared
   * clock stands still when the Redis clock was set back a little.
   */
  private static final long MAX_EARLY_MILLIS = 1000;

  private static final long MAX_PATIENCE_MILLIS = 5000;

  private final Stores stores;
  private final ClaimPlanner planner;
  private final DecisionExecutor executor;
  private final SharedClock clock;
  private final WakeUpTimer.Listener wakeUpListener;
  private final TimerObserver observer;
  private final DestinationBulkhead<Perform> bulkhead;
  private final ServingTime servingTime;
  private final CrowdedDestinations crowdedDestinations;
  private final InFlight inFlight;
  private final FlowControl flows;
  private final Runnable onPlaceFree;
  private boolean drained;

  /**
   * Creates a starter without attempts.
   *
   * @param onPlaceFree called when an attempt is no longer in flight
   * @param lists claims attempts that wait for flows
   */
  AttemptStarter(
      TimerVerticle.Shared shared,
      WakeUpTimer.Listener wakeUpListener,
      Runnable onPlaceFree,
      FlowDriver.Lists lists,
      ListReleaser releaser) {
    DispatchSettings dispatch = shared.config().settings().dispatch();
    this.stores = shared.stores();
    this.planner = new ClaimPlanner(dispatch.maxCrashes(), stores.resource().calendars()::known);
    this.executor = new DecisionExecutor(shared, wakeUpListener, this::ended);
    this.clock = shared.clock();
    this.wakeUpListener = wakeUpListener;
    this.observer = shared.observer();
    this.bulkhead = bulkhead(dispatch);
    this.servingTime = new ServingTime(shared.lease()::nanoTime);
    this.inFlight = shared.inFlight();
    this.onPlaceFree = onPlaceFree;
    this.flows = new FlowControl(shared, this, lists, releaser);
    this.crowdedDestinations =
        new CrowdedDestinations(bulkhead, flows, servingTime, clock, observer);
  }

  private static DestinationBulkhead<Perform> bulkhead(DispatchSettings dispatch) {
    return new DestinationBulkhead<>(
        dispatch.maxInFlight(), dispatch.maxPerDestination(), patienceMillis(dispatch.timeout()));
  }

  /** Returns the maximum duration of a call of a quick destination: far below the timeout. */
  private static long patienceMillis(Duration timeout) {
    return Math.min(MAX_PATIENCE_MILLIS, timeout.toMillis() / 4);
  }

  /**
   * Takes an attempt that was just claimed. An attempt that was claimed too early, because the
   * Redis clock was set back, waits for its time.
   *
   * @param leaseStamp stamp of the lease when the claim was sent
   * @param at time of the claim by the Redis clock, epoch ms
   */
  void start(ClaimedAttempt claimed, long leaseStamp, long at) {
    if (!inFlight.add(claimed.claim())) {
      return;
    }
    long early = claimed.due() - at;
    if (early <= 0) {
      tryToDecide(claimed, leaseStamp, Optional.empty());
    } else if (early <= MAX_EARLY_MILLIS) {
      inFlight.during(
          stores
              .pause(Duration.ofMillis(early))
              .onSuccess(passed -> tryToDecide(claimed, leaseStamp, Optional.empty())));
    } else {
      release(claimed.claim(), claimed.due());
    }
  }

  @Override
  public void start(ClaimedAttempt claimed, long leaseStamp, long at, FlowDriver claimedBy) {
    if (!inFlight.add(claimed.claim())) {
      return;
    }
    long due = EpochMillis.of(claimed.attempt().dueAt());
    if (due > at) {
      release(claimed.claim(), due);
    } else {
      tryToDecide(claimed, leaseStamp, Optional.of(claimedBy));
    }
  }

  private void tryToDecide(
      ClaimedAttempt claimed, long leaseStamp, Optional<FlowDriver> claimedBy) {
    try {
      decide(claimed, leaseStamp, claimedBy);
    } catch (RuntimeException e) {
      executor.abandon(claimed.claim(), e);
    }
  }

  private void decide(ClaimedAttempt claimed, long leaseStamp, Optional<FlowDriver> claimedBy) {
    ClaimDecision decision = planner.plan(claimed, leaseStamp, clock.instant());
    if (!(decision instanceof Perform perform)) {
      executor.execute(decision);
    } else if (!flows.admit(perform, claimedBy)) {
      admit(perform);
    }
  }

  private void admit(Perform perform) {
    switch (bulkhead.admit(perform.attempt().destination(), perform, servingTime.millis())) {
      case START -> begin(perform);
      case WAIT -> releaseWhenDrained();
      case PUT_OFF -> defer(perform);
    }
  }

  private void begin(Perform perform) {
    begin(perform, Optional.empty());
  }

  private void begin(Perform perform, Optional<FlowDriver.Passage> flow) {
    inFlight.begin(perform.claim(), perform.attempt().destination(), servingTime.millis(), flow);
    executor.execute(ClaimPlanner.unlessExpired(perform, clock.instant()));
  }

  @Override
  public boolean begin(Perform perform, FlowDriver.Passage passage) {
    if (!bulkhead.tryStart(perform.attempt().destination(), servingTime.millis())) {
      return false;
    }
    begin(perform, Optional.of(passage));
    return true;
  }

  @Override
  public int places(Destination destination) {
    return bulkhead.places(destination);
  }

  @Override
  public boolean isQuick(Destination destination) {
    return bulkhead.isQuick(destination, servingTime.millis());
  }

  @Override
  public long millisUntilPlace(Destination destination) {
    long now = servingTime.millis();
    return bulkhead.retryAt(destination, now) - now;
  }

  @Override
  public Future<Parked> park(Perform perform, FlowLane lane, long score) {
    Claim claim = perform.claim();
    Future<Parked> parked =
        inFlight.during(
            stores
                .attempt()
                .attempts()
                .parkForFlow(claim, lane, score, perform.storedRevision())
                .onSuccess(
                    outcome -> {
                      if (outcome == Parked.DUE) {
                        wakeUpListener.at(partition(claim), clock.millis(), false);
                      }
                    })
                .onFailure(
                    failure ->
                        DecisionExecutor.logError(claim, failure, "attempt cannot be parked")));
    inFlight.end(claim);
    onPlaceFree.run();
    return parked;
  }

  @Override
  public void release(Perform perform) {
    release(perform.claim(), clock.millis());
  }

  /** Crowded destinations to pass to claims. */
  CrowdedDestinations crowdedDestinations() {
    return crowdedDestinations;
  }

  FlowControl flows() {
    return flows;
  }

  @Override
  public void putOff(Perform perform) {
    crowdedDestinations.note(perform);
    long delay = millisUntilPlace(perform.attempt().destination());
    defer(perform, clock.millis() + delay, Optional.empty());
  }

  private void defer(Perform perform) {
    crowdedDestinations.note(perform);
    Destination destination = perform.attempt().destination();
    long now = servingTime.millis();
    long delay = bulkhead.returnAt(destination, now) - now;
    defer(perform, clock.millis() + delay, Optional.of(destination));
  }

  private void defer(Perform perform, long due, Optional<Destination> index) {
    Claim claim = perform.claim();
    released(
        claim,
        due,
        stores
            .attempt()
            .attempts()
            .defer(claim, Instant.ofEpochMilli(due), index)
            .onSuccess(
                done -> index.ifPresent(one -> crowdedDestinations.found(partition(claim), one))));
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
    observer.inFlight(inFlight.size(), bulkhead.waiting());
    servingTime.tick(stores.isUp());
    bulkhead.overdue(servingTime.millis()).forEach(this::defer);
  }

  /** Releases all attempts that wait for their destination, now and from now on. */
  void drain() {
    drained = true;
    flows.stop();
    release(bulkhead.withdraw(perform -> true));
  }

  /** Releases the waiting attempts of the job or collection with this key. */
  void recall(String key) {
    flows.recall(key);
    release(bulkhead.withdraw(perform -> perform.claim().attempt().isOf(key)));
  }

  private void release(List<Perform> withdrawn) {
    withdrawn.forEach(perform -> release(perform.claim(), clock.millis()));
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
    had.flatMap(
            place -> bulkhead.finished(place.destination(), place.since(), servingTime.millis()))
        .ifPresent(this::begin);
    had.flatMap(InFlight.Started::flow).ifPresent(passage -> flows.ended(passage, call));
    onPlaceFree.run();
    inFlight.tell();
  }
}
