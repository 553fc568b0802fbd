package carillon.timer;

import carillon.bus.Messages;
import carillon.job.Destination;
import carillon.job.HistoryEntry;
import carillon.job.JobDefinition;
import carillon.job.Run;
import carillon.store.Arming;
import carillon.store.Claimed;
import carillon.store.Claims;
import carillon.store.Damaged;
import carillon.store.Lease;
import carillon.store.Millis;
import carillon.store.Outcome;
import carillon.store.Stores;
import carillon.store.TimeKeeper;
import io.vertx.core.Future;
import io.vertx.core.eventbus.EventBus;
import java.time.Duration;
import java.time.Instant;
import java.util.BitSet;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Predicate;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Looks at partitions, claims what is due there, arms what follows, and hands the attempts out.
 * Never more attempts are held than the dispatchers have room for; a partition that is due while
 * there is no room waits its turn. What a destination has no share left for goes back to Redis, as
 * it was claimed: nothing is armed yet, so that a job whose target is slow misses occurrences
 * instead of piling them up. One claim at a time in a partition. Confined to the timer's event
 * loop.
 */
final class Claimer {
  private static final Logger LOG = LoggerFactory.getLogger(Claimer.class);

  /** What has been due for less is left to the nodes whose turn it is. */
  private static final long OTHERS_MILLIS = 1000;

  /** For so many claims there is room at a time, however little there is. */
  private static final int CLAIMS_AT_ONCE = 4;

  private static final long LONGEST_PATIENCE_MILLIS = 5000;

  private final Stores stores;
  private final RunPlanner planner;
  private final TimeKeeper clock;
  private final Lease lease;
  private final EventBus bus;
  private final WakeUps wakeUps;
  private final TimerObserver observer;
  private final int partitions;
  private final int batch;
  private final int maxInFlight;

  private final Set<Run> held = new HashSet<>();
  private final Map<Run, Started> performed = new HashMap<>();
  private final Shares<Work> shares;
  private final BitSet looking;
  private final BitSet again;
  private final BitSet waiting;
  private final BitSet doubtful;
  private Predicate<String> gateClosed = collection -> false;
  private int reserved;
  private int undecided;
  private int turn;
  private int audited;
  private boolean stopped;

  /** Told the instants at which a partition is to be looked at again. */
  interface WakeUps {
    /**
     * Something in the partition is due at this instant.
     *
     * @param earliest true for the earliest entry of the partition, false for an entry that this
     *     node has just armed
     */
    void at(int partition, long millis, boolean earliest);
  }

  Claimer(
      Stores stores,
      RunPlanner planner,
      TimeKeeper clock,
      Lease lease,
      EventBus bus,
      WakeUps wakeUps,
      TimerObserver observer,
      Limits limits) {
    this.stores = stores;
    this.planner = planner;
    this.clock = clock;
    this.lease = lease;
    this.bus = bus;
    this.wakeUps = wakeUps;
    this.observer = observer;
    this.partitions = limits.partitions;
    this.batch = limits.batch;
    this.maxInFlight = limits.maxInFlight;
    this.shares = new Shares<>(limits.maxInFlight, limits.maxPerDestination, limits.patience());
    this.looking = new BitSet(limits.partitions);
    this.again = new BitSet(limits.partitions);
    this.waiting = new BitSet(limits.partitions);
    this.doubtful = new BitSet(limits.partitions);
  }

  /**
   * How much is claimed.
   *
   * @param batch most runs of one claim
   * @param maxInFlight most runs held at once
   * @param maxPerDestination most of them performed at one destination
   * @param timeout of an attempt
   */
  record Limits(
      int partitions, int batch, int maxInFlight, int maxPerDestination, Duration timeout) {
    /**
     * Who answers within this is quick, milliseconds: none of its calls comes near the time-out.
     */
    private long patience() {
      return Math.min(LONGEST_PATIENCE_MILLIS, timeout.toMillis() / 4);
    }
  }

