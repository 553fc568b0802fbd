package carillon.dispatch;

import carillon.bus.Messages;
import carillon.config.DispatchSettings;
import carillon.config.OAuthSettings;
import carillon.config.QueuesSettings;
import carillon.config.RetrySettings;
import carillon.egress.CheckedEgress;
import carillon.egress.Egress;
import carillon.egress.EgressPolicy;
import carillon.egress.EgressRefusal;
import carillon.job.Call;
import carillon.job.Claim;
import carillon.job.CollectionName;
import carillon.job.JobCollection;
import carillon.job.RetryPolicy;
import carillon.job.Run;
import carillon.job.Trail;
import carillon.servicebus.BusConnections;
import carillon.store.Lease;
import carillon.store.Outcome;
import carillon.store.Storage;
import carillon.store.Stores;
import carillon.store.TimeKeeper;
import carillon.vault.Vault;
import io.vertx.core.Future;
import io.vertx.core.VerticleBase;
import io.vertx.core.eventbus.MessageConsumer;
import java.time.Duration;
import java.time.Instant;
import java.util.HashSet;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ThreadLocalRandom;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Makes the attempts that the timer has claimed and finishes them. One per event loop; its state is
 * confined to its event loop.
 */
public final class DispatcherVerticle extends VerticleBase {
  private static final Logger LOG = LoggerFactory.getLogger(DispatcherVerticle.class);
  private static final long DRAIN_POLL_MS = 10;

  /** What cannot be recorded is tried again after this. */
  private static final Duration UNFINISHED = Duration.ofSeconds(5);

  private final Storage storage;
  private final TimeKeeper clock;
  private final Lease lease;
  private final Config config;
  private final DispatchObserver observer;
  private final RetryPlanner planner;
  private final Set<Claim> inFlight = new HashSet<>();

  private Stores stores;
  private Invokers invokers;
  private MessageConsumer<Messages.Attempt> attempts;

  /**
   * What a dispatcher is told.
   *
   * @param stopGrace how long attempts may go on after a stop was asked for
   * @param userAgent sent with every call
   * @param vault opens the secrets of calls
   * @param egress what may be called
   */
  public record Config(
      DispatchSettings dispatch,
      QueuesSettings queues,
      RetrySettings retry,
      OAuthSettings oauth,
      Duration stopGrace,
      String userAgent,
      Vault vault,
      EgressPolicy egress) {}

  public DispatcherVerticle(
      Storage storage, TimeKeeper clock, Lease lease, Config config, DispatchObserver observer) {
    this.storage = storage;
    this.clock = clock;
    this.lease = lease;
    this.config = config;
    this.observer = observer;
    this.planner =
        new RetryPlanner(
            new RetryPolicy.Fixed(
                config.retry().interval(), config.retry().count(), Optional.empty()),
            config.retry().maxRetryAfter(),
            () -> ThreadLocalRandom.current().nextDouble());
  }

  @Override
  public Future<?> start() {
    return storage
        .open(vertx)
        .onSuccess(
            opened -> {
              stores = opened;
              invokers = invokers(opened);
              attempts = Messages.ATTEMPT.consume(vertx.eventBus(), this::attempt);
            });
  }

  private Invokers invokers(Stores opened) {
    ExecutionHeaders headers = new ExecutionHeaders(config.userAgent(), config.dispatch().region());
    Egress egress = observed(CheckedEgress.of(vertx, config.egress()));
    TokenEndpoint endpoint = new TokenEndpoint(vertx, config.dispatch(), egress);
    HttpInvoker http =
        new HttpInvoker(
            vertx,
            clock,
            config.dispatch(),
            headers,
            new Authenticator(
                clock, config.dispatch(), config.oauth(), new TokenSource(endpoint, clock)),
            new Signer(this::collection, config.vault(), clock),
            egress);
    return new Invokers(
        config.vault(),
        clock,
        http,
        new StorageQueueInvoker(http, config.queues(), config.dispatch().region()),
        new ServiceBusInvoker(http, busConnections(egress), config.queues(), clock),
        new RedisQueueInvoker(clock, config.dispatch(), config.queues(), opened.queues()));
  }

