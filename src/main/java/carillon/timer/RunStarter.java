package carillon.timer;

import carillon.bus.Messages;
import carillon.job.Destination;
import carillon.job.HistoryEntry;
import carillon.job.JobDefinition;
import carillon.job.Run;
import carillon.store.Arming;
import carillon.store.Claimed;
import carillon.store.Millis;
import carillon.store.Outcome;
import carillon.store.Stores;
import carillon.store.TimeKeeper;
import io.vertx.core.Future;
import io.vertx.core.eventbus.EventBus;
import java.time.Instant;
import java.util.Optional;
import java.util.function.Predicate;
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

  private final Stores stores;
  private final RunPlanner planner;
  private final TimeKeeper clock;
  private final EventBus bus;
  private final WakeUps wakeUps;
  private final TimerObserver observer;
  private final Shares<Work> shares;
  private final HeldRuns held;
  private final Runnable room;
  private Predicate<String> gateClosed = collection -> false;
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

  /** Which collections are disabled. */
  void gates(Predicate<String> closed) {
    gateClosed = closed;
  }

  /** A run that was claimed just now. */
  void take(Claimed claimed) {
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
      case WAIT -> handBackWhenDrained();
      case PUT_OFF -> putOff(work, destination.orElseThrow());
    }
  }

  private void begin(Work work) {
    held.begin(work, clock.millis());
    undecided++;
    arm(work.plan().arming(), work.claimed())
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
    held.letGo(run);
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
    shares.drain().forEach(work -> handBack(work.run(), clock.millis()));
  }

  /** What was claimed before the node was told to stop may arrive afterwards. */
  private void handBackWhenDrained() {
    if (drained) {
      drain();
    }
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
    held.move(arming.run(), arming.moved());
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
    Plan.Then then = work.plan().then();
    if (then instanceof Plan.Perform perform) {
      JobDefinition definition = observer.handsOut(run, perform.definition(), work.since());
      Messages.ATTEMPT.toOne(bus, new Messages.Attempt(run, perform.name(), definition));
    } else if (then instanceof Plan.End end) {
      end(run, end.outcome().apply(run));
    } else {
      settle(run, () -> stores.runs().park(run));
    }
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
    held.end(run)
        .flatMap(had -> shares.finished(had.destination(), had.since(), clock.millis()))
        .ifPresent(this::begin);
    room.run();
  }

  /** How many runs this node holds. */
  int held() {
    return held.size();
  }

  boolean holds(Run run) {
    return held.contains(run);
  }

  /** True while runs are still to be handed out. */
  boolean isBusy() {
    return undecided > 0;
  }
}