  /** A run that has a place, and since when. */
  private record Started(Destination destination, long since) {}

  /** A claimed run, what is to be done with it, and since when, epoch ms. */
  private record Work(Claimed claimed, Plan plan, long since) {
    Run run() {
      return claimed.run();
    }

    Optional<Destination> destination() {
      return plan.then() instanceof Plan.Perform perform
          ? Optional.of(perform.destination())
          : Optional.empty();
    }
  }

  /**
   * Claims what is due in a partition now; at once, or as soon as the look under way is over or
   * there is room.
   */
  void look(int partition) {
    lookBehind(partition, 0);
  }

  /** The same for what has been overdue for at least {@code overdueMillis}. */
  void lookBehind(int partition, long overdueMillis) {
    if (stopped || !lease.isHeld()) {
      return;
    }
    if (looking.get(partition)) {
      again.set(partition);
    } else if (room() == 0) {
      waiting.set(partition);
    } else {
      claim(partition, overdueMillis);
    }
  }

  private int room() {
    return maxInFlight - held.size() - reserved;
  }

  private void claim(int partition, long overdueMillis) {
    // A part of what is left, or all partitions would wait for the answer of one.
    int limit = Math.min(batch, Math.max(1, room() / CLAIMS_AT_ONCE));
    Instant now = clock.instant();
    looking.set(partition);
    reserved += limit;
    settleDoubt(partition, now)
        .compose(
            settled ->
                stores.runs().claim(partition, now.toEpochMilli() - overdueMillis, now, limit))
        .onComplete(
            (claims, failure) -> {
              reserved -= limit;
              if (failure != null) {
                failed(partition, failure);
              } else {
                take(partition, claims, now.toEpochMilli() - overdueMillis);
              }
              serveWaiting();
            });
  }

  /**
   * After a claim whose answer was lost, Redis may hold runs for this node that it never heard of.
   */
  private Future<Void> settleDoubt(int partition, Instant now) {
    return doubtful.get(partition)
        ? stores
            .runs()
            .handBackUnknown(partition, held::contains, now)
            .onSuccess(done -> doubtful.clear(partition))
        : Future.succeededFuture();
  }

  /**
   * Looks where Redis may hold runs for this node that it never heard of: at once where an answer
   * was lost, since nothing else may be due there that would bring the node back; and everywhere in
   * turn, since a claim may reach Redis long after its connection was given up.
   */
  void settleDoubts() {
    if (stopped) {
      return;
    }
    doubtful.set(audited);
    audited = (audited + 1) % partitions;
    for (int partition : doubtful.stream().toArray()) {
      lookBehind(partition, OTHERS_MILLIS);
    }
  }

  /** Whether Redis may hold runs for this node that it does not know of. */
  boolean isInDoubt() {
    return !doubtful.isEmpty();
  }

  private void failed(int partition, Throwable failure) {
    LOG.atWarn()
        .addKeyValue("partition", partition)
        .addKeyValue("error", failure.getMessage())
        .log("claim failed, will look again");
    doubtful.set(partition);
    looking.clear(partition);
  }

  private void take(int partition, Claims claims, long dueBy) {
    observer.claimed(claims.runs().size());
    claims.runs().forEach(this::take);
    claims.damaged().forEach(damaged -> quarantine(partition, damaged));
    purge(claims.purges())
        .onComplete(
            (done, failure) -> {
              looking.clear(partition);
              if (failure != null) {
                return; // the purges stay due, and the next look comes by itself
              }
              boolean more = claims.next().isPresent() && claims.next().getAsLong() <= dueBy;
              if (again.get(partition) || more) {
                again.clear(partition);
                look(partition);
              } else {
                claims.next().ifPresent(next -> wakeUps.at(partition, next, true));
              }
            });
  }