  private Egress observed(Egress egress) {
    return (host, port) ->
        egress
            .checkAll(host, port)
            .onFailure(
                failure -> {
                  if (failure instanceof EgressRefusal) {
                    observer.refused();
                  }
                });
  }

  private BusConnections busConnections(Egress egress) {
    DispatchSettings dispatch = config.dispatch();
    return new BusConnections(
        vertx,
        egress,
        clock,
        dispatch.trustedCa(),
        new BusConnections.Bounds(
            config.queues().busConnections(),
            dispatch.maxPerDestination(),
            config.queues().busIdle(),
            dispatch.timeout()));
  }

  /** Not persisted: nothing between the claim and the call waits for Redis. */
  private Future<Optional<JobCollection>> collection(CollectionName name) {
    return stores.collections().find(name);
  }

  /** Whatever is thrown on the way, the claim ends, and its place is free. */
  private void attempt(Messages.Attempt attempt) {
    Claim claim = attempt.claim();
    inFlight.add(claim);
    Future.succeededFuture(attempt)
        .compose(this::make)
        .compose(
            outcome ->
                inFlight.contains(claim) ? finish(attempt, outcome) : Future.succeededFuture())
        .recover(
            failure ->
                inFlight.contains(claim) ? letWaitAgain(claim, failure) : Future.succeededFuture())
        .onComplete(
            done -> {
              inFlight.remove(claim);
              ended(claim);
            });
  }

  /** Makes the attempt and plans what follows; fails when it was not begun. */
  private Future<Outcome> make(Messages.Attempt attempt) {
    Run run = attempt.claim().run();
    Instant start = clock.instant();
    Runnable check = () -> check(run, attempt.moment());
    check.run();
    return Future.succeededFuture(attempt)
        .compose(begun -> call(begun, check))
        .recover(failure -> failed(run, start, failure))
        .map(result -> planner.plan(run, attempt.definition(), result, clock.uncertainty()));
  }

  private Future<AttemptResult> call(Messages.Attempt attempt, Runnable check) {
    Run run = attempt.claim().run();
    Call call = RetryPlanner.action(run, attempt.definition()).call();
    Trail trail = observer.begins(run, call, attempt.definition().trace());
    return Future.succeededFuture(trail.context().map(call::traced).orElse(call))
        .compose(traced -> invokers.invoke(run, attempt.name(), traced, check))
        .onSuccess(result -> trail.outcome(result.status()))
        .onComplete(known -> trail.ended());
  }

  /**
   * A node that may have been taken for dead sends nothing: another may be sending it. Nor is sent
   * what was disabled or deleted since it was claimed.
   */
  private void check(Run run, long moment) {
    if (!lease.isHeld(moment)) {
      throw new NotBegunException("the lease ran out before the call", Duration.ZERO);
    }
    if (lease.isRecalled(run, moment)) {
      throw new NotBegunException(
          "disabled or deleted between the claim and the call", Duration.ZERO);
    }
  }

  /** An attempt that throws is one that failed: its retry policy says what follows. */
  private Future<AttemptResult> failed(Run run, Instant start, Throwable failure) {
    if (failure instanceof NotBegunException) {
      return Future.failedFuture(failure);
    }
    LOG.atError()
        .addKeyValue("run", run.text())
        .setCause(Unworded.of(failure))
        .log("attempt failed within the scheduler");
    return Future.succeededFuture(
        new AttemptResult(
            false, start, clock.instant(), "Failed within the scheduler, whose log says why"));
  }

  /**
   * What was not begun waits as it was. What could not be planned or recorded was perhaps sent: it
   * counts as a crash, so that it is given up when that goes on.
   */
  private Future<Void> letWaitAgain(Claim claim, Throwable failure) {
    return failure instanceof NotBegunException notBegun
        ? handBack(claim, notBegun)
        : handBackCrashed(claim, failure);
  }

