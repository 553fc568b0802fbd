package carillon.timer;

import carillon.config.Settings;
import carillon.flow.CallOutcome;
import carillon.job.attempt.Claim;
import carillon.redis.SharedClock;
import carillon.store.Stores;
import carillon.store.attempt.ClaimStore;
import carillon.store.attempt.ClaimStore.ClaimReply;
import carillon.store.attempt.ClaimStore.ClaimResult;
import carillon.store.attempt.CrowdedDestination;
import carillon.store.attempt.DamagedEntry;
import carillon.store.attempt.Lease;
import carillon.timer.Admission.WaitingClaim;
import io.vertx.core.Future;
import java.time.Duration;
import java.time.Instant;
import java.util.BitSet;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.function.IntPredicate;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Claims due attempts: polls the partitions of this node, and each poll claims entries that are due
 * there. {@link AttemptStarter} does the rest. The number of attempts in flight never exceeds the
 * places of the dispatchers. A due partition waits if no place is free. Each partition has at most
 * one claim at a time. Confined to the timer's event loop.
 */
final class Claimer {
  private static final Logger LOG = LoggerFactory.getLogger(Claimer.class);

  /** Minimum lateness of due entries that a search for unknown claims may claim. */
  private static final long MIN_OVERDUE_MILLIS = 1000;

  /** Divisor of the free places for one claim: other partitions may be due too. */
  private static final int FREE_DIVISOR = 16;

  /** Divisor of all places for the minimum of a claim, if they are free: each claim has a cost. */
  private static final int LEAST_DIVISOR = 32;

  /**
   * Divisor of all places: claims only when at least this part is free. So one finished call does
   * not trigger a claim of one.
   */
  private static final int GATHER_DIVISOR = 16;

  /** Maximum wait of a claim for free places. Few calls are shorter. */
  private static final Duration MAX_CLAIM_DELAY = Duration.ofMillis(2);

  /**
   * Maximum number of concurrent claims in partitions where most entries are deferred. Starts and
   * ends of calls wait in Redis until such claims are done.
   */
  private static final int MAX_PASSES = 2;

  private final Stores stores;
  private final SharedClock clock;
  private final Lease lease;
  private final WakeUpTimer.Listener wakeUpListener;
  private final TimerObserver observer;
  private final Settings settings;
  private final AttemptStarter attempts;
  private final PlaceAdmission places;
  private final FlowControl flows;
  private final ListReleaser releaser;
  private final JobResumer resumer;
  private final InFlight inFlight;
  private final OutageLog outages;

  private final BitSet polling;

  /** Created once, because each finished call may ask for claims. */
  private final IntPredicate isBusy = this::isBusy;

  /** Partitions where the last claim deferred more than it took and left due entries behind. */
  private final BitSet crowdedPartitions;

  private final BitSet again;
  private final BitSet inLine;
  private final BitSet doubtful;
  private int nextInLine;
  private int audited;
  private boolean gathering;
  private boolean stopped;

  Claimer(TimerVerticle.Shared shared, WakeUpTimer.Listener wakeUpListener, ListReleaser releaser) {
    this.stores = shared.stores();
    this.clock = shared.clock();
    this.lease = shared.lease();
    this.wakeUpListener = wakeUpListener;
    this.observer = shared.observer();
    this.settings = shared.config().settings();
    this.attempts =
        new AttemptStarter(shared, wakeUpListener, this::gatherPlaces, this::serveFlows, releaser);
    this.places = attempts.places();
    this.flows = attempts.flows();
    this.releaser = releaser;
    this.resumer = new JobResumer(shared, wakeUpListener);
    this.inFlight = shared.inFlight();
    this.outages = shared.outages();
    this.polling = new BitSet(settings.partitions());
    this.crowdedPartitions = new BitSet(settings.partitions());
    this.again = new BitSet(settings.partitions());
    this.inLine = new BitSet(settings.partitions());
    this.doubtful = new BitSet(settings.partitions());
  }

  /**
   * Claims due entries of a partition: immediately, or when the current poll ends or a place is
   * free.
   */
  void poll(int partition) {
    pollOverdue(partition, 0);
  }

  /**
   * Polls partitions in which this node now ranks first, and learns which calls other nodes have
   * deferred there. A read that fails costs nothing: deferred calls return when they are due.
   */
  void gained(BitSet partitions) {
    partitions.stream().forEach(this::poll);
    partitions.stream().forEach(this::findDeferred);
  }

  private void findDeferred(int partition) {
    inFlight.during(
        stores
            .attempt()
            .claims()
            .deferrals(partition)
            .onSuccess(
                destinations -> {
                  destinations.forEach(one -> places.found(partition, one));
                  gatherPlaces();
                }));
  }