  /** Nothing can be done with it, and it must not come again; the others go on. */
  private void quarantine(int partition, Damaged damaged) {
    LOG.atError()
        .addKeyValue("partition", partition)
        .addKeyValue("claim", damaged.claim())
        .addKeyValue("error", damaged.reason())
        .log("damaged entry is put into quarantine");
    undecided++;
    stores
        .link()
        .persist(() -> stores.runs().quarantine(partition, damaged, clock.instant()))
        .onFailure(
            failure ->
                LOG.atError()
                    .addKeyValue("claim", damaged.claim())
                    .setCause(failure)
                    .log("damaged entry cannot be put into quarantine"))
        .onComplete(done -> undecided--);
  }

  private Future<Void> purge(List<String> jobs) {
    return Future.join(jobs.stream().map(this::purge).toList()).mapEmpty();
  }

  private Future<Void> purge(String job) {
    try {
      return stores.places().purge(job);
    } catch (RuntimeException e) {
      LOG.atError()
          .addKeyValue("job", job)
          .setCause(e)
          .log("no job can have this name to be purged");
      return Future.failedFuture(e);
    }
  }

  private void take(Claimed claimed) {
    held.add(claimed.run());
    String collection = claimed.run().collection();
    if (gateClosed.test(collection)) {
      askGate(claimed, collection);
    } else {
      decide(claimed, false);
    }
  }

  /**
   * That the gate is closed is known from the last heartbeat. It may have been opened since, and an
   * occurrence that is skipped does not come again: Redis is asked.
   */
  private void askGate(Claimed claimed, String collection) {
    undecided++;
    stores
        .link()
        .persist(() -> stores.nodes().isGateClosed(collection))
        .otherwise(true)
        .onComplete(
            closed -> {
              undecided--;
              decide(claimed, closed.result());
            });
  }

  private void decide(Claimed claimed, boolean closed) {
    Instant now = clock.instant();
    Work work = new Work(claimed, planner.plan(claimed, now, closed), now.toEpochMilli());
    Optional<Destination> destination = work.destination();
    Shares.Verdict verdict =
        destination.isEmpty()
            ? Shares.Verdict.START
            : shares.offer(destination.get(), work, clock.millis());
    switch (verdict) {
      case START -> begin(work);
      case WAIT -> {}
      case PUT_OFF -> putOff(work, destination.orElseThrow());
    }
  }

  private void begin(Work work) {
    work.destination()
        .ifPresent(
            destination -> performed.put(work.run(), new Started(destination, clock.millis())));
    undecided++;
    arm(work.plan.arming(), work.claimed)
        .onSuccess(run -> run.ifPresent(still -> carryOut(work, still)))
        .onFailure(failure -> giveUp(work.run(), failure))
        .onComplete(done -> undecided--);
  }

  private void putOff(Work work, Destination destination) {
    observer.putOff();
    if (shares.isNews(destination)) {
      LOG.atWarn()
          .addKeyValue("destination", destination.host() + ":" + destination.port())
          .log(
              shares.isCalled(destination)
                  ? "destination is too slow for its calls, some are put off"
                  : "too many destinations do not answer, calls to slow and new ones are put off");
    }
    handBack(work.run(), shares.turn(destination, clock.millis()));
  }

  /** No longer held first: once the run is back in due, the very same run may be claimed again. */
  private void handBack(Run run, long due) {
    held.remove(run);
    undecided++;
    stores
        .link()
        .persist(() -> stores.runs().handBack(run, Instant.ofEpochMilli(due)))
        .onSuccess(done -> wakeUps.at(stores.runs().partition(run), due, false))
        .onFailure(
            failure ->
                LOG.atError()
                    .addKeyValue("run", run.text())
                    .setCause(failure)
                    .log("run cannot be handed back"))
        .onComplete(done -> undecided--);
    serveWaiting();
  }

  /** Puts off what has waited too long for its destination. A few times a second. */
  void tidy() {
    observer.held(held.size(), shares.waiting());
    shares.overdue(clock.millis()).forEach(work -> putOff(work, work.destination().orElseThrow()));
  }