  private Future<Void> handBack(Claim claim, NotBegunException failure) {
    LOG.atWarn()
        .addKeyValue("run", claim.run().text())
        .addKeyValue("error", failure.getMessage())
        .log("attempt was not begun, handed back");
    Instant due = clock.instant().plus(failure.pause());
    return handedBack(claim, due, () -> stores.runs().handBack(claim, due));
  }

  private Future<Void> handBackCrashed(Claim claim, Throwable failure) {
    LOG.atError()
        .addKeyValue("run", claim.run().text())
        .setCause(failure)
        .log("attempt cannot be finished, handed back");
    Instant due = clock.instant().plus(UNFINISHED);
    return handedBack(claim, due, () -> stores.runs().handBackCrashed(claim, due));
  }

  private Future<Void> handedBack(Claim claim, Instant due, Supplier<Future<Void>> step) {
    return stores
        .link()
        .persist(step)
        .onSuccess(done -> announce(claim.run(), due))
        .onFailure(
            failure ->
                LOG.atError()
                    .addKeyValue("run", claim.run().text())
                    .setCause(failure)
                    .log("run cannot be handed back"));
  }

  private Future<Void> finish(Messages.Attempt attempt, Outcome outcome) {
    return stores
        .link()
        .persist(() -> stores.runs().finish(attempt.claim(), outcome, clock.instant()))
        .map(
            word -> {
              log(outcome, word);
              observe(attempt, outcome, word);
              if (!word.equals("LOST")) {
                Messages.FINISHED.toAll(
                    vertx.eventBus(),
                    new Messages.Finished(outcome.run(), attempt.name(), outcome.entry()));
              }
              if (word.equals("DONE")) {
                outcome.following().ifPresent(next -> announce(next.run(), next.due()));
              }
              return null;
            });
  }

  private void observe(Messages.Attempt attempt, Outcome outcome, String word) {
    if (word.equals("LOST")) {
      observer.lost();
    } else {
      observer.finished(RetryPlanner.action(outcome.run(), attempt.definition()).call(), outcome);
    }
  }

  private void announce(Run run, Instant due) {
    Messages.look(vertx.eventBus(), () -> stores.runs().partition(run), due, clock.instant());
  }

  private static void log(Outcome outcome, String word) {
    if (LOG.isDebugEnabled() || word.equals("LOST")) {
      (word.equals("LOST") ? LOG.atWarn() : LOG.atDebug())
          .addKeyValue("run", outcome.run().text())
          .addKeyValue("execution", outcome.run().executionId())
          .addKeyValue("status", outcome.entry().status().word())
          .log(
              word.equals("LOST")
                  ? "claim was taken over meanwhile, result dropped"
                  : "attempt finished");
    }
  }

  private void ended(Claim claim) {
    Messages.ENDED.toOne(vertx.eventBus(), new Messages.Ended(claim));
  }

  /** Lets attempts in flight end within the grace period and hands the rest back. */
  @Override
  public Future<?> stop() {
    if (stores == null) {
      return Future.succeededFuture();
    }
    return attempts
        .unregister()
        .compose(done -> drain(System.nanoTime() + config.stopGrace().toNanos()))
        .compose(
            drained -> Future.join(Set.copyOf(inFlight).stream().map(this::interrupted).toList()))
        .otherwiseEmpty()
        .eventually(() -> Future.join(invokers.close(), stores.link().close()));
  }

  private Future<Void> drain(long until) {
    return inFlight.isEmpty() || System.nanoTime() > until
        ? Future.succeededFuture()
        : vertx.timer(DRAIN_POLL_MS).compose(passed -> drain(until));
  }

  /** Its result, should it still come, is no longer waited for. */
  private Future<Void> interrupted(Claim claim) {
    inFlight.remove(claim);
    LOG.atWarn()
        .addKeyValue("run", claim.run().text())
        .log("attempt did not end within the grace period, handed back; it may be repeated");
    return stores.runs().handBack(claim, clock.instant());
  }
}
