package carillon.timer;

import carillon.bus.Messages;
import carillon.job.Claim;
import carillon.job.Destination;
import carillon.job.HistoryEntry;
import carillon.job.JobDefinition;
import carillon.store.Arming;
import carillon.store.Claimed;
import carillon.store.Millis;
import carillon.store.Outcome;
import carillon.store.Stores;
import carillon.store.TimeKeeper;
import io.vertx.core.Future;
import io.vertx.core.eventbus.EventBus;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Does with claimed runs what is planned for them: arms what follows, and hands the attempts out.
 * What a destination has no share left for goes back to Redis, as it was claimed: nothing is armed
 * yet, so that a job whose target is slow misses occurrences instead of piling them up. Confined to
 * the timer's event loop.
 */
final class RunStarter {
  private static final Logger LOG = LoggerFactory.getLogger(RunStarter.class);

  /** As long as a clock that was set back by little stands still. */
  private static final long SHORT_MILLIS = 1000;

  private static final Duration UNBEGUN = Duration.ofSeconds(5);

  private final Stores stores;
  private final RunPlanner planner;
  private final TimeKeeper clock;
  private final EventBus bus;
  private final WakeUps wakeUps;
  private final TimerObserver observer;
  private final Shares<Work> shares;
  private final HeldRuns held;
  private final Runnable room;
  private int undecided;
  private boolean drained;

  /**
   * Holds nothing yet.
   *
   * @param room told when a run is held no longer
   */
  RunStarter(
      Stores stores,
      RunPlanner planner,
      TimeKeeper clock,
      EventBus bus,
      WakeUps wakeUps,
      TimerObserver observer,
      Shares<Work> shares,
      Runnable room) {
    this.stores = stores;
    this.planner = planner;
    this.clock = clock;
    this.bus = bus;
    this.wakeUps = wakeUps;
    this.observer = observer;
    this.shares = shares;
    this.held = new HeldRuns();
    this.room = room;
  }

