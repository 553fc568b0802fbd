package carillon.timer;

import carillon.config.Settings;
import carillon.flow.CallOutcome;
import carillon.job.Claim;
import carillon.redis.SharedClock;
import carillon.store.Stores;
import carillon.store.attempt.ClaimStore.ClaimResult;
import carillon.store.attempt.DamagedEntry;
import carillon.store.attempt.Lease;
import io.vertx.core.Future;
import java.time.Duration;
import java.time.Instant;
import java.util.BitSet;
import java.util.Optional;
import java.util.OptionalInt;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Claimer of what is due: polls the partitions of this node, each poll a claim of what is due
 * there; {@link AttemptStarter} does the rest. Never more attempts are in flight than the
 * dispatchers have places for; a partition that is due while no place is free waits for one. One
 * claim at a time in a partition. Confined to the timer's event loop.
 */
final class Claimer {
  private static final Logger LOG = LoggerFactory.getLogger(Claimer.class);

  /** How overdue entries must be that a look for unknown claims takes along. */
  private static final long MIN_OVERDUE_MILLIS = 1000;

  /** A claim takes the free places divided by this: others may be due elsewhere. */
  private static final int FREE_DIVISOR = 16;

  /**
   * A claim takes no fewer than all places divided by this, if they are free: each has its price.
   */
  private static final int LEAST_DIVISOR = 32;

  /** Places come back one at a time: a claim waits for all places divided by this to be free. */
  private static final int GATHER_DIVISOR = 16;

  /** How long a claim waits for them at most; few calls are shorter. */
  private static final Duration MAX_CLAIM_DELAY = Duration.ofMillis(2);

  /**
   * So many claims at a time pass crowds, of which each puts off most of what it meets: what ends
   * and begins meanwhile waits for them in Redis.
   */
  private static final int MAX_PASSES = 2;

  private final Stores stores;
  private final SharedClock clock;
  private final Lease lease;
  private final WakeUpTimer.Listener wakeUpListener;
  private final TimerObserver observer;
  private final Settings settings;
  private final AttemptStarter attempts;
  private final CrowdedDestinations crowded;
  private final JobResumer resumer;
  private final InFlight inFlight;
  private final OutageLog outages;

  private final BitSet polling;

  /** Where the claim before put off more than it took, and has not come to the end. */
  private final BitSet crowdedPartitions;

  private final BitSet again;
  private final BitSet inLine;
  private final BitSet doubtful;
  private int nextInLine;
  private int audited;
  private boolean gathering;
  private boolean stopped;

  Claimer(TimerVerticle.Shared shared, WakeUpTimer.Listener wakeUpListener) {
    this.stores = shared.stores();
    this.clock = shared.clock();
    this.lease = shared.lease();
    this.wakeUpListener = wakeUpListener;
    this.observer = shared.observer();
    this.settings = shared.config().settings();
    this.attempts =
        new AttemptStarter(shared, wakeUpListener, this::gatherPlaces, this::claimWaiting);
    this.crowded = attempts.crowdedDestinations();
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
   * Claims what is due in a partition now; at once, or as soon as the poll under way is over or a
   * place is free.
   */
  void poll(int partition) {
    pollOverdue(partition, 0);
  }

  /**
   * This node polls these partitions first from now on: what others have put off there is called as
   * places become free, too. Where Redis does not tell, that comes back by itself.
   */
  void gained(BitSet partitions) {
    partitions.stream().forEach(this::poll);
    partitions.stream().forEach(this::findPutOff);
  }

  private void findPutOff(int partition) {
    inFlight.during(
        stores
            .attempt()
            .claims()
            .findPutOff(partition, clock.instant())
            .onSuccess(
                putOff -> {
                  crowded.found(partition, putOff);
                  gatherPlaces();
                }));
  }

  /** Claims what has been overdue in a partition for at least {@code overdueMillis}. */
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
    CrowdedDestinations.Told told = crowded.tell(partition, limit, dueBy);
    inFlight.during(
        reclaimUnknownIn(partition, now)
            .compose(settled -> claim(dueBy, now, limit, told))
            .onComplete(
                (claims, failure) -> {
                  if (failure != null) {
                    crowded.giveBack(told);
                    failed(partition, failure);
                  } else {
                    crowded.met(told, claims.crowds());
                    take(partition, claims, leaseStamp, dueBy);
                  }
                  inFlight.reserve(-limit); // not before: what is put off meanwhile asks for more
                  gatherPlaces();
                }));
  }

  private Future<ClaimResult> claim(
      long dueBy, Instant now, int limit, CrowdedDestinations.Told told) {
    return stores.attempt().claims().claim(told.partition(), dueBy, now, limit, told.crowds());
  }