  /**
   * Only damaged data or a bug leads here: the run ends with a record, and the job's schedule with
   * it.
   */
  private void giveUp(Run run, Throwable failure) {
    LOG.atError()
        .addKeyValue("run", run.text())
        .setCause(failure)
        .log("next occurrence cannot be armed");
    end(run, RunPlanner.unarmable(run, clock.instant()));
  }

  /** The run as it is held afterwards; empty when it was lost. */
  private Future<Optional<Run>> arm(Optional<Arming> plan, Claimed claimed) {
    if (plan.isEmpty()) {
      return Future.succeededFuture(Optional.of(claimed.run()));
    }
    Arming arming = plan.get();
    long revision = claimed.job().orElseThrow().revision();
    return stores
        .link()
        .persist(() -> stores.runs().arm(arming, revision, clock.instant()))
        .map(
            armed ->
                switch (armed) {
                  case ARMED -> armed(arming);
                  case STALE -> Optional.of(arming.run());
                  case LOST -> lost(arming.run());
                });
  }

  private Optional<Run> armed(Arming arming) {
    observer.skipped(arming.skipped());
    held.remove(arming.run());
    held.add(arming.moved());
    Optional.ofNullable(performed.remove(arming.run()))
        .ifPresent(started -> performed.put(arming.moved(), started));
    arming
        .next()
        .ifPresent(
            next -> wakeUps.at(stores.runs().partition(arming.run()), Millis.of(next), false));
    return Optional.of(arming.moved());
  }

  private Optional<Run> lost(Run run) {
    ended(run);
    return Optional.empty();
  }

  private void carryOut(Work work, Run run) {
    Plan.Then then = work.plan.then();
    if (then instanceof Plan.Perform perform) {
      JobDefinition definition = observer.handsOut(run, perform.definition(), work.since);
      Messages.ATTEMPT.toOne(bus, new Messages.Attempt(run, perform.name(), definition));
    } else if (then instanceof Plan.End end) {
      end(run, end.outcome().apply(run));
    } else {
      settle(run, () -> stores.runs().park(run));
    }
  }

  private void end(Run run, Outcome outcome) {
    if (outcome.entry().status() == HistoryEntry.Status.SKIPPED) {
      observer.skipped(1);
    } else {
      observer.givenUp();
    }
    settle(run, () -> stores.runs().finish(outcome, clock.instant()).mapEmpty());
  }

  private void settle(Run run, Supplier<Future<Void>> step) {
    stores
        .link()
        .persist(step)
        .onFailure(
            failure ->
                LOG.atError()
                    .addKeyValue("run", run.text())
                    .setCause(failure)
                    .log("run cannot be ended"))
        .onComplete(done -> ended(run));
  }

  /** A run is no longer held: its slot is free. */
  void ended(Run run) {
    held.remove(run);
    Optional.ofNullable(performed.remove(run))
        .flatMap(started -> shares.finished(started.destination, started.since, clock.millis()))
        .ifPresent(this::begin);
    serveWaiting();
  }

  /** Room goes to the partitions that wait for it, in turn. */
  private void serveWaiting() {
    while (room() > 0 && !waiting.isEmpty()) {
      int partition = waiting.nextSetBit(turn);
      if (partition < 0) {
        partition = waiting.nextSetBit(0);
      }
      turn = partition + 1;
      waiting.clear(partition);
      look(partition);
    }
  }

  /** Which collections are disabled. */
  void gates(Predicate<String> closed) {
    gateClosed = closed;
  }

  /** How many runs this node holds. */
  int held() {
    return held.size();
  }

  /** Claims nothing from now on. */
  void stop() {
    stopped = true;
    shares.drain().forEach(work -> handBack(work.run(), clock.millis()));
  }

  /** True while claims are under way or runs are still to be handed out. */
  boolean isBusy() {
    return !looking.isEmpty() || undecided > 0;
  }
}
