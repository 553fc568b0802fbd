package carillon.timer;

import carillon.flow.CallOutcome;
import carillon.flow.Flow;
import carillon.flow.FlowEvent;
import carillon.flow.FlowGrant;
import carillon.flow.FlowLane;
import carillon.flow.FlowRequest;
import carillon.job.action.Destination;
import carillon.redis.EpochMillis;
import carillon.redis.SharedClock;
import carillon.store.Stores;
import carillon.store.attempt.AttemptStore.Parked;
import carillon.store.attempt.ClaimStore;
import carillon.store.attempt.ClaimStore.ClaimResult;
import carillon.store.attempt.ClaimedAttempt;
import carillon.store.attempt.Lease;
import carillon.store.attempt.WaitingList;
import carillon.store.attempt.WaitingListStore.Head;
import carillon.timer.ClaimDecision.Perform;
import carillon.timer.FlowGate.Admission;
import carillon.timer.FlowWaitingLists.ListClaim;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import java.time.Duration;
import java.util.HashSet;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.function.BooleanSupplier;
import java.util.function.IntPredicate;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Drives the {@link FlowGate} of one lane of a flow at this node: carries out its decisions in
 * time. Confined to the timer's event loop.
 */
final class FlowDriver {
  private static final Logger LOG = LoggerFactory.getLogger(FlowDriver.class);

  /** Delay before a node without free places checks again. */
  private static final long FULL_NODE_DELAY = 100;

  /** Maximum time between two checks of a gate, because the clock may be set. */
  private static final long MAX_TIMER = 1000;

  private final Vertx vertx;
  private final Stores stores;
  private final SharedClock clock;
  private final Lease lease;
  private final Steadiness steadiness;
  private final Membership members;
  private final InFlight inFlight;
  private final TimerObserver observer;
  private final Attempts attempts;
  private final Lists lists;
  private final BooleanSupplier isStopped;
  private final Duration leaseTime;
  private final Duration patience;
  private final String node;
  private final FlowLane lane;
  private final FlowGate<Perform> gate;
  private long timer = -1;
  private long timerAt = Long.MAX_VALUE;
  private boolean looksSoon;
  private final Set<Integer> lookedAt = new HashSet<>();
  private boolean isGone;

  /** Operations on attempts that pass a flow. */
  interface Attempts {
    /**
     * Takes an attempt that waited for a flow.
     *
     * @param claimedBy the driver that claimed it because it has tokens
     */
    void start(ClaimedAttempt claimed, long leaseStamp, long at, FlowDriver claimedBy);

    /** Makes the call. Returns false if its destination has no place for it at this node. */
    boolean begin(Perform perform, Passage passage);

    /** Number of calls to a destination that can begin at this node. */
    int places(Destination destination);

    /** Whether places of a destination become free so fast that calls can wait for them. */
    boolean isQuick(Destination destination);

    /** Estimated time until a place is free, ms. */
    long millisUntilPlace(Destination destination);

    /** Defers the attempt until its destination probably has a place. */
    void putOff(Perform perform);

    /** Parks the attempt in a lane, unless its job was changed. Frees its place immediately. */
    Future<Parked> park(Perform perform, FlowLane lane, long score);

    /** Makes the attempt due again. */
    void release(Perform perform);
  }

  /** Claims attempts that wait for flows. */
  interface Lists {
    /** Claims the attempts that have waited longest in one partition. */
    Future<ClaimResult> claim(int partition, WaitingList list, int limit);
  }

  /**
   * Passage of a call through a flow.
   *
   * @param generation generation of the breaker when the call began
   */
  record Passage(FlowDriver driver, long generation) {}

  /**
   * Creates a driver of a lane with unknown state.
   *
   * @param isStopped whether this node has stopped claiming
   */
  FlowDriver(
      TimerVerticle.Shared shared,
      Attempts attempts,
      Lists lists,
      Flow flow,
      FlowLane lane,
      BooleanSupplier isStopped) {
    this.vertx = shared.vertx();
    this.stores = shared.stores();
    this.clock = shared.clock();
    this.lease = shared.lease();
    this.steadiness = shared.steadiness();
    this.members = shared.members();
    this.inFlight = shared.inFlight();
    this.observer = shared.observer();
    this.attempts = attempts;
    this.lists = lists;
    this.isStopped = isStopped;
    this.leaseTime = shared.config().settings().node().lease();
    this.patience = shared.config().settings().dispatch().timeout().plus(leaseTime);
    this.node = shared.config().nodeId();
    this.lane = lane;
    this.gate = new FlowGate<>(flow, leaseTime, new GateView(attempts));
  }