  /** A part of what is free, or all partitions would wait for the answer of one. */
  private int limit() {
    int free = inFlight.freePlaces();
    int part = Math.max(Math.min(free, leastPlaces()), free / FREE_DIVISOR);
    return Math.min(settings.timer().batch(), part);
  }

  private int leastPlaces() {
    return Math.max(1, settings.dispatch().maxInFlight() / LEAST_DIVISOR);
  }

  /**
   * After a claim whose answer was lost, Redis may hold attempts for this node that it never heard
   * of.
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
   * Polls where Redis may hold attempts for this node that it never heard of: at once where an
   * answer was lost, since nothing else may be due there that would bring the node back; and
   * everywhere, one partition at a time, since a claim may reach Redis long after its connection
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

  /** Whether Redis may hold attempts for this node that it does not know of. */
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
    observer.claimed(claims.attempts().size());
    claims.attempts().forEach(claimed -> attempts.start(claimed, leaseStamp, claims.at()));
    claims.resumed().forEach(resumer::resume);
    claims.damaged().forEach(damaged -> quarantine(partition, damaged));
    polling.clear(partition);
    boolean more = claims.next().isPresent() && claims.next().getAsLong() <= dueBy;
    crowdedPartitions.set(partition, more && claims.crowds().putOff() > claims.attempts().size());
    if (again.get(partition) || more) {
      again.clear(partition);
      inLine.set(partition); // polled by gatherPlaces, as soon as a place is free
    } else {
      claims.next().ifPresent(next -> wakeUpListener.at(partition, next, true));
    }
  }

  /** Takes what waits longest for a flow; it fails where Redis does not answer. */
  private Future<ClaimResult> claimWaiting(int partition, String flow, int limit) {
    inFlight.reserve(limit);
    return inFlight.during(
        stores
            .attempt()
            .claims()
            .claimWaiting(partition, flow, clock.instant(), limit)
            .onFailure(failure -> doubtful.set(partition))
            .onComplete(done -> inFlight.reserve(-limit))
            .onSuccess(
                claims -> {
                  observer.claimed(claims.attempts().size());
                  claims.damaged().forEach(damaged -> quarantine(partition, damaged));
                }));
  }

  /** Clears away an entry that nothing can be done with, so that it does not come again. */
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
   * Polls what waits for places as soon as there are enough to be worth a claim, or a moment later:
   * else each call that ends would cost a claim of one attempt.
   */
  private void gatherPlaces() {
    if (inFlight.freePlaces() >= settings.dispatch().maxInFlight() / GATHER_DIVISOR) {
      pollWaiting(leastPlaces());
    } else if (!gathering && (!inLine.isEmpty() || crowded.isWaiting())) {
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

  /** So many free places, and more, go to the partitions that wait for them. */
  private void pollWaiting(int least) {
    while (inFlight.freePlaces() >= least && !stopped && lease.isHeld()) {
      OptionalInt partition = nextInLine();
      if (partition.isEmpty()) {
        return;
      }
      nextInLine = partition.getAsInt() + 1;
      inLine.clear(partition.getAsInt());
      poll(partition.getAsInt());
    }
  }

  /** What is due comes first, then what was put off and finds room now; round robin. */
  private OptionalInt nextInLine() {
    BitSet open = inLine;
    if (!crowdedPartitions.isEmpty() && passes() >= MAX_PASSES) {
      open = (BitSet) inLine.clone();
      open.andNot(crowdedPartitions);
    }
    int next = open.nextSetBit(nextInLine);
    int partition = next < 0 ? open.nextSetBit(0) : next;
    if (partition >= 0) {
      return OptionalInt.of(partition);
    }
    return crowded.isWaiting() ? crowded.next(busy()) : OptionalInt.empty();
  }

  /** Where a claim is under way, or failed and is made again a little later. */
  private BitSet busy() {
    BitSet busy = (BitSet) polling.clone();
    busy.or(doubtful);
    return busy;
  }

  /** Claims under way in crowds. */
  private int passes() {
    BitSet passes = (BitSet) crowdedPartitions.clone();
    passes.and(polling);
    return passes.cardinality();
  }

  /** Puts off what has waited too long for its destination. A few times a second. */
  void expireWaiting() {
    attempts.expireWaiting();
    gatherPlaces();
  }

  /** Releases what was claimed of a job, or a collection, and is not sent. */
  void recall(String key) {
    lease.recall(key);
    attempts.recall(key);
  }

  /**
   * Lets go of an attempt that is over: its place is free.
   *
   * @param call what it told of its destination, if it was made
   */
  void ended(Claim claim, Optional<CallOutcome> call) {
    attempts.ended(claim, call);
  }

  /** Flow control of this node. */
  FlowControl flows() {
    return attempts.flows();
  }

  /** Claims nothing from now on. */
  void stop() {
    stopped = true;
    attempts.drain();
  }
}