  /**
   * A run that was claimed just now; one that was claimed too early, as Redis' clock was set back,
   * waits for its time.
   *
   * @param moment of the lease when the claim was sent
   * @param at what Redis' clock showed when it was claimed, epoch ms
   */
  void take(Claimed claimed, long moment, long at) {
    if (!held.add(claimed.claim())) {
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

  private void tryToDecide(Claimed claimed, long moment) {
    try {
      decide(claimed, moment);
    } catch (RuntimeException e) {
      abandon(claimed.claim(), e);
    }
  }

  private void decide(Claimed claimed, long moment) {
    Instant now = clock.instant();
    Work work = new Work(claimed, planner.plan(claimed, now), moment, now.toEpochMilli());
    Optional<Destination> destination = work.destination();
    Shares.Verdict verdict =
        destination.isEmpty()
            ? Shares.Verdict.START
            : shares.offer(destination.get(), work, clock.millis());
    switch (verdict) {
      case START -> begin(work);
      case WAIT -> handBackWhenDrained();
      case PUT_OFF -> putOff(work, destination.orElseThrow());
    }
  }

  private void begin(Work work) {
    held.begin(work, clock.millis());
    undecided++;
    arm(work.plan().arming(), work.claimed())
        .onSuccess(claim -> claim.ifPresent(still -> tryToCarryOut(work, still)))
        .onFailure(failure -> giveUp(work.claim(), failure))
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
    handBack(work.claim(), shares.turn(destination, clock.millis()));
  }

  /** No longer held from now on: its slot is free, though Redis may be away for a while. */
  private void handBack(Claim claim, long due) {
    held.letGo(claim);
    undecided++;
    stores
        .link()
        .persist(() -> stores.runs().handBack(claim, Instant.ofEpochMilli(due)))
        .onSuccess(done -> wakeUps.at(stores.runs().partition(claim.run()), due, false))
        .onFailure(
            failure ->
                LOG.atError()
                    .addKeyValue("run", claim.run().text())
                    .setCause(failure)
                    .log("run cannot be handed back"))
        .onComplete(done -> undecided--);
    room.run();
  }

  /** Puts off what has waited too long for its destination. A few times a second. */
  void tidy() {
    observer.held(held.size(), shares.waiting());
    shares.overdue(clock.millis()).forEach(work -> putOff(work, work.destination().orElseThrow()));
  }

  /** Hands back what still waits for its destination, and whatever is to wait from now on. */
  void drain() {
    drained = true;
    handBack(shares.withdraw(work -> true));
  }

  /** Hands back what waits for its destination and is of a job, or a collection, with this key. */
  void recall(String key) {
    handBack(shares.withdraw(work -> work.claim().run().isOf(key)));
  }

  private void handBack(List<Work> works) {
    works.forEach(work -> handBack(work.claim(), clock.millis()));
  }

  /** What was claimed before the node was told to stop may arrive afterwards. */
  private void handBackWhenDrained() {
    if (drained) {
      drain();
    }
  }

  /** The claim as it is afterwards; empty when it was lost. */
  private Future<Optional<Claim>> arm(Optional<Arming> plan, Claimed claimed) {
    if (plan.isEmpty()) {
      return Future.succeededFuture(Optional.of(claimed.claim()));
    }
    Arming arming = plan.get();
    long revision = claimed.job().orElseThrow().revision();
    return stores
        .link()
        .persist(() -> stores.runs().arm(claimed.claim(), arming, revision, clock.instant()))
        .map(
            armed ->
                switch (armed) {
                  case ARMED -> armed(claimed.claim(), arming);
                  case STALE -> stale(claimed.claim(), arming);
                  case LOST -> lost(claimed.claim());
                });
  }

  private Optional<Claim> armed(Claim claim, Arming arming) {
    Claim moved = claim.of(arming.moved());
    observer.skipped(arming.skipped());
    held.move(claim, moved);
    wake(arming);
    return Optional.of(moved);
  }

  /** Also what a repeat is told whose first answer was lost: the next occurrence may wait. */
  private Optional<Claim> stale(Claim claim, Arming arming) {
    wake(arming);
    return Optional.of(claim);
  }

  private void wake(Arming arming) {
    arming
        .next()
        .ifPresent(
            next -> wakeUps.at(stores.runs().partition(arming.run()), Millis.of(next), false));
  }

  private Optional<Claim> lost(Claim claim) {
    ended(claim);
    return Optional.empty();
  }

  private void tryToCarryOut(Work work, Claim claim) {
    try {
      carryOut(work, claim);
    } catch (RuntimeException e) {
      abandon(claim, e);
    }
  }

  /** A bug leads here: it comes again as after a crash, and is given up when that goes on. */
  private void abandon(Claim claim, RuntimeException failure) {
    LOG.atError()
        .addKeyValue("run", claim.run().text())
        .setCause(failure)
        .log("claimed run cannot be begun");
    Instant due = clock.instant().plus(UNBEGUN);
    settle(claim, () -> stores.runs().handBackCrashed(claim, due));
  }

  private void carryOut(Work work, Claim claim) {
    Plan.Then then = work.plan().then();
    if (then instanceof Plan.Perform perform) {
      JobDefinition definition = observer.handsOut(claim.run(), perform.definition(), work.since());
      Messages.ATTEMPT.toOne(
          bus, new Messages.Attempt(claim, work.moment(), perform.name(), definition));
    } else if (then instanceof Plan.End end) {
      end(claim, end.outcome().apply(claim.run()));
    } else if (then instanceof Plan.Withhold) {
      settle(claim, () -> stores.runs().withhold(claim, clock.instant()));
    } else {
      settle(claim, () -> stores.runs().park(claim));
    }
  }

  /**
   * Only damaged data or a bug leads here: the run ends with a record, and the job's schedule with
   * it.
   */
  private void giveUp(Claim claim, Throwable failure) {
    LOG.atError()
        .addKeyValue("run", claim.run().text())
        .setCause(failure)
        .log("next occurrence cannot be armed");
    end(claim, RunPlanner.unarmable(claim.run(), clock.instant()));
  }

  private void end(Claim claim, Outcome outcome) {
    if (outcome.entry().status() == HistoryEntry.Status.SKIPPED) {
      observer.skipped(1);
    } else {
      observer.givenUp();
    }
    settle(claim, () -> stores.runs().finish(claim, outcome, clock.instant()).mapEmpty());
  }

  private void settle(Claim claim, Supplier<Future<Void>> step) {
    stores
        .link()
        .persist(step)
        .onFailure(
            failure ->
                LOG.atError()
                    .addKeyValue("run", claim.run().text())
                    .setCause(failure)
                    .log("run cannot be ended"))
        .onComplete(done -> ended(claim));
  }

  /** A run is no longer held: its slot is free. */
  void ended(Claim claim) {
    held.end(claim)
        .flatMap(had -> shares.finished(had.destination(), had.since(), clock.millis()))
        .ifPresent(this::begin);
    room.run();
  }

  /** How many runs this node holds. */
  int held() {
    return held.size();
  }

  boolean holds(Claim claim) {
    return held.contains(claim);
  }

  /** True while runs are still to be handed out. */
  boolean isBusy() {
    return undecided > 0;
  }
}
