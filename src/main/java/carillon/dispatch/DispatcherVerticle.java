package carillon.dispatch;

import carillon.bus.Messages;
import carillon.bus.Messages.PlannedAttempt;
import carillon.config.Settings.RetrySettings;
import carillon.dispatch.call.ActionInvoker.CallOptions;
import carillon.dispatch.call.ActionInvoker.NotBegunException;
import carillon.dispatch.call.AttemptResult;
import carillon.dispatch.call.DispatchObserver;
import carillon.flow.CallOutcome;
import carillon.job.AttemptRecord.Source;
import carillon.job.JobDefinition;
import carillon.job.action.Action;
import carillon.job.action.ActionCall;
import carillon.job.action.RetryPolicy;
import carillon.job.action.TraceContext.TraceSpan;
import carillon.job.attempt.Attempt;
import carillon.job.attempt.Claim;
import carillon.job.attempt.HistoryEntry;
import carillon.redis.SharedClock;
import carillon.store.AttemptEnding;
import carillon.store.StoreFactory;
import carillon.store.Stores;
import carillon.store.attempt.AttemptOutcome;
import carillon.store.attempt.AttemptStore.Finished;
import carillon.store.attempt.Lease;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.VerticleBase;
import io.vertx.core.eventbus.MessageConsumer;
import java.time.Duration;
import java.time.Instant;
import java.util.HashSet;
import java.util.Optional;
import java.util.Set;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Verticle that makes the attempts the timer has claimed and records how they end. One per event
 * loop; its state is confined to its event loop.
 */
public final class DispatcherVerticle extends VerticleBase {
  private static final Logger LOG = LoggerFactory.getLogger(DispatcherVerticle.class);
  private static final long DRAIN_POLL_MS = 10;

  private static final Future<Optional<HistoryEntry>> NOTHING_RECORDED =
      Future.succeededFuture(Optional.empty());

  private final StoreFactory storeFactory;
  private final SharedClock clock;
  private final Lease lease;
  private final DispatchOptions config;
  private final DispatchObserver observer;
  private final RetryPlanner planner;
  private final Set<Claim> inFlight = new HashSet<>();
  private final GivenUpLog givenUp = new GivenUpLog();

  private Stores stores;
  private AttemptEnding ending;
  private ClaimReleaser releaser;
  private ActionInvokers invokers;
  private PlaceholderFiller filler;
  private MessageConsumer<PlannedAttempt> attempts;

  public DispatcherVerticle(
      StoreFactory storeFactory,
      SharedClock clock,
      Lease lease,
      DispatchOptions config,
      DispatchObserver observer) {
    this.storeFactory = storeFactory;
    this.clock = clock;
    this.lease = lease;
    this.config = config;
    this.observer = observer;
    RetrySettings retry = config.settings().retry();
    this.planner =
        new RetryPlanner(
            RetryPolicy.standard(retry.interval(), retry.count()),
            retry.maxRetryAfter(),
            RetryPlanner::spread);
  }

  @Override
  public Future<?> start() {
    return storeFactory
        .open(vertx)
        .onSuccess(
            opened -> {
              stores = opened;
              ending = new AttemptEnding(opened, clock, this::announce);
              releaser =
                  new ClaimReleaser(opened.attempt().attempts(), clock, ending, this::announce);
              filler = new PlaceholderFiller(opened.job().jobListing());
              invokers = ActionInvokers.of(vertx, clock, config, opened.collection(), observer);
              attempts = Messages.ATTEMPT.consume(vertx.eventBus(), this::attempt);
            });
  }

  /** Performs an attempt. After any exception, the claim ends and its place is free. */
  private void attempt(PlannedAttempt planned) {
    Claim claim = planned.claim();
    inFlight.add(claim);
    Future<AttemptResult> made = Future.succeededFuture(planned).compose(this::make);
    made.map(result -> plan(planned, result))
        .compose(outcome -> inFlight.contains(claim) ? finish(planned, outcome) : NOTHING_RECORDED)
        .recover(
            failure ->
                inFlight.contains(claim)
                    ? releaser.release(claim, failure).map(Optional.empty())
                    : NOTHING_RECORDED)
        .otherwise(Optional.empty())
        .onSuccess(
            entry -> {
              inFlight.remove(claim);
              Messages.ENDED.toAll(
                  vertx.eventBus(),
                  new Messages.AttemptEnded(claim, planned.name(), entry, outcome(made)));
            });
  }

  private Optional<CallOutcome> outcome(Future<AttemptResult> made) {
    return made.failed()
        ? Optional.empty()
        : Optional.of(
            new CallOutcome(
                made.result().isDestinationFailure(), planner.retryAfter(made.result())));
  }

  private AttemptOutcome plan(PlannedAttempt planned, AttemptResult result) {
    return planner.plan(
        planned.claim().attempt(), planned.definition(), result, clock.uncertainty());
  }

  /** Makes the attempt; fails if it did not begin. */
  private Future<AttemptResult> make(PlannedAttempt planned) {
    Attempt attempt = planned.claim().attempt();
    Instant start = clock.instant();
    Runnable check = () -> check(attempt, planned.leaseStamp());
    check.run();
    return Future.succeededFuture(planned)
        .compose(begun -> call(begun, check))
        .recover(failure -> failed(attempt, start, failure));
  }

  private Future<AttemptResult> call(PlannedAttempt planned, Runnable check) {
    Attempt attempt = planned.claim().attempt();
    Action action = RetryPlanner.action(attempt, planned.definition());
    CallOptions options = CallOptions.of(action, config.settings().dispatch());
    TraceSpan span = observer.begins(attempt, action.call(), planned.definition().trace());
    return filler
        .fill(planned, action)
        .compose(
            call ->
                invokers.invoke(
                    attempt,
                    planned.name(),
                    span.context().map(call::traced).orElse(call),
                    options,
                    check))
        .onSuccess(result -> span.outcome(result.status()))
        .onComplete(known -> span.ended());
  }

