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
import carillon.store.attempt.ClaimStore;
import carillon.store.attempt.ClaimStore.ClaimResult;
import carillon.store.attempt.Lease;
import carillon.store.attempt.WaitingList;
import carillon.store.attempt.WaitingListStore.Head;
import carillon.timer.Admission.AdmissionStep;
import carillon.timer.Admission.Decided;
import carillon.timer.Admission.Parking;
import carillon.timer.Admission.Passage;
import carillon.timer.Admission.Verdict;
import carillon.timer.Admission.WaitingClaim;
import carillon.timer.ClaimDecision.Perform;
import carillon.timer.FlowWaitingLists.ListClaim;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import java.util.function.IntPredicate;
import java.util.function.Predicate;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Drives the {@link FlowGate} of one lane of a flow at this node: asks it in time, requests tokens,
 * and hands out its decisions. Confined to the timer's event loop.
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
  private final Places places;
  private final Consumer<FlowDriver> onLook;
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
  private LookPhase phase = LookPhase.DONE;

  /** Destinations that were found full in this look. */
  private final Set<Destination> full = new HashSet<>();

  /** Attempts that leave in this look. */
  private final Deque<Perform> leaving = new ArrayDeque<>();

  /** Phase of a look that is under way. */
  private enum LookPhase {
    /** Kept attempts begin. */
    BEGIN,
    /** Attempts that were kept too long leave. */
    LEAVE,
    /** Lists are claimed, and none is yet. */
    CLAIM,
    /** Lists are claimed, or nothing is under way. */
    DONE
  }

  /**
   * Passage of a call.
   *
   * @param generation generation of the breaker when the call began
   */
  private record FlowPassage(FlowDriver driver, long generation) implements Passage {
    @Override
    public void ended(Optional<CallOutcome> call) {
      driver.ended(generation, call);
    }
  }

  /** Claim of a list, with tokens reserved for it. */
  private record FlowClaim(FlowDriver driver, ListClaim claim)
      implements WaitingClaim<ClaimResult> {
    @Override
    public int partition() {
      return claim.partition();
    }

    @Override
    public int limit() {
      return claim.limit();
    }

    @Override
    public boolean isOfList() {
      return true;
    }

    @Override
    public Future<ClaimResult> send(ClaimStore claims, Instant now) {
      return claims.claimList(partition(), WaitingList.ofFlow(driver.lane), now, limit());
    }

    @Override
    public void answered(ClaimResult reply) {
      int taken = reply.attempts().size() + reply.damaged().size();
      driver.gate.claimed(claim, taken, reply.next(), driver.clock.millis());
      driver.lookSoon();
    }

    @Override
    public void failed() {
      driver.gate.claimFailed(claim, driver.clock.millis());
      driver.lookSoon();
    }
  }

  /**
   * Creates a driver of a lane with unknown state.
   *
   * @param onLook called to pull {@link #settle} and {@link #nextClaim} until both are empty
   * @param isStopped whether this node has stopped claiming
   */
  FlowDriver(
      TimerVerticle.Shared shared,
      Places places,
      Flow flow,
      FlowLane lane,
      Consumer<FlowDriver> onLook,
      BooleanSupplier isStopped) {
    this.vertx = shared.vertx();
    this.stores = shared.stores();
    this.clock = shared.clock();
    this.lease = shared.lease();
    this.steadiness = shared.steadiness();
    this.members = shared.members();
    this.inFlight = shared.inFlight();
    this.observer = shared.observer();
    this.places = places;
    this.onLook = onLook;
    this.isStopped = isStopped;
    this.leaseTime = shared.config().settings().node().lease();
    this.patience = shared.config().settings().dispatch().timeout().plus(leaseTime);
    this.node = shared.config().nodeId();
    this.lane = lane;
    this.gate = new FlowGate<>(flow, leaseTime, new GateView(places));
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
   * Decides about an attempt.
   *
   * @param from the claim that took it, if it waited
   */
  Verdict admit(Perform perform, Optional<WaitingClaim<?>> from) {
    long now = clock.millis();
    return verdict(
        perform, isMine(from) ? admitListed(perform, now) : gate.admit(perform, now), now);
  }

  private boolean isMine(Optional<WaitingClaim<?>> from) {
    return from.isPresent() && from.get() instanceof FlowClaim claim && claim.driver == this;
  }

  private AdmissionStep admitListed(Perform perform, long now) {
    return gate.spend(now) ? AdmissionStep.START : gate.keepOrNot(perform, now);
  }

  private Verdict verdict(Perform perform, AdmissionStep step, long now) {
    return switch (step) {
      case START -> startOrKeep(perform, now);
      case KEEP -> {
        lookSoon();
        yield Verdict.KEEP;
      }
      case PARK -> park(perform);
      default -> Verdict.DEFER_UNINDEXED;
    };
  }

  /** Begins the call if its destination has a place. */
  private Verdict startOrKeep(Perform perform, long now) {
    Destination destination = perform.attempt().destination();
    if (places.take(destination)) {
      return start();
    }
    gate.giveBack();
    full(destination, now);
    return verdict(perform, gate.keepForPlace(perform, now), now);
  }

  private Verdict start() {
    observer.flowBegun(lane.flow());
    return Verdict.start(new FlowPassage(this, gate.generation()));
  }

  /** Makes attempts for a full but quick destination wait in line with the rest of the flow. */
  private void full(Destination destination, long now) {
    if (places.isQuick(destination)) {
      gate.full(now, () -> now + places.millisUntilFree(destination));
    }
  }

  /**
   * Returns the next decision of the look that is under way: starts kept attempts, for each
   * destination until it is full, then lets attempts leave. Requests tokens after the last one.
   */
  Optional<Decided> settle() {
    long now = clock.millis();
    if (phase == LookPhase.BEGIN) {
      Optional<Perform> begun = gate.nextKept(now, this::takesPlace);
      if (begun.isPresent()) {
        return Optional.of(new Decided(begun.get(), start()));
      }
      full.forEach(destination -> full(destination, now));
      full.clear();
      leaving.addAll(gate.leave(now));
      phase = LookPhase.LEAVE;
    }
    if (!leaving.isEmpty()) {
      Perform perform = leaving.remove();
      return Optional.of(new Decided(perform, verdict(perform, gate.leaving(perform, now), now)));
    }
    if (phase == LookPhase.LEAVE) {
      phase = LookPhase.CLAIM;
      request();
    }
    return Optional.empty();
  }

  private boolean takesPlace(Perform perform) {
    Destination destination = perform.attempt().destination();
    return !full.contains(destination) && (places.take(destination) || !full.add(destination));
  }

  private Verdict park(Perform perform) {
    long score = score(perform);
    observer.flowLimited(lane.flow());
    return Verdict.park(new Parking(lane, score, partition -> parked(partition, score)));
  }

  private void parked(int partition, long score) {
    if (members.rank(partition) == 0 && !isGone) {
      gate.parked(partition, score);
      lookSoon();
    }
  }

  private static long score(Perform perform) {
    return EpochMillis.of(perform.claim().attempt().dueAt())
        - perform.attempt().definition().occurrences().leadMillis();
  }

  /** Attempts as the gate sees them. */
  private record GateView(Places places) implements FlowLine.AttemptFacts<Perform> {
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
      return places.free(destination);
    }

    @Override
    public boolean isQuick(Destination destination) {
      return places.isQuick(destination);
    }
  }

  private void ended(long generation, Optional<CallOutcome> call) {
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
    phase = LookPhase.BEGIN;
    onLook.accept(this);
    setTimer();
  }

  private void request() {
    if (isStopped.getAsBoolean()) {
      gate.stop(clock.millis());
    }
    gate.request(clock.millis()).ifPresent(this::ask);
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

  /** Returns the next claim of the look that is under way. */
  Optional<WaitingClaim<?>> nextClaim(int limit) {
    if (isGone || isStopped.getAsBoolean() || !lease.isHeld()) {
      return Optional.empty();
    }
    long now = clock.millis();
    if (phase == LookPhase.CLAIM && limit <= 0) {
      gate.fullForLists(now, now + FULL_NODE_DELAY);
    }
    phase = LookPhase.DONE;
    return gate.claim(now, limit).map(claim -> new FlowClaim(this, claim));
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

  /** Removes the kept attempts that match. */
  List<Perform> withdraw(Predicate<Perform> which) {
    return gate.withdraw(which);
  }

  /**
   * Stops this driver and returns its kept attempts: the flow is deleted, or nothing waits and
   * nothing is in flight.
   */
  List<Perform> end() {
    isGone = true;
    phase = LookPhase.DONE;
    vertx.cancelTimer(timer);
    return gate.drain();
  }
}