  /** Claims entries of a partition that have been overdue for at least {@code overdueMillis}. */
  void pollOverdue(int partition, long overdueMillis) {
    if (stopped || !lease.isHeld()) {
      return;
    }
    if (polling.get(partition)) {
      again.set(partition);
    } else if (inFlight.freePlaces() <= 0) {
      inLine.set(partition);
    } else {
      claim(partition, overdueMillis);
    }
  }

  private void claim(int partition, long overdueMillis) {
    int limit = limit();
    Instant now = clock.instant();
    long leaseStamp = lease.stamp();
    polling.set(partition);
    inFlight.reserve(limit);
    long dueBy = now.toEpochMilli() - overdueMillis;
    List<CrowdedDestination> reserved = places.reserve(limit);
    inFlight.during(
        reclaimUnknownIn(partition, now)
            .compose(
                settled -> stores.attempt().claims().claim(partition, dueBy, now, limit, reserved))
            .onComplete(
                (claims, failure) -> {
                  if (failure != null) {
                    places.giveBack(reserved);
                    failed(partition, failure);
                  } else {
                    places.met(partition, reserved, claims.crowded());
                    take(partition, claims, leaseStamp, dueBy);
                  }
                  inFlight.reserve(-limit); // last, as deferred attempts trigger more claims
                  gatherPlaces();
                }));
  }

  /** Returns a share of the free places, so that one slow claim does not block all partitions. */
  private int limit() {
    int free = inFlight.freePlaces();
    int part = Math.max(Math.min(free, leastPlaces()), free / FREE_DIVISOR);
    return Math.min(settings.timer().batch(), part);
  }

  private int leastPlaces() {
    return Math.max(1, settings.dispatch().maxInFlight() / LEAST_DIVISOR);
  }

  /**
   * Releases attempts that Redis holds for this node without its knowledge, after the answer to a
   * claim was lost.
   */
  private Future<Void> reclaimUnknownIn(int partition, Instant now) {
    return doubtful.get(partition)
        ? stores
            .attempt()
            .attempts()
            .releaseUnknown(partition, inFlight::knows, now)
            .onSuccess(done -> doubtful.clear(partition))
        : Future.succeededFuture();
  }

  /**
   * Polls partitions where Redis may hold attempts that this node does not know. Partitions with a
   * lost answer are polled immediately, because nothing else may be due there. One further
   * partition per call is also polled, because a claim may reach Redis long after its connection
   * was given up.
   */
  void reclaimUnknown() {
    if (stopped) {
      return;
    }
    doubtful.set(audited);
    audited = (audited + 1) % settings.partitions();
    for (int partition : doubtful.stream().toArray()) {
      pollOverdue(partition, MIN_OVERDUE_MILLIS);
    }
  }

  /** Whether Redis may hold attempts for this node that it does not know. */
  boolean isInDoubt() {
    return !doubtful.isEmpty();
  }

  private void failed(int partition, Throwable failure) {
    LOG.atLevel(outages.claimFailed(partition, failure))
        .addKeyValue("partition", partition)
        .addKeyValue("error", failure.getMessage())
        .log("claim failed, will poll again");
    doubtful.set(partition);
    polling.clear(partition);
  }

  private void take(int partition, ClaimResult claims, long leaseStamp, long dueBy) {
    outages.claimed(partition);
    start(partition, claims, leaseStamp, Optional.empty());
    claims.resumed().forEach(resumer::resume);
    releaser.releaseParked(partition, claims.releases());
    polling.clear(partition);
    boolean more = claims.next().isPresent() && claims.next().getAsLong() <= dueBy;
    int deferred = claims.crowded().stream().mapToInt(CrowdedDestination.Met::deferred).sum();
    crowdedPartitions.set(partition, more && deferred > claims.attempts().size());
    if (again.get(partition) || more) {
      again.clear(partition);
      inLine.set(partition); // polled by gatherPlaces, as soon as a place is free
    } else {
      claims.next().ifPresent(next -> wakeUpListener.at(partition, next, true));
    }
  }

  /** Carries out what flows have decided, then claims from their lists while they have tokens. */
  private void serveFlows() {
    attempts.settleFlows();
    boolean hasClaimed = true;
    while (hasClaimed) {
      hasClaimed = claimNext(flows, Math.min(inFlight.freePlaces(), ClaimStore.SLICE));
    }
  }

  /** Moves an unusable entry into quarantine, so that it is not claimed again. */
  Future<Void> quarantine(int partition, DamagedEntry damaged) {
    LOG.atError()
        .addKeyValue("partition", partition)
        .addKeyValue("claim", damaged.claim())
        .addKeyValue("error", damaged.reason())
        .log("damaged entry found, it goes into quarantine");
    return inFlight
        .during(
            stores
                .attempt()
                .attempts()
                .quarantine(partition, damaged)
                .onFailure(
                    failure ->
                        LOG.atError()
                            .addKeyValue("claim", damaged.claim())
                            .setCause(failure)
                            .log("damaged entry cannot be put into quarantine")))
        .otherwiseEmpty();
  }