  /**
   * Checks that the attempt may still be sent. A node that other nodes may consider dead sends
   * nothing, because another node may be sending it. An attempt that was disabled or deleted since
   * its claim is not sent either.
   */
  private void check(Attempt attempt, long leaseStamp) {
    if (!lease.isHeld(leaseStamp)) {
      throw new NotBegunException("the lease ran out before the call", Duration.ZERO);
    }
    if (lease.isRecalled(attempt, leaseStamp)) {
      throw new NotBegunException(
          "disabled or deleted between the claim and the call", Duration.ZERO);
    }
  }

  /**
   * Returns the result of an attempt that threw. It counts as failed, and the retry policy decides.
   */
  private Future<AttemptResult> failed(Attempt attempt, Instant start, Throwable failure) {
    if (failure instanceof NotBegunException) {
      return Future.failedFuture(failure);
    }
    LOG.atError()
        .addKeyValue("attempt", attempt.member())
        .setCause(QuietException.of(failure))
        .log("attempt failed within the scheduler");
    return Future.succeededFuture(
        new AttemptResult(
            false, start, clock.instant(), "Failed within the scheduler, whose log says why"));
  }

  /** Records the outcome. Returns its entry of the history, unless the claim was lost. */
  private Future<Optional<HistoryEntry>> finish(PlannedAttempt planned, AttemptOutcome outcome) {
    return stores
        .attempt()
        .attempts()
        .finish(planned.claim(), outcome, source(planned), lease.failingSteps())
        .compose(
            finished -> {
              boolean isLost = finished == Finished.LOST;
              log(planned.claim().attempt(), outcome, isLost);
              observe(planned, outcome, isLost);
              Optional<HistoryEntry> entry =
                  isLost ? Optional.empty() : Optional.of(outcome.entry());
              return ending.follow(planned.claim().attempt(), outcome, finished).map(entry);
            });
  }

  private static Source source(PlannedAttempt planned) {
    Action action = RetryPlanner.action(planned.claim().attempt(), planned.definition());
    return new Source(planned.name(), action.call().destination().authority());
  }

  private void observe(PlannedAttempt planned, AttemptOutcome outcome, boolean isLost) {
    if (isLost) {
      observer.lost();
    } else {
      ActionCall call = planned.definition().action(outcome.entry().phase()).call();
      Attempt attempt = planned.claim().attempt();
      observer.finished(attempt.collection(), call, outcome, due(attempt, planned.definition()));
      if (outcome.exhausted()) {
        givenUp.add(attempt, call.destination(), outcome.entry());
      }
    }
  }

  /** Returns when the attempt was due. A requested execution is due immediately. */
  private static Instant due(Attempt attempt, JobDefinition definition) {
    return attempt.isRequested()
        ? attempt.dueAt()
        : definition.occurrences().planned(attempt.dueAt());
  }

  private void announce(Attempt attempt, Instant due) {
    Messages.wakeUp(
        vertx.eventBus(),
        () -> stores.attempt().attempts().partition(attempt),
        due,
        clock.instant());
  }

  private static void log(Attempt attempt, AttemptOutcome outcome, boolean isLost) {
    if (LOG.isDebugEnabled() || isLost) {
      (isLost ? LOG.atWarn() : LOG.atDebug())
          .addKeyValue("attempt", attempt.member())
          .addKeyValue("execution", attempt.executionId())
          .addKeyValue("status", outcome.entry().status().word())
          .log(
              isLost ? "claim was taken over by another node, result dropped" : "attempt finished");
    }
  }

  /** Lets attempts in flight end within the grace period and releases the rest. */
  @Override
  public Future<?> stop() {
    if (stores == null) {
      return Future.succeededFuture();
    }
    return attempts
        .unregister()
        .compose(done -> drain(System.nanoTime() + config.settings().node().stopGrace().toNanos()))
        .compose(
            drained -> Future.join(Set.copyOf(inFlight).stream().map(this::interrupted).toList()))
        .otherwiseEmpty()
        .eventually(() -> Future.join(invokers.close(), stores.close()));
  }

  private Future<Void> drain(long until) {
    if (inFlight.isEmpty()) {
      return Future.succeededFuture();
    }
    Promise<Void> drained = Promise.promise();
    vertx.setPeriodic(
        DRAIN_POLL_MS,
        poll -> {
          if (inFlight.isEmpty() || System.nanoTime() > until) {
            vertx.cancelTimer(poll);
            drained.complete();
          }
        });
    return drained.future();
  }

  /** Ends the wait for an interrupted attempt. A later result is ignored. */
  private Future<Void> interrupted(Claim claim) {
    inFlight.remove(claim);
    return releaser.releaseAtStop(claim);
  }

  /**
   * Failure in a form that is safe for the log: its class and the place of the throw. The message
   * is left out because it may quote a secret.
   */
  private static final class QuietException extends Exception {
    private final String kind;

    private QuietException(Throwable failure) {
      super(null, failure.getCause() == null ? null : of(failure.getCause()), false, true);
      this.kind = failure.getClass().getName();
      setStackTrace(failure.getStackTrace());
    }

    static QuietException of(Throwable failure) {
      return new QuietException(failure);
    }

    /** The class of the failure alone: stack traces begin with it. */
    @Override
    @SuppressWarnings("OverrideThrowableToString")
    public String toString() {
      return kind;
    }
  }
}