  FlowLane lane() {
    return lane;
  }

  /** Whether calls of this driver pass the flow. */
  boolean isOf(Flow flow) {
    return lane.flow().equals(flow.name().key());
  }

  /** Whether another driver could replace this one without loss. */
  boolean isIdle() {
    return gate.isIdle();
  }

  /** Applies the current flow. Returns true if attempts that wait for it may no longer pass it. */
  boolean update(Flow flow) {
    Flow before = gate.flow();
    if (flow.revision() == before.revision()) {
      return false;
    }
    gate.update(flow);
    lookSoon();
    return !flow.definition().match().equals(before.definition().match())
        || !flow.definition().collections().equals(before.definition().collections());
  }

  /** Forgets the lists of partitions that other nodes poll first. */
  void retain(IntPredicate partitions) {
    gate.retain(partitions);
    lookedAt.removeIf(partition -> !partitions.test(partition));
  }

  /**
   * Takes an attempt.
   *
   * @param claimedBy the driver that claimed it, if it waited for a flow
   */
  void admit(Perform perform, Optional<FlowDriver> claimedBy) {
    long now = clock.millis();
    if (claimedBy.filter(this::equals).isPresent()) {
      go(perform, gate.spend(now) ? Admission.START : gate.keepOrNot(perform, now), now);
    } else {
      go(perform, gate.admit(perform, now), now);
    }
    if (isStopped.getAsBoolean()) {
      drain();
    }
  }

  private void go(Perform perform, Admission admission, long now) {
    switch (admission) {
      case START -> {
        if (!begin(perform)) {
          gate.giveBack();
          full(perform.attempt().destination(), now);
          go(perform, gate.keepForPlace(perform, now), now);
        }
      }
      case KEEP -> lookSoon();
      case PARK -> park(perform);
      case PUT_OFF -> attempts.putOff(perform);
    }
  }

  /** Makes attempts for a full but quick destination wait in line with the rest of the flow. */
  private void full(Destination destination, long now) {
    if (attempts.isQuick(destination)) {
      gate.full(now, () -> now + attempts.millisUntilPlace(destination));
    }
  }

  private boolean begin(Perform perform) {
    boolean hasBegun = attempts.begin(perform, new Passage(this, gate.generation()));
    if (hasBegun) {
      observer.flowBegun(lane.flow());
    }
    return hasBegun;
  }

  /** Starts kept attempts, for each destination until it is full. */
  private void beginKept() {
    long now = clock.millis();
    Set<Destination> full = new HashSet<>();
    gate.beginKept(
        now,
        perform -> {
          Destination destination = perform.attempt().destination();
          return !full.contains(destination) && (begin(perform) || !full.add(destination));
        });
    full.forEach(destination -> full(destination, now));
    gate.leave(now).forEach(perform -> go(perform, gate.leaving(perform, now), now));
  }

  private void park(Perform perform) {
    int partition = stores.attempt().attempts().partition(perform.claim().attempt());
    long score = score(perform);
    observer.flowLimited(lane.flow());
    attempts
        .park(perform, lane, score)
        .onSuccess(
            parked -> {
              if (parked != Parked.DUE && members.rank(partition) == 0 && !isGone) {
                gate.parked(partition, score);
                lookSoon();
              }
            });
  }

  private static long score(Perform perform) {
    return EpochMillis.of(perform.claim().attempt().dueAt())
        - perform.attempt().definition().occurrences().leadMillis();
  }

  /** Attempts as the gate sees them. */
  private record GateView(Attempts attempts) implements FlowLine.AttemptFacts<Perform> {
    @Override
    public long score(Perform perform) {
      return FlowDriver.score(perform);
    }

    @Override
    public Destination destination(Perform perform) {
      return perform.attempt().destination();
    }

    @Override
    public int places(Destination destination) {
      return attempts.places(destination);
    }

    @Override
    public boolean isQuick(Destination destination) {
      return attempts.isQuick(destination);
    }
  }

  /** Handles the end of a call that passed the flow. */
  void ended(long generation, Optional<CallOutcome> call) {
    OptionalLong retryAt =
        call.flatMap(CallOutcome::retryAt)
            .map(at -> OptionalLong.of(EpochMillis.of(at)))
            .orElse(OptionalLong.empty());
    gate.ended(generation, call.map(outcome -> !outcome.failed()), retryAt, clock.millis());
    lookSoon();
  }

  /** Whether this is the first check of the list since this node polls the partition first. */
  boolean isFirstLook(int partition) {
    return lookedAt.add(partition);
  }

  /** Updates the list of a partition. */
  void setWaiting(int partition, Head waiting) {
    gate.setWaiting(partition, waiting.score(), (int) Math.min(waiting.count(), Integer.MAX_VALUE));
    lookSoon();
  }