  /**
   * Polls waiting partitions when enough places are free to be worth a claim, or a moment later.
   * Otherwise each finished call would cost a claim of one attempt.
   */
  private void gatherPlaces() {
    if (inFlight.freePlaces() >= settings.dispatch().maxInFlight() / GATHER_DIVISOR) {
      pollWaiting(leastPlaces());
    } else if (!gathering && (!inLine.isEmpty() || places.isWaiting())) {
      gathering = true;
      stores
          .pause(MAX_CLAIM_DELAY)
          .onComplete(
              passed -> {
                gathering = false;
                pollWaiting(1);
              });
    }
  }

  /**
   * Polls waiting partitions while at least {@code least} places are free: due entries first, then
   * deferred calls that find room.
   */
  private void pollWaiting(int least) {
    while (inFlight.freePlaces() >= least && !stopped && lease.isHeld()) {
      OptionalInt partition = nextInLine();
      if (partition.isPresent()) {
        nextInLine = partition.getAsInt() + 1;
        inLine.clear(partition.getAsInt());
        poll(partition.getAsInt());
      } else if (!claimNext(places, limit())) {
        return;
      }
    }
  }

  /** Makes the next claim of an admission. Returns false if there is none. */
  private boolean claimNext(Admission admission, int limit) {
    Optional<WaitingClaim<?>> next = admission.nextClaim(limit, isBusy);
    next.ifPresent(claim -> claim(claim));
    return next.isPresent();
  }

  private <R extends ClaimReply> void claim(WaitingClaim<R> claim) {
    int limit = claim.limit();
    long leaseStamp = lease.stamp();
    if (!claim.isOfList()) {
      polling.set(claim.partition());
    }
    inFlight.reserve(limit);
    inFlight.during(
        claim
            .send(stores.attempt().claims(), clock.instant())
            .onComplete(
                (reply, failure) -> {
                  if (failure != null) {
                    failed(claim, failure);
                  } else {
                    take(claim, reply, leaseStamp);
                  }
                  inFlight.reserve(-limit);
                  gatherPlaces();
                }));
  }

  private void failed(WaitingClaim<?> claim, Throwable failure) {
    claim.failed();
    if (claim.isOfList()) {
      doubtful.set(claim.partition());
    } else {
      failed(claim.partition(), failure);
    }
  }

  private <R extends ClaimReply> void take(WaitingClaim<R> claim, R reply, long leaseStamp) {
    int partition = claim.partition();
    claim.answered(reply);
    if (claim.isOfList()) {
      start(partition, reply, leaseStamp, Optional.of(claim));
      return;
    }
    outages.claimed(partition);
    start(partition, reply, leaseStamp, Optional.of(claim));
    polling.clear(partition);
    if (again.get(partition)) {
      again.clear(partition);
      inLine.set(partition);
    }
  }

  private void start(
      int partition, ClaimReply reply, long leaseStamp, Optional<WaitingClaim<?>> from) {
    observer.claimed(reply.attempts().size());
    reply.attempts().forEach(one -> attempts.start(one, leaseStamp, reply.at(), from));
    reply.damaged().forEach(one -> quarantine(partition, one));
  }

  /**
   * Returns the next partition with due entries, round robin. Leaves out crowded partitions while
   * {@link #MAX_PASSES} claims are under way in them.
   */
  private OptionalInt nextInLine() {
    BitSet open = inLine;
    if (!crowdedPartitions.isEmpty() && passes() >= MAX_PASSES) {
      open = (BitSet) inLine.clone();
      open.andNot(crowdedPartitions);
    }
    int next = open.nextSetBit(nextInLine);
    int partition = next < 0 ? open.nextSetBit(0) : next;
    return partition < 0 ? OptionalInt.empty() : OptionalInt.of(partition);
  }

  /** Whether a claim is under way in a partition, or has failed and is repeated a little later. */
  private boolean isBusy(int partition) {
    return polling.get(partition) || doubtful.get(partition);
  }

  /** Number of claims under way in crowded partitions. */
  private int passes() {
    BitSet passes = (BitSet) crowdedPartitions.clone();
    passes.and(polling);
    return passes.cardinality();
  }

  /**
   * Defers attempts that have waited too long for their destination. Called several times a second.
   */
  void expireWaiting() {
    attempts.expireWaiting();
    gatherPlaces();
  }

  /** Releases claimed attempts of the job or collection with this key that are not sent yet. */
  void recall(String key) {
    lease.recall(key);
    attempts.recall(key);
  }

  /**
   * Ends an attempt and frees its place.
   *
   * @param call outcome of the call, if it was made
   */
  void ended(Claim claim, Optional<CallOutcome> call) {
    attempts.ended(claim, call);
  }

  FlowControl flows() {
    return flows;
  }

  /** Stops claiming and releases waiting attempts. */
  void stop() {
    stopped = true;
    attempts.drain();
  }
}