  /**
   * Checks the gate at the end of this turn of the event loop, to request tokens for all its
   * attempts.
   */
  private void lookSoon() {
    if (!looksSoon && !isGone) {
      looksSoon = true;
      vertx.runOnContext(
          go -> {
            looksSoon = false;
            look();
          });
    }
  }

  private void look() {
    if (isGone) {
      return;
    }
    beginKept();
    if (isStopped.getAsBoolean()) {
      gate.stop(clock.millis());
    }
    gate.request(clock.millis()).ifPresent(this::ask);
    if (!isStopped.getAsBoolean() && lease.isHeld()) {
      claim();
    }
    setTimer();
  }

  private void ask(FlowRequest request) {
    inFlight.during(
        stores
            .resource()
            .flowLimiter()
            .take(gate.flow(), lane, request, leaseTime, patience, steadiness::mayJudge)
            .onSuccess(this::answered)
            .onFailure(
                failure -> {
                  gate.failed(clock.millis());
                  lookSoon();
                }));
  }

  private void answered(FlowGrant grant) {
    gate.answered(grant, clock.millis());
    grant.reason().ifPresent(reason -> changed(grant, reason));
    look();
  }

  /** Reports that a request of this node has changed the breaker. */
  private void changed(FlowGrant grant, FlowGrant.Reason reason) {
    observer.breakerChanged(lane.flow(), grant.breaker());
    LOG.atWarn()
        .addKeyValue("flow", lane.flow())
        .addKeyValue("destination", lane.authority())
        .addKeyValue("breaker", grant.breaker().word())
        .addKeyValue("reason", reason.word())
        .log("breaker of a flow has changed");
    inFlight.during(
        stores.resource().flows().log(lane.flow(), FlowEvent.ofBreaker(grant, reason, node, lane)));
  }

  private void claim() {
    int places = Math.min(inFlight.freePlaces(), ClaimStore.SLICE);
    if (places <= 0) {
      long now = clock.millis();
      gate.fullForLists(now, now + FULL_NODE_DELAY);
    }
    for (Optional<ListClaim> next = gate.claim(clock.millis(), places);
        next.isPresent();
        next = gate.claim(clock.millis(), Math.min(inFlight.freePlaces(), ClaimStore.SLICE))) {
      claim(next.get());
    }
  }

  private void claim(ListClaim claim) {
    long leaseStamp = lease.stamp();
    lists
        .claim(claim.partition(), WaitingList.ofFlow(lane), claim.limit())
        .onSuccess(claims -> claimed(claim, claims, leaseStamp))
        .onFailure(failure -> gate.claimFailed(claim, clock.millis()))
        .onComplete(done -> lookSoon());
  }

  private void claimed(ListClaim claim, ClaimResult claims, long leaseStamp) {
    int taken = claims.attempts().size() + claims.damaged().size();
    gate.claimed(claim, taken, claims.next(), clock.millis());
    claims.attempts().forEach(claimed -> attempts.start(claimed, leaseStamp, claims.at(), this));
  }

  private void setTimer() {
    long at = Math.min(gate.wakeAt(), gate.isIdle() ? Long.MAX_VALUE : clock.millis() + MAX_TIMER);
    if (at >= timerAt && timer >= 0) {
      return;
    }
    vertx.cancelTimer(timer);
    timer = -1;
    timerAt = Long.MAX_VALUE;
    if (at != Long.MAX_VALUE) {
      timerAt = at;
      timer =
          vertx.setTimer(
              Math.max(1, at - clock.millis()),
              id -> {
                timer = -1;
                timerAt = Long.MAX_VALUE;
                look();
              });
    }
  }

  /** Requests tokens for all waiting attempts, ignoring delays. */
  void hurry() {
    gate.hurry(clock.millis());
    look();
  }

  /** Reports ended calls to Redis now. */
  void report() {
    gate.report(clock.millis());
    look();
  }

  /** Returns when more waiting attempts may begin, see {@link FlowGate#nextDue}. */
  long nextDue() {
    return gate.nextDue();
  }

  /** Makes kept attempts due again. */
  void drain() {
    gate.drain().forEach(attempts::release);
  }

  /** Makes kept attempts of the job or collection with this key due again. */
  void recall(String of) {
    gate.withdraw(perform -> perform.claim().attempt().isOf(of)).forEach(attempts::release);
  }

  /** Stops this driver: the flow is deleted, or nothing waits and nothing is in flight. */
  void end() {
    isGone = true;
    vertx.cancelTimer(timer);
    drain();
  }
}
